/* The engine: sends and receives messages, in whichever thread of this process is in it.

   Two threads of the system take turns: the main thread, which runs the user's program and serves requests whenever it waits, and the
   communication thread, which looks for requests from time to time while the main thread computes. It never spins: a processor that
   the user's program could have is worth more than a request's few microseconds. */
#include "runtime.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "transport/mpi/mpi.h"

enum {
    TAG = 1,
    RECEIVES = 16,   /* posted at a time */
    SENDS_REAPED = 32, /* sends under way before complete ones are looked for */
    ROUND = 64,      /* messages handled before others get a turn */
    /* The main thread's waits. */
    SPIN_NS = 10000, YIELD_NS = 50000, CROWDED_SPINS = 50, CROWDED_YIELDS = 70,
    FIRST_REST_NS = 20000, LAST_REST_NS = 200000, CROWDED_REST_NS = 1000000,
    /* The communication thread's, while nothing, and while much happens. */
    IDLE_REST_NS = 150000, BUSY_REST_NS = 20000, BUSY_MESSAGES = 4,
};

struct net net;
uint64_t net_sent, net_sent_bytes;

static struct upcr_mutex engine_lock;
static _Thread_local int depth; /* of net_enter */
static uint32_t main_polls;     /* looks of the main thread; the communication thread stands aside while they go on */

/* ---- Turns ---------------------------------------------------------------------------------------------------------- */

/* An access to shared data leaves errno as it is; MPI and the kernel do not. */
static _Thread_local int users_errno;

void net_enter(void)
{
    if (depth++ == 0) {
        users_errno = errno;
        upcr_mutex_lock(&engine_lock);
    }
}

void net_leave(void)
{
    if (--depth == 0) {
        upcr_mutex_unlock(&engine_lock);
        errno = users_errno;
    }
}

static bool try_enter(void)
{
    uint32_t free_word = 0;
    if (depth == 0 && !atomic_compare_exchange_strong(&engine_lock.held.word, &free_word, 1))
        return false;
    depth++;
    return true;
}

static void check(int error, const char *what)
{
    if (error != MPI_SUCCESS)
        net_fail(what, error);
}

/* ---- Sending -------------------------------------------------------------------------------------------------------- */

struct buffer {
    struct buffer *next;
    struct net_message message;
    unsigned char room[NET_DATA_MOST];
};

static struct buffer *free_buffers;

/* Sends under way: requests and buffers side by side. */
static MPI_Request *sends;
static struct buffer **sent;
static int *finished;
static int sends_count, sends_room;

static void recycle(int place)
{
    sent[place]->next = free_buffers;
    free_buffers = sent[place];
    sends_count--;
    sends[place] = sends[sends_count];
    sent[place] = sent[sends_count];
}

static void reap_sends(void)
{
    int count;
    if (sends_count == 0)
        return;
    check(MPI_Testsome(sends_count, sends, &count, finished, MPI_STATUSES_IGNORE), "MPI_Testsome");
    if (count == MPI_UNDEFINED)
        return;
    /* From the back, so that what moves into a gap has been dealt with. */
    for (int i = sends_count - 1; i >= 0; i--)
        if (sends[i] == MPI_REQUEST_NULL)
            recycle(i);
}

static void *more(void *old, size_t bytes)
{
    void *room = realloc(old, bytes);
    if (room == NULL)
        upcr_die("out of private memory for messages");
    return room;
}

struct net_message *net_begin(enum net_kind kind)
{
    struct buffer *buffer = free_buffers;
    if (buffer != NULL)
        free_buffers = buffer->next;
    else
        buffer = more(NULL, sizeof *buffer);
    buffer->message = (struct net_message){.kind = (uint16_t)kind};
    return &buffer->message;
}

