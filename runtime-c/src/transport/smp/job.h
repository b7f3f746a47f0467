/* What all processes of an smp job share, in addition to the block that their launcher watches
   (transport/host/host.h). */
#ifndef UPCR_SMP_JOB_H
#define UPCR_SMP_JOB_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

#include "heap/arena.h"
#include "transport/host/host.h"
#include "wait.h"

enum { SMP_GUARDS = 64 };

/* What the threads bring to one barrier. Arrivals hold thread + 1 in the upper half and the value in the lower; 0
   means none. */
struct smp_ballot {
    _Atomic uint64_t consensus; /* the first value */
    _Atomic uint64_t dissent;   /* the first value that differed from it */
    _Atomic uint32_t leavers;
    _Atomic uint32_t a_leaver;
};

struct smp_barrier {
    alignas(UPCR_CACHE_LINE) _Atomic uint32_t arrived;
    alignas(UPCR_CACHE_LINE) struct upcr_event epoch;      /* counts completed barriers */
    alignas(UPCR_CACHE_LINE) struct smp_ballot ballots[2]; /* by the epoch's parity */
};

/* A thread's data for another group in a collective function. A thread has one parcel, for one receiver at once. */
enum { SMP_PARCEL_BYTES = 4096 };
struct smp_parcel {
    alignas(UPCR_CACHE_LINE) struct upcr_event to; /* the receiver's number + 1; 0: the data has been taken */
    uint32_t n;
    unsigned char bytes[SMP_PARCEL_BYTES];
};

struct smp_thread {
    _Atomic uint32_t left; /* 1 + the exit status of a thread that has arrived to leave; 0: it has not */
    /* This thread's node in the queue of the lock that it waits for. */
    alignas(UPCR_CACHE_LINE) struct upcr_event lock_turn;
    struct upcr_event lock_next; /* the thread that waits behind this one */
    struct upcr_arena arena;     /* local blocks; grows downward from the segment's end */
    struct smp_parcel parcel;
};

struct smp_job {
    struct smp_barrier barrier;
    alignas(UPCR_CACHE_LINE) unsigned char broadcast[2][UPCR_BROADCAST_MAX];
    /* Blocks at the same offset in all segments; grows upward. Block headers are in thread 0's segment. */
    alignas(UPCR_CACHE_LINE) struct upcr_arena symmetric;
    /* Guards the borders between the arenas, symmetric.high and every arena.low, while they move. */
    struct upcr_mutex borders;
    /* Mutexes that replace atomic instructions for objects that are too wide for one, chosen by the object's
       address. */
    struct upcr_mutex guards[SMP_GUARDS];
    struct smp_thread thread[];
};

extern struct smp_job *smp_job;
extern void *smp_seats; /* behind it (seat.h) */

/* Maps the control block and all segments. Called before the threads are forked, which inherit the mappings. Exits
   on failure. */
void smp_segments_create(const struct upcr_plan *plan);

/* Maps the linear images of static arrays, if all of them can have one. */
void smp_linear_map(int file, uint64_t static_bytes, uint64_t file_stride);

/* Enters pages that exist into this process's page tables. False: the system cannot. */
bool smp_populate(char *at, uint64_t bytes);

/* The same for the parts of the linear images that have pages [from, to) of a thread's segment. */
bool smp_linear_populate(int thread, uint64_t from, uint64_t to);

/* Notes where the memory file is; called by the launcher, which keeps it open. */
void smp_touched_note(int file, uint64_t stride);

/* Closes the memory file that a thread inherits from the launcher. */
void smp_touched_start(void);

/* Maps what other threads have touched. */
void smp_touched_map(void);

/* The mapping by which the transport itself reaches thread 0's segment. With -pshm-width it is a second mapping of
   the memory at upcr_segment_base, in which the segments of threads that count as remote are closed. */
#ifdef UPCR_REMOTE
extern char *smp_view;
#else
#define smp_view upcr_segment_base
#endif

/* Returns the start of a thread's segment. */
static inline char *smp_segment(int thread)
{
    return smp_view + (size_t)thread * UPCR_SEGMENT_STRIDE;
}

/* Returns the object p points at, whichever thread it has affinity to. */
static inline void *smp_at(upcr_pts_t p)
{
#ifdef UPCR_REMOTE
    return smp_segment((int)upcr_threadof(p)) + upcr_addrfield(p);
#else
    return upcr_addr(p);
#endif
}

/* Decides which segments count as mapped for the calling thread, and closes the others. */
void smp_segments_choose(int thread);

/* Chooses the simulated delay between threads that do not have each other's memory mapped. */
void smp_distance_choose(const struct upcr_plan *plan);

/* Gives back to the system the pages that lie entirely inside [offset, offset + bytes) of a thread's segment. */
void smp_segment_discard(int thread, uint64_t offset, uint64_t bytes);

/* Prepares the arenas; called once, after smp_segments_create. */
void smp_heap_init(const struct upcr_plan *plan);

#endif
