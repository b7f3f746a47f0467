/* Hot accesses: of the reads and writes of a place that has raised many, most are only counted, where they are made (upcr/inst.h). */
#ifndef MEASURE_QUIET_H
#define MEASURE_QUIET_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/measure/state.h"

/* False: no memory. */
bool measure_quiet_start(void);

/* An access at a hot place has been told: of the next ones by the same site and to the same thread all but one in `period` will only be counted. bytes: of
   each. False: this one is no sample of these: it is unlike them (a lock that had to be waited for), or was told too soon after them. */
bool measure_quiet_grant(upcr_site *site, const struct measure_origin *origin, uint32_t id, uint32_t peer, uint64_t bytes, uint32_t period);

/* Takes in what has been counted, as below the pairs that are open. Places that counted nothing are told again. Async-signal-safe. */
void measure_quiet_settle(void);

/* The same, and every place is told again. */
void measure_quiet_end(void);

/* Places that are only counting. */
extern uint32_t measure_quiet_active UPCR_HIDDEN;

#endif
