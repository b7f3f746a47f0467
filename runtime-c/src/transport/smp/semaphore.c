/* A counter that threads wait for. Several may wait; whichever finds enough takes it. */
#include "runtime.h"

#include "transport/smp/job.h"

struct smp_semaphore {
    struct upcr_event value;
    uint32_t most; /* what the value saturates at: 1 or UPCR_SEM_MAX */
    uint32_t mark;
};

enum { SEMAPHORE_MARK = 0x5e3af07e };

_Static_assert(sizeof(struct smp_semaphore) <= UPCR_SEM_BYTES, "a semaphore fits its place");

static struct smp_semaphore *semaphore_at(upcr_pts_t place)
{
    struct smp_semaphore *semaphore = smp_at(place);
    if (upcr_is_null(place))
        upcr_die("the semaphore is a null pointer");
    if (semaphore->mark != SEMAPHORE_MARK)
        upcr_die("not a semaphore, or one that was freed (thread %zu, address 0x%zx)", upcr_threadof(place), upcr_addrfield(place));
    return semaphore;
}

void upcr_tp_sem_init(upcr_pts_t place, bool boolean)
{
    struct smp_semaphore *semaphore = smp_at(place);
    /* No other thread has the semaphore's address yet. */
    atomic_store_explicit(&semaphore->value.word, 0, memory_order_relaxed);
    atomic_store_explicit(&semaphore->value.sleepers, 0, memory_order_relaxed);
    semaphore->most = boolean ? 1 : UPCR_SEM_MAX;
    semaphore->mark = SEMAPHORE_MARK;
}

void upcr_tp_sem_destroy(upcr_pts_t place)
{
    semaphore_at(place)->mark = 0;
}

void upcr_tp_sem_post(upcr_pts_t place, uint32_t n)
{
    struct smp_semaphore *semaphore = semaphore_at(place);
    uint32_t value = atomic_load_explicit(&semaphore->value.word, memory_order_relaxed), sum;
    /* Publishes what this thread did before to the thread that takes. Stronger than release because of
       upcr_event_wake. */
    do {
        sum = value + n;
        if (sum > semaphore->most && semaphore->most > 1)
            upcr_die("a semaphore would count to %u, but its maximum is %d", sum, UPCR_SEM_MAX);
        sum = sum > semaphore->most ? semaphore->most : sum;
    } while (!atomic_compare_exchange_weak_explicit(&semaphore->value.word, &value, sum, memory_order_seq_cst, memory_order_relaxed));
    upcr_event_wake(&semaphore->value);
}

/* Takes n if the value is large enough. *seen: the value otherwise. */
static bool take_units(struct smp_semaphore *semaphore, uint32_t n, uint32_t *seen)
{
    *seen = atomic_load_explicit(&semaphore->value.word, memory_order_relaxed);
    /* Acquires what the threads that have posted did before. */
    while (*seen >= n)
        if (atomic_compare_exchange_weak_explicit(&semaphore->value.word, seen, *seen - n, memory_order_acquire, memory_order_relaxed))
            return true;
    return false;
}

void upcr_tp_sem_wait(upcr_pts_t place, uint32_t n)
{
    struct smp_semaphore *semaphore = semaphore_at(place);
    uint32_t seen;
    while (!take_units(semaphore, n, &seen)) {
        host_wait_begins(HOST_FOR_OTHER, NULL);
        upcr_wait_while(&semaphore->value, seen);
        host_wait_ends();
    }
}

bool upcr_tp_sem_try(upcr_pts_t place, uint32_t n)
{
    uint32_t seen;
    return take_units(semaphore_at(place), n, &seen);
}
