/* The sender: see collect.h. It begins when something is collected for the first time. */
#include "collect.h"

#ifdef UPCR_REMOTE

#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cache/cache.h"
#include "options.h"
#include "transport/transport.h"

enum {
    SEND_AFTER_US = 50,
    IDLE_LOOKS = 4,  /* in which nothing was there: then the sender sleeps until something is */
    LONGEST = 16,    /* times the shortest rest, */
    BUSY = 8,        /* while the main thread writes at least so often in each of the shortest ones */
    SPINS = 200,     /* while the main thread is inside */
    STACK = 1 << 18, /* bytes: MPI's functions run on it */
};

struct upcr_collection upcr_collection = {.doze.word = 1};

static pthread_t sender;
static bool exists;
static struct upcr_event stopping;

/* ---- Turns ---------------------------------------------------------------------------------------------------------- */

/* The main thread's half of a fence that the sender's membarrier makes otherwise. */
static void fence_if_needed(void)
{
    if ((atomic_load_explicit(&upcr_collection.turn.word, memory_order_relaxed) & UPCR_TURN_FENCED) != 0)
        atomic_thread_fence(memory_order_seq_cst);
}

/* Either the main thread sees what the sender has stored before, or the sender sees what the main thread has. */
static void fence_both(void)
{
    atomic_thread_fence(memory_order_seq_cst);
    if ((atomic_load_explicit(&upcr_collection.turn.word, memory_order_relaxed) & UPCR_TURN_FENCED) == 0)
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

static bool main_is_inside(void)
{
    return atomic_load_explicit(&upcr_collection.inside, memory_order_acquire) % 2 != 0;
}

/* Sends what is collected, as far as that can be done without waiting; true: there is more, and it may be tried again at once. By whoever has
   the collections. puts: those that are under way then. */
static bool send_some(struct upcr_batch *puts)
{
    bool more = upcr_cache_is_on && upcr_cache_send_some(puts);
    return upcr_tp_send_collected() && more;
}

void upcr_collect_enter_slowly(uint32_t before)
{
    struct upcr_batch puts = {0};
    fence_if_needed();
    for (;;) {
        uint32_t turn = atomic_load(&upcr_collection.turn.word);
        if ((turn & UPCR_TURN_TAKEN) != 0) {
            atomic_store(&upcr_collection.inside, before);
            upcr_wait_while(&upcr_collection.turn, turn);
            atomic_store(&upcr_collection.inside, before | 1);
        } else if ((turn & UPCR_TURN_ASKED) == 0) {
            return;
        } else if (atomic_compare_exchange_strong(&upcr_collection.turn.word, &turn, turn & ~(uint32_t)UPCR_TURN_ASKED)) {
            (void)send_some(&puts);
            upcr_tp_batch_wait(&puts);
            return;
        }
    }
}

static void change_turn(uint32_t to)
{
    uint32_t fenced = atomic_load_explicit(&upcr_collection.turn.word, memory_order_relaxed) & UPCR_TURN_FENCED;
    upcr_event_set(&upcr_collection.turn, fenced | to);
}

/* Whether the sender has the collections now. If not the main thread will send what is in them, or comes out and leaves them to the next try. */
static bool take(void)
{
    change_turn(UPCR_TURN_TAKEN);
    fence_both();
    for (int i = 0; i < SPINS && main_is_inside(); i++)
        upcr_pause_processor();
    if (!main_is_inside())
        return true;
    change_turn(UPCR_TURN_ASKED);
    return false;
}

/* ---- The sender ----------------------------------------------------------------------------------------------------- */

static bool is_empty(void)
{
    for (int i = 0; i < UPCR_COLLECTORS; i++)
        if (atomic_load_explicit(&upcr_collection.count[i], memory_order_relaxed) != 0)
            return false;
    return true;
}

static bool is_stopping(void)
{
    return atomic_load(&stopping.word) != 0;
}

/* One part, so that the main thread never waits for long; true: there is more. */
static bool send_part(void)
{
    struct upcr_batch puts = {0};
    if (is_empty() || !take())
        return false;
    bool more = send_some(&puts);
    change_turn(0);
    upcr_tp_batch_wait(&puts);
    return more;
}

/* Sleeps until something is collected. */
static void doze(void)
{
    atomic_store(&upcr_collection.doze.word, 1);
    fence_both();
    if (is_empty() && !is_stopping())
        upcr_event_sleep(&upcr_collection.doze, 1, NULL);
    atomic_store(&upcr_collection.doze.word, 0);
}

static void wait_for_ms(uint64_t us)
{
    const struct timespec time = {(time_t)(us / 1000000), (long)(us % 1000000 * 1000)};
    upcr_event_sleep(&stopping, 0, &time);
}

/* How often the main thread has been inside. */
static uint32_t visits(void)
{
    return atomic_load_explicit(&upcr_collection.inside, memory_order_relaxed) / 2;
}

/* To look costs the main thread a little of its processor, and what is sent too early is not joined to what follows. So while the main thread is busy
   writing, and mostly sends itself, each rest is twice the one before, and one part is sent behind each. */
static void *send_in_time(void *unused)
{
    uint64_t shortest = (upcr_options.send_after != 0 ? upcr_options.send_after : SEND_AFTER_US) * upcr_wait_crowd();
    uint32_t rests = 1, before = visits(); /* the next rest, in shortest ones; visits up to its beginning */
    int idle = 0;
    (void)unused;
    /* Rests end within a microsecond of their time. */
    prctl(PR_SET_TIMERSLACK, 1000);
    upcr_tp_helper_begins();
    while (!is_stopping()) {
        wait_for_ms(shortest * rests);
        bool is_busy = visits() - before >= BUSY * rests;
        idle = is_busy || !is_empty() ? 0 : idle + 1;
        while (send_part() && !is_busy && !is_stopping())
            continue;
        if (idle == IDLE_LOOKS) {
            idle = 0;
            doze();
        }
        rests = !is_busy ? 1 : rests < LONGEST ? 2 * rests : rests;
        before = visits();
    }
    return NULL;
}

static void begin(void)
{
    pthread_attr_t attributes;
    sigset_t all, old;
    exists = true;
    atomic_store(&upcr_collection.doze.word, 0);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    int error = pthread_create(&sender, &attributes, send_in_time, NULL);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (error != 0)
        upcr_die("cannot start the thread that sends collected writes: %s", strerror(error));
}

void upcr_collect_wake(void)
{
    int error = errno;
    if (!exists)
        begin();
    else
        upcr_event_set(&upcr_collection.doze, 0);
    errno = error;
}

/* A process that the user forks from a thread has no sender, and may have come into being while that one had its turn. */
static void forget_in_child(void)
{
    exists = true;
    atomic_store(&upcr_collection.turn.word, 0);
    atomic_store(&upcr_collection.doze.word, 0);
}

void upcr_collect_start(void)
{
    if (upcr_all_mapped())
        return;
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0)
        atomic_store(&upcr_collection.turn.word, UPCR_TURN_FENCED);
    if (pthread_atfork(NULL, NULL, forget_in_child) != 0)
        upcr_die("out of memory");
}

void upcr_collect_stop(void)
{
    if (!exists)
        return;
    upcr_event_set(&stopping, 1);
    upcr_event_set(&upcr_collection.doze, 0);
    pthread_join(sender, NULL);
    exists = false;
}

#endif
