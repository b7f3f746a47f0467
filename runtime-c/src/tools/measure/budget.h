/* Hot accesses: of the reads and writes of a place that has raised many, most are only counted, where they are made (upcr/inst.h). Each pthread has counts
   of its own. */
#ifndef MEASURE_BUDGET_H
#define MEASURE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/measure/state.h"

/* Bytes of memory; and to put it to use, for this pthread. Without it, all accesses of the pthread are reported. */
size_t measure_budget_bytes(void);
void measure_budget_start(struct measure_state *state, uint8_t *memory);

/* Another pthread makes this one report its next access, after which it goes on counting: the other reads its state then. */
void measure_budget_hold(struct measure_state *state);
void measure_budget_resume(struct measure_state *state);

/* An access at a hot place has been reported: of the next ones by the same site and to the same thread all but one in `period` will only be counted. bytes: of
   each. False: this one is not a sample of these: it differs from them (a lock that had to be waited for), or was reported too soon after them. */
bool measure_budget_grant(struct measure_state *state, upcr_site *site, const struct measure_event_site *event_site, uint32_t id, uint32_t peer, uint64_t bytes,
                          uint32_t period);

/* Takes in what has been counted, as below the pairs that are open. Places that counted nothing report again. Async-signal-safe. */
void measure_budget_settle(struct measure_state *state);

/* The same, and every place reports again. */
void measure_budget_end(struct measure_state *state);

#endif
