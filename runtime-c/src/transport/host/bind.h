/* Which processors threads may run on, by their affinity masks. */
#ifndef UPCR_HOST_BIND_H
#define UPCR_HOST_BIND_H

#include "runtime.h"

#include <sched.h>

/* The calling process's mask; all processors where the system does not say. */
void host_mask(cpu_set_t *mask);

/* The share of thread `me` in the processors of a machine, by the masks of all its threads: those that have the same mask divide it, so that no two
   run on one processor, and each keeps to what its launcher has given it. False: it keeps its mask, for there are fewer processors than threads with
   it, others have some of them, or none has the same. */
bool host_share(const cpu_set_t *masks, int threads, int me, cpu_set_t *share);

/* How many threads of a machine share a processor, if they spread over those of their masks as far as these allow. */
int host_sharers(const cpu_set_t *masks, int threads);

/* Keeps the calling thread on these processors. */
bool host_bind_to(const cpu_set_t *mask);

#endif
