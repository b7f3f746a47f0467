/* Hot accesses to memory that is not mapped: only those that the software cache answers at once are counted without a report. Each that takes
   more is reported (upcr/remote.h), so counted reads are hits. */
#ifndef MEASURE_HITS_H
#define MEASURE_HITS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/measure/profile.h"
#include "tools/measure/state.h"

/* Whether accesses like this one, to a thread whose memory is not mapped, may be counted. */
bool measure_hits_may_count(unsigned tag, bool relaxed);

/* The event site of the hits of the reads at this place; 0: nobody wants them. */
uint32_t measure_hits_event_site(struct measure_state *state, upcr_site *site, const struct measure_event_site *event_site, uint32_t peer);

/* So many reads of so many bytes each, below this node, were hits. Async-signal-safe. */
void measure_hits_add(struct measure_state *state, uint32_t id, uint32_t read, uint32_t count, uint64_t bytes);

/* An access that was counted is reported late. False: it was not counted. */
bool measure_hits_report_late(upcr_site *site, bool is_write, size_t thread);

#endif
