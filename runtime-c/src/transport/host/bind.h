/* Which processors threads may run on, according to their affinity masks. */
#ifndef UPCR_HOST_BIND_H
#define UPCR_HOST_BIND_H

#include "runtime.h"

#include <sched.h>

/* Writes the calling process's mask; all processors if the system does not report one. */
void host_mask(cpu_set_t *mask);

/* Computes the share of thread `me` in the processors of a machine from the masks of all its threads. Threads that
   have the same mask divide it, so that no two run on one processor and each stays within what its launcher has
   assigned. False: the thread keeps its mask, because there are fewer processors in it than threads with it, other
   threads have some of its processors, or no other thread has the same mask. */
bool host_share(const cpu_set_t *masks, int threads, int me, cpu_set_t *share);

/* Returns how many threads of a machine share a processor if they spread over their masks as evenly as these allow. */
int host_sharers(const cpu_set_t *masks, int threads);

/* Binds the calling thread to these processors. */
bool host_bind_to(const cpu_set_t *mask);

#endif
