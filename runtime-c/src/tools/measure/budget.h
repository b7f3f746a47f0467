/* Hot accesses: if a place has raised many reads or writes, most of the next ones are only counted, in the instrumented code itself (upcr/inst.h).
   Each pthread has its own counts. */
#ifndef MEASURE_BUDGET_H
#define MEASURE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/measure/state.h"

/* The number of bytes of memory that a pthread needs, and its initialisation for this pthread. Without it, all accesses of the pthread are reported. */
size_t measure_budget_bytes(void);
void measure_budget_start(struct measure_state *state, uint8_t *memory);

/* Called by another pthread: makes this one report its next access and then continue to count, so that the caller can read its state. */
void measure_budget_hold(struct measure_state *state);
void measure_budget_resume(struct measure_state *state);

/* Called after an access at a hot place was reported: of the next ones by the same site to the same thread, all but one in `period` will only be counted.
   bytes: of each. False: this one is not a sample of them, because it differs from them (a lock that was waited for) or came too soon after them. */
bool measure_budget_grant(struct measure_state *state, upcr_site *site, const struct measure_event_site *event_site, uint32_t id, uint32_t peer, uint64_t bytes,
                          uint32_t period);

/* Records what has been counted below the open pairs. Places that counted nothing report again. Async-signal-safe. */
void measure_budget_settle(struct measure_state *state);

/* The same; afterwards every place reports again. */
void measure_budget_end(struct measure_state *state);

#endif