void net_send(struct net_message *message, int to, size_t data)
{
    struct buffer *buffer = (struct buffer *)(void *)((char *)message - offsetof(struct buffer, message));
    if (sends_count == sends_room) {
        sends_room = sends_room == 0 ? 64 : 2 * sends_room;
        sends = more(sends, (size_t)sends_room * sizeof *sends);
        sent = more(sent, (size_t)sends_room * sizeof *sent);
        finished = more(finished, (size_t)sends_room * sizeof *finished);
    }
    check(MPI_Isend(message, (int)(sizeof *message + data), MPI_BYTE, to, TAG, net.comm, &sends[sends_count]), "MPI_Isend");
    sent[sends_count++] = buffer;
    net_sent++;
    net_sent_bytes += sizeof *message + data;
    if (sends_count >= SENDS_REAPED)
        reap_sends();
}

/* ---- Receiving ------------------------------------------------------------------------------------------------------ */

/* Posted in a ring and handled in its order: messages from one process keep the order in which they were sent. */
static struct {
    MPI_Request request;
    struct net_message *message;
} receives[RECEIVES];
static int oldest;

static void post_receive(int place)
{
    check(MPI_Irecv(receives[place].message, NET_BYTES, MPI_BYTE, MPI_ANY_SOURCE, TAG, net.comm, &receives[place].request), "MPI_Irecv");
}

static void (*const handlers[])(struct net_message *message, int from, size_t data) = {
#define HANDLER(name, what) net_on_##name,
    NET_MESSAGES(HANDLER)
#undef HANDLER
};

/* Handles the messages that have come; how many. A handler may not come back, or a report that it makes receive in its turn: what it
   works on is out of the ring before. */
static int receive(void)
{
    static struct net_message *spare;
    int handled = 0;
    while (handled < ROUND) {
        MPI_Status status;
        int come, bytes;
        check(MPI_Test(&receives[oldest].request, &come, &status), "MPI_Test");
        if (!come)
            break;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        struct net_message *message = receives[oldest].message;
        receives[oldest].message = spare != NULL ? spare : more(NULL, NET_BYTES);
        spare = NULL;
        post_receive(oldest);
        oldest = (oldest + 1) % RECEIVES;
        handlers[message->kind](message, status.MPI_SOURCE, (size_t)bytes - sizeof *message);
        if (spare == NULL)
            spare = message;
        else
            free(message);
        handled++;
    }
    return handled;
}

/* ---- Long transfers ------------------------------------------------------------------------------------------------- */

static struct watched {
    MPI_Request request;
    void (*done)(uint64_t argument, int from);
    uint64_t argument;
    int from;
} *watched;
static int watched_count, watched_room;

void net_watch(MPI_Request request, void (*done)(uint64_t argument, int from), uint64_t argument, int from)
{
    if (watched_count == watched_room) {
        watched_room = watched_room == 0 ? 16 : 2 * watched_room;
        watched = more(watched, (size_t)watched_room * sizeof *watched);
    }
    watched[watched_count++] = (struct watched){request, done, argument, from};
}

static int finish_watched(void)
{
    int done = 0;
    for (int i = 0; i < watched_count;) {
        struct watched it = watched[i];
        int complete;
        check(MPI_Test(&watched[i].request, &complete, MPI_STATUS_IGNORE), "MPI_Test");
        if (!complete) {
            i++;
            continue;
        }
        watched[i] = watched[--watched_count];
        it.done(it.argument, it.from);
        done++;
    }
    return done;
}

/* ---- Waiting -------------------------------------------------------------------------------------------------------- */

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* One look at everything; how much has happened. */
static int progress(void)
{
    int happened = receive();
    if (watched_count != 0)
        happened += finish_watched();
    net_barrier_poll();
    return happened;
}

