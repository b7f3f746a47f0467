/* Each thread has a ring of places for its posts. A post's number, in the place's event, tells readers that it is there. A place is
   written again when all threads have completed the call of the post before, which each thread announces now and then. */
#include "collective/posts.h"

#include <stdalign.h>
#include <stdlib.h>
#include <time.h>

#include "transport/transport.h"
#include "wait.h"

enum {
    PLACES = 16,
    /* Calls after which a thread announces how many it has completed. A writer that finds its ring full needs the calls up to the one
       PLACES ago, and every thread gets further than that without the writer. */
    CALLS_PER_ANNOUNCEMENT = PLACES / 2,
};

/* How long a thread sleeps before it looks whether the one that it waits for has left the program. */
static const struct timespec NAP = {.tv_nsec = 20 * 1000 * 1000};

struct place {
    alignas(UPCR_CACHE_LINE) struct upcr_event number; /* of the writer's last post here, beginning with 1; 0: none */
    unsigned char bytes[UPCR_POST_BYTES];
};

/* What a thread shows to the others. All zero at the start. */
struct board {
    alignas(UPCR_CACHE_LINE) struct upcr_event completed; /* calls, as announced */
    struct place place[PLACES];
};

UPCR_SHARED_DEFINE_LOCAL(upcr_collective_posts, 4160, 64);
UPCR_SHARED_EXTERN(upcr_collective_posts);
_Static_assert(sizeof(struct board) == 4160, "the size of upcr_collective_posts");

/* In memory, because the code of this library does not reach an object behind 2 GB of the program's (-mcmodel=medium). */
static const char *const volatile boards = (const char *)&UPCR_SYMBOL(upcr_collective_posts);

/* The calls that this thread has completed. */
static uint64_t calls;
/* The posts that each thread has made, in the calls so far. */
static uint32_t *posts;
/* For each place of this thread, how many calls each thread must have completed before it may be written again. */
static uint64_t free_after[PLACES];

static struct board *board_of(int thread)
{
    return upcr_addr(upcr_make((size_t)thread, 0, upcr_addrfield(upcr_static_place(boards))));
}

bool upcr_posts_serve(const struct upcr_call *call, size_t bytes)
{
    /* Without any synchronization one thread does the work of all for less. */
    bool waits_for_some = call->in != UPCR_ALLSYNC && call->out != UPCR_ALLSYNC && (call->in == UPCR_MYSYNC || call->out == UPCR_MYSYNC);
    return waits_for_some && bytes <= UPCR_POST_BYTES && upcr_threads > 1 && upcr_all_mapped() && !upcr_is_checked() && !upcr_is_racing();
}

/* Waits until the event, which a thread sets, differs from `old`. */
static void await(struct upcr_event *event, uint32_t old, int thread)
{
    while (!upcr_wait_nap(event, old, &NAP)) {
        uint32_t left = upcr_tp_has_left(thread);
        if (left != 0 && atomic_load_explicit(&event->word, memory_order_relaxed) == old)
            upcr_partner_left(thread, left);
    }
}

/* Returns the announced number of calls, of which the word has the lower half. No thread is so many calls ahead of another that the
   upper half could be in doubt: each call has a writer, which is at most PLACES of its own posts ahead of any thread. */
static uint64_t whole(uint32_t word)
{
    return calls + (uint64_t)(int64_t)(int32_t)(word - (uint32_t)calls);
}

/* Returns once all threads have completed so many calls. */
static void await_completion(uint64_t needed)
{
    static uint64_t all_completed; /* so many, by all threads, for certain */
    if (needed <= all_completed)
        return;
    uint64_t least = calls;
    for (int t = 0; t < upcr_threads; t++) {
        struct upcr_event *completed = &board_of(t)->completed;
        uint32_t word;
        if (t == upcr_mythread)
            continue;
        /* Acquires from upcr_posts_end that the thread has read the posts of these calls. */
        while (whole(word = atomic_load_explicit(&completed->word, memory_order_acquire)) < needed)
            await(completed, word, t);
        if (whole(word) < least)
            least = whole(word);
    }
    all_completed = least;
}

static uint32_t *all_posts(void)
{
    if (posts == NULL && (posts = calloc((size_t)upcr_threads, sizeof *posts)) == NULL)
        upcr_die("out of private memory: collective functions need %zu bytes", (size_t)upcr_threads * sizeof *posts);
    return posts;
}

void *upcr_post_begin(void)
{
    uint32_t index = all_posts()[upcr_mythread] % PLACES;
    await_completion(free_after[index]);
    free_after[index] = calls + 1;
    return board_of(upcr_mythread)->place[index].bytes;
}

void upcr_post_end(void)
{
    uint32_t number = posts[upcr_mythread]++;
    /* Publishes the bytes to upcr_post_of. */
    upcr_event_set(&board_of(upcr_mythread)->place[number % PLACES].number, number + 1);
}

const void *upcr_post_of(int thread)
{
    uint32_t number = all_posts()[thread]++;
    struct place *place = &board_of(thread)->place[number % PLACES];
    /* Acquires the bytes from upcr_post_end. Another number is that of the post before in this place. */
    uint32_t seen = atomic_load_explicit(&place->number.word, memory_order_acquire);
    if (seen != number + 1)
        await(&place->number, seen, thread);
    return place->bytes;
}

void upcr_post_skip(int thread)
{
    all_posts()[thread]++;
}

void upcr_posts_end(void)
{
    calls++;
    /* Allows to await_completion that what this thread has read is written again. */
    if (calls % CALLS_PER_ANNOUNCEMENT == 0)
        upcr_event_set(&board_of(upcr_mythread)->completed, (uint32_t)calls);
}
