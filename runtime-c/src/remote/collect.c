/* The sender (see collect.h). It is started when something is collected for the first time. */
#include "remote/collect.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cache/cache.h"
#include "kernel.h"
#include "options.h"
#include "transport/transport.h"

enum {
    SEND_AFTER_US = 50,
    IDLE_LOOKS = 4,  /* after this many checks that found nothing the sender sleeps until something is collected */
    LONGEST = 16,    /* longest backoff, as a multiple of the shortest, */
    BUSY = 8,        /* while the main thread enters at least this often in each shortest backoff */
    SPINS = 200,     /* while the main thread is inside */
    STACK = 1 << 18, /* bytes; MPI's functions run on this stack */
};

struct upcr_collection upcr_collection = {.doze.word = 1};

static pthread_t sender;
static bool exists;
static struct upcr_event stopping;

/* ---- Turns ---------------------------------------------------------------------------------------------------------- */

/* The main thread's half of a fence whose other half is normally the sender's membarrier. */
static void fence_if_needed(void)
{
    if ((atomic_load_explicit(&upcr_collection.turn.word, memory_order_relaxed) & UPCR_TURN_FENCED) != 0)
        atomic_thread_fence(memory_order_seq_cst);
}

/* Ensures that either the main thread sees what the sender stored before, or the sender sees what the main thread
   stored. */
static void fence_both(void)
{
    atomic_thread_fence(memory_order_seq_cst);
    if ((atomic_load_explicit(&upcr_collection.turn.word, memory_order_relaxed) & UPCR_TURN_FENCED) == 0)
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

static bool main_is_inside(void)
{
    /* Acquires the collections from upcr_collect_leave. */
    return atomic_load_explicit(&upcr_collection.inside, memory_order_acquire) % 2 != 0;
}

/* Sends what is collected, as far as that is possible without waiting. True: there is more, and it may be tried
   again at once. Called by whichever thread owns the collections. puts: receives those that are then under way. */
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
        uint32_t turn = atomic_load_explicit(&upcr_collection.turn.word, memory_order_seq_cst);
        if ((turn & UPCR_TURN_TAKEN) != 0) {
            atomic_store_explicit(&upcr_collection.inside, before, memory_order_release);
            upcr_wait_while(&upcr_collection.turn, turn);
            /* This store comes before the load of `turn`, as the sender's change of `turn` before its load of `inside`
               (take). */
            atomic_store_explicit(&upcr_collection.inside, before | 1, memory_order_seq_cst);
        } else if ((turn & UPCR_TURN_ASKED) == 0) {
            return;
        } else if (atomic_compare_exchange_strong_explicit(&upcr_collection.turn.word, &turn, turn & ~(uint32_t)UPCR_TURN_ASKED, memory_order_seq_cst,
                                                           memory_order_relaxed)) {
            (void)send_some(&puts);
            upcr_tp_batch_wait(&puts);
            return;
        }
    }
}

static void change_turn(uint32_t to)
{
    /* upcr_event_set publishes the collections to upcr_collect_enter. */
    uint32_t fenced = atomic_load_explicit(&upcr_collection.turn.word, memory_order_relaxed) & UPCR_TURN_FENCED;
    upcr_event_set(&upcr_collection.turn, fenced | to);
}

/* Tries to take the collections for the sender. If it fails, the main thread will send what is in them, or leaves
   them free for the next attempt. */
static bool take(void)
{
    atomic_fetch_add_explicit(&upcr_collection.taken, 1, memory_order_relaxed);
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
    return atomic_load_explicit(&stopping.word, memory_order_relaxed) != 0;
}

/* Sends one part, so that the main thread never waits for long. True: there is more. */
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
    /* This store comes before the loads of the counts, as upcr_collect_note's store of a count before its load of
       `doze`; and upcr_collect_stop sets `stopping` before it resets `doze`. */
    atomic_store_explicit(&upcr_collection.doze.word, 1, memory_order_seq_cst);
    fence_both();
    if (is_empty() && !is_stopping())
        upcr_event_sleep(&upcr_collection.doze, 1, NULL);
    atomic_store_explicit(&upcr_collection.doze.word, 0, memory_order_relaxed);
}

static void wait_for_us(uint64_t us)
{
    const struct timespec time = {(time_t)(us / 1000000), (long)(us % 1000000 * 1000)};
    upcr_event_sleep(&stopping, 0, &time);
}

/* Returns how often the main thread has been inside. */
static uint32_t visits(void)
{
    return atomic_load_explicit(&upcr_collection.inside, memory_order_relaxed) / 2;
}

/* Returns whether the main thread writes so much, or sends so soon what it has written, that it mostly sends by itself. */
static bool main_sends(uint32_t visits_since, uint32_t factor)
{
    return visits_since >= BUSY * factor || (visits_since != 0 && is_empty());
}

/* Runs the sender. Each check costs the main thread a little processor time, and what is sent too early is not
   combined with what follows. So while the main thread mostly sends by itself, each backoff is twice the previous one,
   and one part is sent after each. */
static void *send_in_time(void *unused)
{
    uint64_t shortest = (upcr_options.send_after != 0 ? upcr_options.send_after : SEND_AFTER_US) * upcr_wait_crowd();
    uint32_t factor = 1, before = visits(); /* the next backoff as a multiple of the shortest; visits before it began */
    int idle = 0;
    (void)unused;
    /* Backoffs end within a microsecond of their time. */
    prctl(PR_SET_TIMERSLACK, 1000);
    upcr_tp_helper_begins();
    while (!is_stopping()) {
        wait_for_us(shortest * factor);
        bool is_busy = main_sends(visits() - before, factor);
        idle = is_busy || !is_empty() ? 0 : idle + 1;
        while (send_part() && !is_busy && !is_stopping())
            continue;
        if (idle == IDLE_LOOKS) {
            idle = 0;
            doze();
        }
        factor = !is_busy ? 1 : factor < LONGEST ? 2 * factor : factor;
        before = visits();
    }
    return NULL;
}

static void begin(void)
{
    pthread_attr_t attributes;
    sigset_t all, old;
    exists = true;
    atomic_store_explicit(&upcr_collection.doze.word, 0, memory_order_relaxed);
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

/* A process that the user forks from a thread has no sender, and may have been forked while the sender owned the
   collections. */
static void forget_collected_in_child(void)
{
    exists = true;
    atomic_store_explicit(&upcr_collection.turn.word, 0, memory_order_relaxed);
    atomic_store_explicit(&upcr_collection.doze.word, 0, memory_order_relaxed);
}

void upcr_collect_start(void)
{
    if (upcr_all_mapped())
        return;
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0)
        atomic_store_explicit(&upcr_collection.turn.word, UPCR_TURN_FENCED, memory_order_relaxed);
    if (pthread_atfork(NULL, NULL, forget_collected_in_child) != 0)
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