static void pause_processor(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

static void rest(struct net_patience *patience, struct upcr_event *event, uint32_t old)
{
    int error = errno;
    long most = upcr_wait_is_crowded() ? CROWDED_REST_NS : LAST_REST_NS;
    if (patience->rest_ns == 0)
        patience->rest_ns = FIRST_REST_NS;
    struct timespec time = {0, patience->rest_ns};
    if (event == NULL) {
        nanosleep(&time, NULL);
    } else {
        atomic_fetch_add(&event->sleepers, 1);
        syscall(SYS_futex, &event->word, FUTEX_WAIT, old, net.groups == 1 ? NULL : &time, NULL, 0);
        atomic_fetch_sub(&event->sleepers, 1);
    }
    patience->rest_ns += patience->rest_ns / 2;
    if (patience->rest_ns > most)
        patience->rest_ns = most;
    errno = error;
}

void net_pause(struct net_patience *patience, struct upcr_event *event, uint32_t old)
{
    int happened = 0;
    bool crowded = upcr_wait_is_crowded(), busy = false;
    if (net.groups > 1) {
        __atomic_store_n(&main_polls, main_polls + 1, __ATOMIC_RELAXED);
        net_enter();
        happened = progress();
        busy = watched_count != 0;
        if (sends_count != 0 && patience->step % 16 == 15)
            reap_sends();
        net_leave();
    }
    if (happened != 0) {
        *patience = (struct net_patience){0};
        return;
    }
    patience->step++;
    if (crowded) {
        if (patience->step < CROWDED_SPINS)
            pause_processor();
        else if (patience->step < CROWDED_YIELDS || busy)
            sched_yield();
        else
            rest(patience, event, old);
        return;
    }
    int64_t now = now_ns();
    if (patience->start == 0)
        patience->start = now;
    if (now - patience->start < SPIN_NS)
        pause_processor();
    else if (now - patience->start < YIELD_NS || busy)
        sched_yield();
    else
        rest(patience, event, old);
}

void net_await(_Atomic int *left)
{
    struct net_patience patience = {0};
    while (atomic_load_explicit(left, memory_order_acquire) != 0)
        net_pause(&patience, NULL, 0);
}

void net_wait_while(struct upcr_event *event, uint32_t old)
{
    struct net_patience patience = {0};
    while (atomic_load_explicit(&event->word, memory_order_acquire) == old)
        net_pause(&patience, event, old);
}

/* ---- The communication thread --------------------------------------------------------------------------------------- */

static pthread_t communication;
static _Atomic bool stopping;

static void *communicate(void *unused)
{
    long rest_ns = IDLE_REST_NS;
    uint32_t polls = 0;
    (void)unused;
    while (!atomic_load(&stopping)) {
        struct timespec time = {0, rest_ns};
        uint32_t now = __atomic_load_n(&main_polls, __ATOMIC_RELAXED);
        if (rest_ns != 0)
            nanosleep(&time, NULL);
        else
            sched_yield();
        /* The main thread looks itself. */
        if (now != polls || !try_enter()) {
            polls = now;
            rest_ns = upcr_wait_is_crowded() ? CROWDED_REST_NS : IDLE_REST_NS;
            continue;
        }
        int happened = progress();
        bool busy = watched_count != 0;
        if (sends_count != 0)
            reap_sends();
        net_leave();
        rest_ns = busy ? 0 : happened >= BUSY_MESSAGES ? BUSY_REST_NS : IDLE_REST_NS;
    }
    return NULL;
}

void net_engine_start(void)
{
    sigset_t all, old;
    if (net.groups == 1)
        return;
    for (int i = 0; i < RECEIVES; i++) {
        receives[i].message = more(NULL, NET_BYTES);
        post_receive(i);
    }
    check(MPI_Barrier(net.comm), "MPI_Barrier");
    /* Rests of both threads end within a microsecond of their time, not fifty: two processes that wait for each other would else take turns
       in sleeping too long. */
    prctl(PR_SET_TIMERSLACK, 1000);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int error = pthread_create(&communication, NULL, communicate, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (error != 0)
        upcr_die("cannot start the communication thread: %s", strerror(error));
}

void net_engine_stop(void)
{
    if (net.groups == 1)
        return;
    atomic_store(&stopping, true);
    pthread_join(communication, NULL);
    net_enter();
    MPI_Waitall(sends_count, sends, MPI_STATUSES_IGNORE);
    for (int i = 0; i < RECEIVES; i++) {
        MPI_Cancel(&receives[i].request);
        MPI_Request_free(&receives[i].request);
    }
    net_leave();
}
