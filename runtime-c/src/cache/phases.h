/* What a thread reads for the first time in each synchronization phase (UPC 6.6.1), so that the next time such a phase begins it
   can be fetched at once. */
#ifndef UPCR_CACHE_PHASES_H
#define UPCR_CACHE_PHASES_H

#include "cache/lines.h"

enum { UPCR_PHASE_SPANS = 8 };

/* Records bytes whose lines are read for the first time in this phase. */
void upcr_phase_note(struct upcr_span span) UPCR_HIDDEN;

/* Ends the phase: the next one begins. */
void upcr_phase_end(void) UPCR_HIDDEN;

/* Returns the number of spans, at most UPCR_PHASE_SPANS, that the phase that begins will probably read, and the spans. */
uint32_t upcr_phase_expected(const struct upcr_span **spans) UPCR_HIDDEN;

#endif
