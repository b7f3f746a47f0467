/* How a thread waits for another. The only place with a policy; nothing else in the runtime spins or sleeps. */
#ifndef UPCR_WAIT_H
#define UPCR_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A word in memory shared by all processes of the job, on whose change threads wait. All zero is a valid start. */
struct upcr_event {
    _Atomic uint32_t word;
    _Atomic uint32_t sleepers;
};

/* Between two looks at a word that another processor is about to change. */
static inline void upcr_pause_processor(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

/* Chooses the policy. crowd: threads for each processor, rounded up. polite, or more than one: a waiter should give its processor away soon. */
void upcr_wait_configure(bool polite, unsigned crowd);

/* What was chosen. */
bool upcr_wait_is_crowded(void);
unsigned upcr_wait_crowd(void);

/* Returns once event->word differs from `old`; what the writer did before the change is visible then. */
void upcr_wait_while(struct upcr_event *event, uint32_t old);

/* Returns at a moment of the system's clock (clock.h), in nanoseconds, that is near. */
void upcr_wait_until(uint64_t moment);

struct timespec;

/* Sleeps without spinning until the word may differ from `old`, for so long at most; NULL: for any time. */
void upcr_event_sleep(struct upcr_event *event, uint32_t old, const struct timespec *most);

/* Stores the word, after everything done before, and wakes all who wait for a change. */
void upcr_event_set(struct upcr_event *event, uint32_t value);

/* Wakes all who wait for a change of the word, which the caller has changed itself, atomically and in sequence. */
void upcr_event_wake(struct upcr_event *event);

/* Mutual exclusion between threads of the job, for short critical sections inside the runtime. Not fair. */
struct upcr_mutex {
    struct upcr_event held;
};

void upcr_mutex_lock(struct upcr_mutex *mutex);
void upcr_mutex_unlock(struct upcr_mutex *mutex);

#endif
