/* How a thread waits for another. Only this file has a policy; nothing else in the runtime spins or sleeps. */
#ifndef UPCR_WAIT_H
#define UPCR_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A word in memory shared by all processes of the job, for whose change threads wait. All zero is a valid initial
   state. */
struct upcr_event {
    _Atomic uint32_t word;
    _Atomic uint32_t sleepers;
};

/* Pauses between two reads of a word that another processor is about to change. */
static inline void upcr_pause_processor(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

/* Chooses the policy. crowd: threads for each processor, rounded up. If polite, or crowd is more than one, a waiter
   should give up its processor soon. */
void upcr_wait_configure(bool polite, unsigned crowd);

/* Return the chosen policy. */
bool upcr_wait_is_crowded(void);
unsigned upcr_wait_crowd(void);

/* Returns once event->word differs from `old`; what the writer did before the change is visible then. */
void upcr_wait_while(struct upcr_event *event, uint32_t old);

struct timespec;

/* The same, but sleeps only once, and for no longer than given; returns whether event->word differs from `old`. */
bool upcr_wait_nap(struct upcr_event *event, uint32_t old, const struct timespec *most);

/* Returns at a moment of the system's clock (clock.h), in nanoseconds, that is in the near future. It sleeps if the
   moment is further away than the system takes to wake it. */
void upcr_wait_until(uint64_t moment);

/* Sleeps without spinning until the word may differ from `old`, but at most for the given time; NULL: without limit. */
void upcr_event_sleep(struct upcr_event *event, uint32_t old, const struct timespec *most);

/* Stores the word, after everything done before, and wakes all threads that wait for a change. */
void upcr_event_set(struct upcr_event *event, uint32_t value);

/* Wakes all threads that wait for a change of the word, which the caller has changed itself, atomically and
   sequentially consistently. */
void upcr_event_wake(struct upcr_event *event);

/* Mutual exclusion between threads of the job, for short critical sections inside the runtime. It is not fair. */
struct upcr_mutex {
    struct upcr_event held;
};

void upcr_mutex_lock(struct upcr_mutex *mutex);
void upcr_mutex_unlock(struct upcr_mutex *mutex);

#endif
