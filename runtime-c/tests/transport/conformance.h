/* The conformance suite of transports: calls the operations of transport/transport.h themselves and compares each with its contract.
   Cases run one after another on all threads. Operations on memory are called as the contract wants it: for threads that are not mapped; what is
   mapped is accessed in place. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include "../test.h"

#include <string.h>
#include <time.h>

#include "remote/collect.h"
#include "transport/transport.h"
#include "update.h"

#define ME   upcr_mythread
#define ALL  upcr_threads
#define NEXT ((ME + 1) % ALL)

/* X(name): case_name, in this order. */
#define CASES(X)            \
    X(constants)            \
    X(together)             \
    X(calls)                \
    X(looking)              \
    X(sizes)                \
    X(order)                \
    X(updates)              \
    X(iov)                  \
    X(strides)              \
    X(copies)               \
    X(in_flight)            \
    X(overtaken)            \
    X(unanswered)           \
    X(visible)              \
    X(attentive)            \
    X(helpers)              \
    X(collected)            \
    X(flood)                \
    X(traffic)              \
    X(atomic_model)         \
    X(atomic_contention)    \
    X(guards)               \
    X(barrier_phases)       \
    X(barrier_at_once)      \
    X(barrier_values)       \
    X(barrier_work_between) \
    X(groups)               \
    X(exchange)             \
    X(broadcast)            \
    X(rendezvous)           \
    X(heap_model)           \
    X(heap_symmetric)       \
    X(heap_borders)         \
    X(memory_limit)         \
    X(lock_exclusion)       \
    X(lock_order)           \
    X(lock_attempt)         \
    X(lock_many)            \
    X(semaphore_counts)     \
    X(semaphore_boolean)    \
    X(semaphore_order)

#define CASE_(name) void case_##name(void);
CASES(CASE_)
#undef CASE_

/* Ways to end, each a run of its own: table.txt beside this file says how. X(name): end_name, whose result is the status of exit. */
#define ENDS(X)           \
    X(statuses)           \
    X(exit_one)           \
    X(exit_while_waiting) \
    X(exit_all)           \
    X(exit_race)          \
    X(claim)              \
    X(refuse)             \
    X(crash)              \
    X(saves)              \
    X(saves_on_exit)      \
    X(leaver_barrier)     \
    X(leaver_broadcast)   \
    X(leaver_rendezvous)  \
    X(leaver_exchange)    \
    X(relock)             \
    X(unlock_other)       \
    X(no_lock)            \
    X(dead_lock)          \
    X(overflow)           \
    X(dead_semaphore)     \
    X(stray_get)          \
    X(stray_put)          \
    X(stray_iov)

#define END_(name) int end_##name(void);
ENDS(END_)
#undef END_

/* So many times, less where a long case would take long: many threads on few processors. */
int repeat(int times);

/* Space at the same offset in every segment, zero, until forget. */
uint64_t everywhere(size_t bytes);
void forget(uint64_t offset);

static inline upcr_pts_t at(int thread, uint64_t offset)
{
    return upcr_make((size_t)thread, 0, offset);
}

/* My own memory. */
static inline void *mine(uint64_t offset)
{
    return upcr_addr(at(ME, offset));
}

static inline bool is_remote(int thread)
{
    return !upcr_mapped((size_t)thread);
}

/* Writes before are performed, all threads meet. */
void meet(void);

/* The operations, by the one question that chooses the way. */
void put(upcr_pts_t dst, const void *src, size_t n);
void get(void *dst, upcr_pts_t src, size_t n);
void set(upcr_pts_t dst, unsigned char value, size_t n);
void copy(upcr_pts_t dst, upcr_pts_t src, size_t n);
void update(upcr_pts_t place, enum upcr_update update, const void *value, size_t n);
void start_put(upcr_pts_t dst, const void *src, size_t n, struct upcr_batch *batch);
void start_copy(upcr_pts_t dst, upcr_pts_t src, size_t n, struct upcr_batch *batch);
void start_set(upcr_pts_t dst, unsigned char value, size_t n, struct upcr_batch *batch);
void start_get(void *dst, upcr_pts_t src, size_t n, struct upcr_batch *batch);
void put_iov(int thread, const struct upcr_iov *iov, size_t count);
void get_iov(int thread, const struct upcr_iov *iov, size_t count);
void atomic(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch);

/* A long, by put and get. */
static inline void put_long(int thread, uint64_t offset, long value)
{
    put(at(thread, offset), &value, sizeof value);
}

static inline long get_long(int thread, uint64_t offset)
{
    long value;
    get(&value, at(thread, offset), sizeof value);
    return value;
}

/* Of the caller's own memory, which others write. */
static inline long look(uint64_t offset)
{
    return __atomic_load_n((long *)mine(offset), __ATOMIC_ACQUIRE);
}

static inline void doze(long microseconds)
{
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
    nanosleep(&time, NULL);
}

/* Bytes that depend on a seed. */
static inline void scribble(void *dst, size_t n, uint64_t seed)
{
    unsigned char *bytes = dst;
    uint64_t state = seed * 2654435761u + 12345;
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)(test_random(&state) >> 7);
}

#endif
