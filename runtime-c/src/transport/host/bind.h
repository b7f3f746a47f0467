/* Which processors threads may run on, according to their affinity masks. */
#ifndef UPCR_HOST_BIND_H
#define UPCR_HOST_BIND_H

#include "runtime.h"

#include <sched.h>

#include "transport/transport.h"

/* A mask has as many bytes as the system's own, which may have more processors than a cpu_set_t. */
size_t host_mask_bytes(void);

/* Masks of this many bytes each, one behind the other. */
struct host_masks {
    cpu_set_t *first;
    size_t bytes;
    int count;
};

static inline cpu_set_t *host_mask_of(const struct host_masks *masks, int thread)
{
    return (cpu_set_t *)(void *)((char *)masks->first + (size_t)thread * masks->bytes);
}

/* Writes the calling process's mask; all processors if the system does not report one. */
void host_mask(cpu_set_t *mask);

/* A processor and its position in the machine. */
struct host_processor {
    int domain, package, core, cpu; /* domain: of memory (NUMA) */
};

/* Divides processors among threads, in order: by the memory's domains, then by cores if there is one for each thread,
   else by hardware threads. Adds those of thread `me` to the mask `share`. The list is sorted here. */
void host_divide(struct host_processor *list, int count, int threads, int me, cpu_set_t *share, size_t bytes);

/* Gives each of the memory's domains as many threads as any other, in order: thread `me` gets all processors of its
   domain. False: there is one domain, they have different numbers of processors, there are fewer processors than
   threads, or the thread is among those that are left over. */
bool host_divide_domains(struct host_processor *list, int count, int threads, int me, cpu_set_t *share, size_t bytes);

/* Computes the share of thread `me` in the processors of a machine from the masks of all its threads. Threads that
   have the same mask divide it, so that each stays within what its launcher has assigned: its processors, so that no
   two run on one, or its domains. False: the thread keeps its mask, because there are fewer processors in it than
   threads with it, other threads have some of its processors, no other thread has the same mask, or it cannot be
   divided by domains. */
bool host_share(const struct host_masks *masks, int me, bool of_domains, cpu_set_t *share);

/* Chooses the processors of thread `me`. False: the thread keeps its mask. */
bool host_choose(enum upcr_binding how, const struct host_masks *masks, int me, cpu_set_t *chosen);

/* Returns how many threads of a machine share a processor if they spread over their masks as evenly as these allow. */
int host_sharers(const struct host_masks *masks);

/* Returns where each thread of a job will run that all have the mask of the calling process. */
struct host_masks host_plan(enum upcr_binding how, int threads);

/* Binds the calling thread to the processors that were chosen for it. */
void host_bind(enum upcr_binding how, const cpu_set_t *chosen);

/* Moves the calling thread to a processor that it may use, another one for each thread as far as there are enough, and leaves it free to go
   elsewhere: forked processes begin where their parent runs, and the system takes tens of milliseconds to spread those that compute. */
void host_spread(int thread);

/* Makes the system take a domain's memory for these addresses, as long as it has some, whichever thread touches them
   first; in a shared mapping for all processes. False: it refuses. */
bool host_prefer_domain(void *at, size_t bytes, int domain);

/* Does that for the domain of the calling thread's processors, if all of them are in one. */
void host_place_memory(void *at, size_t bytes);

/* Prints where the threads of a job would run, and ends the process. */
void host_show_plan(const struct host_masks *placed) __attribute__((__noreturn__));

/* Binds the calling thread to these processors. */
bool host_bind_to(const cpu_set_t *mask);

/* Writes a mask as "0-3,8". */
void host_print_mask(const cpu_set_t *mask, size_t bytes, char *text, size_t capacity);

#endif
