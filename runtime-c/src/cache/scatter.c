/* Scatters (upcr_scatter_place): writes of a loop in an order that only its data knows. Programs that sort elements into parts write each part from its
   beginning to its end, all parts in turn. So the writes to each thread are collected as long as each continues the one before it. */
#include <stdlib.h>

#include "clock.h"
#include "remote/remote.h"
#include "runtime.h"

enum {
    SCATTER_BYTES = 1 << 16, /* collected at once */
    SHORT_PUT = 2048,        /* the transport joins shorter puts with others */
    LONG_PUT = 8192,         /* from here on one long transfer takes less time than short puts */
    ALIGNED = 64,            /* collected bytes have the alignment of their place, up to this */
    LEAST_RUN = 16,
    FIRST_RUN = 1024,
    LONG_RUN = 1 << 18,
    RUN_NS = 800000, /* of a run without its puts, because its first write waits for its end: as long as the sender waits (remote/collect.h) */
    SITES = 64,
    JOINED = 4,          /* writes that are collected for each that continues no other, where that pays */
    MOST_SKIPPED = 1024, /* runs of a loop in which it did not pay before the next try */
};

_Thread_local struct upcr_scatter upcr_scatter_slots[UPCR_SCATTER_SLOTS];

/* What a slot has collected. A long put reads one buffer while the other is filled. */
static _Thread_local struct collected {
    char *buffers[2]; /* from malloc; NULL: never used */
    unsigned filling;
    struct upcr_batch put; /* the last long put */
    upcr_pts_t first;
    char *begin; /* the value of the first write, here or in its place; NULL: none */
    bool mapped;
} collected[UPCR_SCATTER_SLOTS];

/* A loop, known by the address from which it calls. */
static _Thread_local struct site {
    uint32_t turns;         /* iterations of its next run */
    uint16_t skip, skipped; /* runs that are left out from now on, and that were the last time */
} sites[SITES];

/* The run that collects; NULL: none does. */
static _Thread_local struct site *scattering;
static _Thread_local uint64_t put_ns, run_began, run_turns, bytes_written, bytes_begun; /* bytes_begun: of writes that continued no other */

long upcr_scatter_begin(long n)
{
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    struct site *site = &sites[caller * UINT64_C(0x9e3779b97f4a7c15) >> 58];
    /* A signal handler may have interrupted a run. */
    if (n < LEAST_RUN || scattering != NULL)
        return 0;
    if (site->skip != 0) {
        site->skip--;
        return 0;
    }
    if (site->turns == 0)
        site->turns = FIRST_RUN;
    scattering = site;
    run_began = upcr_clock_system_ns();
    run_turns = n < (long)site->turns ? (uint64_t)n : site->turns;
    put_ns = bytes_written = bytes_begun = 0;
    return (long)run_turns;
}

/* Puts to one place keep their order: a slot starts none before its last long one is complete. */
static void put_collected(struct collected *of, size_t n)
{
    upcr_pts_t to = of->first;
    const char *from = of->begin;
    upcr_remote_wait(&of->put);
    if (n >= LONG_PUT) {
        upcr_remote_start_put(to, from, n, &of->put);
        of->filling ^= 1;
        return;
    }
    for (size_t done = 0; done < n;) {
        size_t bytes = n - done < SHORT_PUT ? n - done : SHORT_PUT;
        upcr_remote_put(upcr_field(to, done), from + done, bytes);
        done += bytes;
    }
}

/* The same. Where puts have to wait for their target or for the network, they do so as well if runs are shorter. */
static void put_in_time(struct collected *of, size_t n)
{
    if (n <= SHORT_PUT) {
        put_collected(of, n);
        return;
    }
    uint64_t begin = upcr_clock_system_ns();
    put_collected(of, n);
    put_ns += upcr_clock_system_ns() - begin;
}

/* Makes the writes that a slot has collected. */
static void empty_slot(size_t number)
{
    struct collected *of = &collected[number];
    struct upcr_scatter *slot = &upcr_scatter_slots[number];
    if (of->begin != NULL) {
        size_t n = (size_t)(slot->next + slot->shift - (uintptr_t)of->begin);
        bytes_written += n;
        if (!of->mapped)
            put_in_time(of, n);
    }
    of->begin = NULL;
    *slot = (struct upcr_scatter){0};
}

static char *start_of_bytes(struct collected *of, upcr_pts_t dst)
{
    char **bytes = &of->buffers[of->filling];
    if (*bytes == NULL && (*bytes = aligned_alloc(ALIGNED, SCATTER_BYTES + ALIGNED)) == NULL)
        upcr_die("out of private memory for the writes of a loop");
    return *bytes + upcr_addrfield(dst) % ALIGNED;
}

void *upcr_scatter_other(upcr_pts_t dst, upcr_size n)
{
    size_t number = upcr_threadof(dst) % UPCR_SCATTER_SLOTS;
    struct collected *of = &collected[number];
    empty_slot(number);
    bytes_begun += n;
    of->mapped = upcr_mapped(upcr_threadof(dst));
    of->first = dst;
    of->begin = of->mapped ? upcr_addr(dst) : start_of_bytes(of, dst);
    uintptr_t at = (uintptr_t)upcr_addr(dst);
    upcr_scatter_slots[number] = (struct upcr_scatter){
        .next = at + n,
        .end = of->mapped ? UINT64_MAX : at + SCATTER_BYTES,
        .shift = (uintptr_t)of->begin - at,
    };
    return of->begin;
}

static uint64_t between_turns(uint64_t least, uint64_t turns, uint64_t most)
{
    return turns < least ? least : turns > most ? most : turns;
}

/* Makes the next run of a loop as long as RUN_NS allows: at the end of each, the thread waits for what it has put. */
static void fit_to_time(struct site *site, uint64_t took)
{
    uint64_t turns = run_turns * RUN_NS / (took + 1);
    if (took <= RUN_NS && run_turns < site->turns)
        return;
    turns = between_turns(site->turns / 2, turns, 2 * (uint64_t)site->turns);
    site->turns = (uint32_t)between_turns(LEAST_RUN, turns, LONG_RUN);
}

/* Judges a run. */
static void learn_from_run(struct site *site)
{
    fit_to_time(site, upcr_clock_system_ns() - run_began - put_ns);
    if (bytes_written >= JOINED * bytes_begun) {
        site->skipped = 0;
        return;
    }
    site->skipped = site->skipped == 0 ? 1 : site->skipped < MOST_SKIPPED ? (uint16_t)(2 * site->skipped) : MOST_SKIPPED;
    site->skip = site->skipped;
}

void upcr_scatter_end(void)
{
    for (size_t number = 0; number < UPCR_SCATTER_SLOTS; number++)
        empty_slot(number);
    /* No write waits for the end of the puts. */
    learn_from_run(scattering);
    for (size_t number = 0; number < UPCR_SCATTER_SLOTS; number++)
        upcr_remote_wait(&collected[number].put);
    scattering = NULL;
}
