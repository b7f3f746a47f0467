/* The data that collective functions send from group to group, where groups are simulated: it passes through a
   parcel of the sender, which the receiver empties. */
#include "runtime.h"

#include <sched.h>
#include <string.h>
#include <time.h>

#include "transport/smp/job.h"

/* How long a thread sleeps before it looks whether the one that it waits for has left the program. */
static const struct timespec NAP = {.tv_nsec = 20 * 1000 * 1000};

/* Offers the next bytes if the previous ones have been taken; returns how many. */
static size_t offer(int to, const char *src, size_t n)
{
    struct smp_parcel *parcel = &smp_job->thread[upcr_mythread].parcel;
    /* Acquires from take_bytes() that the receiver has read the bytes. */
    if (atomic_load_explicit(&parcel->to.word, memory_order_acquire) != 0)
        return 0;
    parcel->n = (uint32_t)(n < SMP_PARCEL_BYTES ? n : SMP_PARCEL_BYTES);
    memcpy(parcel->bytes, src, parcel->n);
    n = parcel->n;
    upcr_event_set(&parcel->to, (uint32_t)to + 1);
    return n;
}

/* Takes what a thread has offered to this one; returns the number of bytes. */
static size_t take_bytes(int from, char *dst)
{
    struct smp_parcel *parcel = &smp_job->thread[from].parcel;
    /* Acquires n and the bytes from offer(). */
    if (atomic_load_explicit(&parcel->to.word, memory_order_acquire) != (uint32_t)upcr_mythread + 1)
        return 0;
    size_t n = parcel->n;
    memcpy(dst, parcel->bytes, n);
    upcr_event_set(&parcel->to, 0);
    return n;
}

/* Waits for the only missing event; yields the processor if two are missing. */
static void wait_for_partner(bool sends, int from, bool receives)
{
    struct upcr_event *event = sends ? &smp_job->thread[upcr_mythread].parcel.to : &smp_job->thread[from].parcel.to;
    uint32_t word = atomic_load_explicit(&event->word, memory_order_relaxed);
    if (sends && receives)
        sched_yield();
    else if (sends ? word != 0 : word != (uint32_t)upcr_mythread + 1)
        (void)upcr_wait_nap(event, word, &NAP);
}

/* Returns a thread that has left, though an event is missing that only it could bring about; -1: there is none. */
static int find_leaver(bool sends, int from, bool receives)
{
    uint32_t to = sends ? atomic_load_explicit(&smp_job->thread[upcr_mythread].parcel.to.word, memory_order_relaxed) : 0;
    if (to != 0 && upcr_tp_has_left((int)to - 1) != 0)
        return (int)to - 1;
    return receives && upcr_tp_has_left(from) != 0 ? from : -1;
}

void upcr_tp_exchange(int to, const void *src, size_t n, int from, void *dst, size_t m)
{
    size_t sent = 0, received = 0;
    int leaver = -1;
    while (sent < n || received < m) {
        size_t more = sent < n ? offer(to, (const char *)src + sent, n - sent) : 0;
        size_t come = received < m ? take_bytes(from, (char *)dst + received) : 0;
        sent += more;
        received += come;
        if (more != 0 || come != 0) {
            leaver = -1;
            continue;
        }
        /* It had left before this attempt to send and to receive. */
        if (leaver >= 0)
            upcr_partner_left(leaver, upcr_tp_has_left(leaver));
        wait_for_partner(sent < n, from, received < m);
        leaver = find_leaver(sent < n, from, received < m);
    }
}

/* The exchange that has begun. */
static struct {
    int to, from;
    const void *src;
    void *dst;
    size_t n, m;
} begun;

void upcr_tp_exchange_begin(int to, const void *src, size_t n, int from, void *dst, size_t m)
{
    begun.to = to;
    begun.src = src;
    begun.n = n;
    begun.from = from;
    begun.dst = dst;
    begun.m = m;
}

void upcr_tp_exchange_end(void)
{
    upcr_tp_exchange(begun.to, begun.src, begun.n, begun.from, begun.dst, begun.m);
}
