/* The engine. It sends and receives messages, in whichever thread of this process has entered it.

   Two system threads take turns: the main thread, which runs the user's program and serves requests whenever it
   waits, and the communication thread, which polls for requests from time to time while the main thread computes.
   The communication thread never spins: a processor that the user's program could have is worth more than a
   request's few microseconds. */
#include "runtime.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "kernel.h"
#include "seat.h"
#include "transport/messages/net.h"

enum {
    BUFFERS_KEPT = 64, /* free buffers of messages; others go back */
    SENDS_REAPED = 32, /* sends under way before completed ones are collected */
    ROUND = 64,        /* messages handled before the other thread gets a turn */
    /* The main thread's waits. */
    LOOKS = 16, /* polls between two readings of the clock */
    /* A yield may give the processor to another program for its slice of some milliseconds. */
    SPIN_NS = 1000000,
    YIELD_NS = 2000000,
    CALL_NS = 20000, /* without an answer: the thread that has to give it does not poll; each further call waits twice as long */
    CALLS_MOST = 16,
    EVENT_CALLS = 4, /* calls left out by a wait for an event, which mostly is a thread that has to arrive */
    CROWDED_SPINS = 50,
    CROWDED_YIELDS = 20,
    FIRST_BACKOFF_NS = 20000,
    LAST_BACKOFF_NS = 200000,
    CROWDED_BACKOFF_NS = 1000000,
    WAKEUP_SPINS = 4,
    WAKEUP_YIELDS = 8,
    WAKEUP_BACKOFF_NS = 10000000, /* crowded; messages wake receivers */
    /* The communication thread's, while nothing happens, and while much does. While the main thread polls, each
       backoff is twice the previous one, from ASIDE_BACKOFF_NS on as while nothing happens. All are multiplied by the
       number of threads that share a processor. */
    IDLE_BACKOFF_NS = 150000,
    BUSY_BACKOFF_NS = 20000,
    BUSY_MESSAGES = 4,
    ASIDE_BACKOFF_NS = 600000,
    ALARM_BACKOFF_NS = 10000000, /* the wire wakes it */
    /* While nothing happens, each backoff is longer than the previous one by this part, because a poll takes 20
       microseconds from the user's program. A request so waits no longer than a share of the time that was silent. */
    SILENCE_PART = 8,
    SILENCE_BACKOFF_NS = 10000000,
    /* The same where those who wait for an answer call. */
    CALLED_IDLE_BACKOFF_NS = 400000,
    CALLED_SILENCE_PART = 2,
};

struct net net;
uint64_t net_sent, net_sent_bytes, net_sent_to_exchanges, net_handled, net_woken;

static struct upcr_mutex engine_lock;
static _Thread_local int depth; /* nesting depth of net_enter */
static uint32_t main_polls;     /* polls of the main thread; the communication thread waits while they go on */
static uint32_t changes;        /* polls of either thread that have found something */

static struct net_asked asked; /* since the last wait that called threads */
static bool answering;         /* a handler runs */

/* The communication thread sleeps for longer than ASIDE_BACKOFF_NS, because the main thread polls. */
static _Atomic bool sleeps_long;
static struct upcr_event called_back; /* ends such a sleep */

/* ---- Turns ---------------------------------------------------------------------------------------------------------- */

/* An access to shared data preserves errno; the wire and the kernel do not. */
static _Thread_local int users_errno;

void net_enter(void)
{
    if (depth++ == 0) {
        upcr_thread_only("an access to memory of another thread");
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
    /* Acquires what the previous owner of the engine did before upcr_mutex_unlock. */
    if (depth == 0 && !atomic_compare_exchange_strong_explicit(&engine_lock.held.word, &free_word, 1, memory_order_acquire, memory_order_relaxed))
        return false;
    depth++;
    return true;
}

void *net_more(void *old, size_t bytes)
{
    void *capacity = realloc(old, bytes);
    if (capacity == NULL)
        upcr_die("out of private memory for messages");
    return capacity;
}

void *net_memory(size_t bytes)
{
    return net_more(NULL, bytes);
}

/* ---- Sending -------------------------------------------------------------------------------------------------------- */

struct buffer {
    union {
        struct buffer *next;              /* if it is free */
        unsigned char of_wire[WIRE_HEAD]; /* if it is sent */
    };
    struct net_message message; /* followed by NET_DATA_MOST bytes of data */
};

static struct buffer *free_buffers;
static int free_count;

static void recycle(struct buffer *buffer)
{
    if (free_count == BUFFERS_KEPT) {
        free(buffer);
        return;
    }
    free_count++;
    buffer->next = free_buffers;
    free_buffers = buffer;
}

static void sent(uint64_t buffer, int to)
{
    (void)to;
    recycle((struct buffer *)(uintptr_t)buffer);
}

static struct buffer *new_buffer(void)
{
    struct buffer *buffer = free_buffers;
    if (buffer == NULL)
        return net_memory(sizeof *buffer + NET_DATA_MOST);
    free_buffers = buffer->next;
    free_count--;
    return buffer;
}

struct net_message *net_begin(enum net_kind kind)
{
    struct buffer *buffer = new_buffer();
    buffer->message = (struct net_message){.kind = (uint16_t)kind};
    return &buffer->message;
}

static void record_asked(int thread)
{
    if (!answering && (asked.count == 0 || asked.threads[(asked.count - 1) % NET_ASKED_MOST] != thread))
        asked.threads[asked.count++ % NET_ASKED_MOST] = thread;
}

static inline void record_sent(int to, size_t bytes)
{
    net_sent++;
    net_sent_bytes += bytes;
    net_ring(to);
    record_asked(to);
}

/* What to do when the wire has been called. is_sent: it has returned that the buffer is free. */
static void after_send(struct buffer *buffer, bool is_sent, int to, size_t bytes)
{
    record_sent(to, bytes);
    /* A buffer that was used last is still in the processor's cache. */
    if (is_sent)
        recycle(buffer);
    else if (wire_sends() >= SENDS_REAPED)
        wire_reap_sends();
}

static void send_bytes(struct net_message *message, int to, size_t bytes)
{
    struct buffer *buffer = (struct buffer *)(void *)((char *)message - offsetof(struct buffer, message));
    after_send(buffer, wire_send(message, bytes, to, sent, (uint64_t)(uintptr_t)buffer), to, bytes);
}

void net_send(struct net_message *message, int to, size_t data)
{
    message->bytes = (uint16_t)data;
    send_bytes(message, to, sizeof *message + data);
}

void net_send_short(struct net_message *message, int to, size_t data)
{
    message->bytes = (uint16_t)data;
    send_bytes(message, to, offsetof(struct net_message, a) + data);
}

void net_send_head(struct net_message *message, int to)
{
    send_bytes(message, to, offsetof(struct net_message, a));
}

void net_send_parcel(int to, const void *src, size_t n)
{
    net_sent_to_exchanges++;
    if (wire_send_parcel_at_once(src, n, to)) {
        record_sent(to, n);
        return;
    }
    struct buffer *buffer = new_buffer();
    memcpy(&buffer->message, src, n);
    after_send(buffer, wire_send_parcel(&buffer->message, n, to, sent, (uint64_t)(uintptr_t)buffer), to, n);
}

/* ---- Receiving ------------------------------------------------------------------------------------------------------ */

static void (*const handlers[])(struct net_message *message, int from, size_t data) = {
#define HANDLER(name, what) net_on_##name,
    NET_MESSAGES(HANDLER)
#undef HANDLER
};

/* Handles the messages that have come, at most `most`; returns their number. */
static int receive(int most)
{
    struct wire_arrival arrival;
    int count = 0;
    while (count < most && wire_take(&arrival)) {
        bool before = answering;
        answering = true;
        handlers[arrival.message->kind](arrival.message, arrival.from, arrival.message->bytes);
        answering = before;
        wire_handled(&arrival);
        count++;
        net_handled++;
    }
    return count;
}

/* Returns whether there is something to poll for without sleeping. Called within net_enter. */
static bool is_busy(void)
{
    return wire_longs() != 0 || net_is_moving() || net_is_discarding();
}

/* ---- Waiting -------------------------------------------------------------------------------------------------------- */

/* Polls everything once, handling at most `most` messages; returns the number of things that have happened. */
static int progress(int most)
{
    int happened = receive(most);
    happened += net_take_parcel();
    happened += wire_reap_longs();
    happened += net_discard_some();
    if (happened != 0)
        __atomic_store_n(&changes, changes + 1, __ATOMIC_RELAXED);
    /* If the group is this thread alone, only a message advances a barrier. */
    if (happened != 0 || net.count > 1)
        net_barrier_poll();
    return happened;
}

static bool has_partner; /* another thread of this machine was seen on this processor when this one last had to wait */

/* Returns how many consecutive polls a wait performs before it decides what to do next. */
static int looks(void)
{
    return upcr_wait_is_crowded() || has_partner ? 1 : LOOKS;
}

/* Polls until something has happened, at most `times` times. A thread mostly waits for the first message that comes.
   *busy: a long transfer is under way. */
static bool look(int times, const struct upcr_event *event, uint32_t old, bool *busy)
{
    bool happened = false;
    __atomic_store_n(&main_polls, main_polls + 1, __ATOMIC_RELAXED);
    net_enter();
    for (int i = 0; i < times && !happened; i++)
        happened = progress(1) != 0 || (event != NULL && atomic_load_explicit(&event->word, memory_order_relaxed) != old);
    if (!happened)
        wire_reap_sends();
    *busy = is_busy();
    net_leave();
    return happened;
}

/* Sleeps until the word of `event` changes, at most for the given time. */
static void sleep_for(struct upcr_event *event, uint32_t old, const struct timespec *time)
{
    syscall(SYS_futex, &event->word, FUTEX_WAIT, old, time, NULL, 0);
}

/* Sleeps until the wakeup. What has been found since the wait was last tested may be what it waits for, so that
   prevents the sleep. */
static void sleep_until_wakeup(struct upcr_event *wakeup, const struct net_patience *patience, const struct timespec *time)
{
    /* The number of wakeups is read before the poll, so that a message which the poll misses changes it. */
    uint32_t silent = atomic_load_explicit(&wakeup->word, memory_order_acquire);
    bool busy;
    atomic_fetch_add_explicit(&wakeup->sleepers, 1, memory_order_seq_cst);
    if (!look(1, NULL, 0, &busy) && !busy && __atomic_load_n(&changes, __ATOMIC_RELAXED) == patience->changes)
        sleep_for(wakeup, silent, time);
    net_woken += atomic_load_explicit(&wakeup->word, memory_order_relaxed) != silent;
    atomic_fetch_sub_explicit(&wakeup->sleepers, 1, memory_order_relaxed);
}

/* Returns the wakeup that ends any wait of this thread; NULL: there is none. Changes by other threads of a group are
   reported by their events alone. */
static struct upcr_event *wakeup_for(const struct upcr_event *event)
{
    return event == NULL || net.count == 1 ? net_wakeup() : NULL;
}

/* Sleeps for the given time, or until something comes, if the wire can say that; returns whether it has said so. */
static bool sleep_for_message(const struct timespec *time)
{
    if (!wire_wakes || !try_enter()) {
        nanosleep(time, NULL);
        return false;
    }
    struct pollfd alarm = {.fd = wire_alarm(), .events = POLLIN};
    net_leave();
    return alarm.fd == WIRE_HAS_COME || ppoll(&alarm, 1, time, NULL) > 0;
}

static void back_off(struct net_patience *patience, struct upcr_event *event, uint32_t old)
{
    int error = errno;
    struct upcr_event *wakeup = wakeup_for(event);
    long most = upcr_wait_is_crowded() ? CROWDED_BACKOFF_NS : LAST_BACKOFF_NS;
    if (patience->backoff_ns == 0)
        patience->backoff_ns = FIRST_BACKOFF_NS;
    if (wakeup != NULL && net_wakeups_are_all())
        patience->backoff_ns = most = WAKEUP_BACKOFF_NS;
    struct timespec time = {0, patience->backoff_ns};
    if (wakeup != NULL) {
        sleep_until_wakeup(wakeup, patience, &time);
    } else if (event == NULL) {
        sleep_for_message(&time);
    } else {
        /* As in upcr_event_sleep. */
        atomic_fetch_add_explicit(&event->sleepers, 1, memory_order_seq_cst);
        sleep_for(event, old, net.groups == 1 ? NULL : &time);
        atomic_fetch_sub_explicit(&event->sleepers, 1, memory_order_relaxed);
    }
    patience->backoff_ns += patience->backoff_ns / 2;
    if (patience->backoff_ns > most)
        patience->backoff_ns = most;
    errno = error;
}

/* Wakes the communication threads of those who have been asked: their main threads compute. They may turn to computing
   after they were called, so a wait calls them again. */
static void call_asked(struct net_patience *patience)
{
    patience->calls++;
    net_enter();
    if (asked.count != 0)
        patience->asked = asked;
    asked.count = 0;
    for (unsigned i = 0; i < patience->asked.count && i < NET_ASKED_MOST; i++)
        net_ring_aside(patience->asked.threads[i]);
    net_leave();
}

/* Performs the next step of a crowded wait. */
static void pause_crowded(struct net_patience *patience, struct upcr_event *event, uint32_t old, bool busy)
{
    bool rings = wakeup_for(event) != NULL && net_wakeups_are_all();
    unsigned spins = rings ? WAKEUP_SPINS : CROWDED_SPINS, yields = rings ? WAKEUP_YIELDS : CROWDED_YIELDS;
    if (event == NULL && patience->calls == 0 && patience->step >= spins)
        call_asked(patience);
    if (patience->step >= spins + yields && !busy)
        back_off(patience, event, old);
    else if (patience->step >= spins)
        sched_yield();
}

static void pause_roomy(struct net_patience *patience, struct upcr_event *event, uint32_t old, bool busy)
{
    int64_t now = upcr_clock_now_ns();
    if (patience->start == 0)
        patience->start = now;
    unsigned calls = patience->calls + (event == NULL ? 0 : EVENT_CALLS);
    if (calls < CALLS_MOST && now - patience->start >= (int64_t)CALL_NS << calls)
        call_asked(patience);
    if (now - patience->start >= YIELD_NS && !busy)
        back_off(patience, event, old);
    else if (has_partner || now - patience->start >= SPIN_NS)
        sched_yield();
}

void net_pause(struct net_patience *patience, struct upcr_event *event, uint32_t old)
{
    bool crowded = upcr_wait_is_crowded(), busy = false;
    /* If there are more threads than processors, another thread is on this processor nearly always, so that means
       nothing. */
    has_partner = !crowded && upcr_seat_is_shared();
    if (net.groups == 1) {
        upcr_pause_processor();
    } else if (look(looks(), event, old, &busy)) {
        *patience = (struct net_patience){.changes = __atomic_load_n(&changes, __ATOMIC_RELAXED), .asked = patience->asked};
        return;
    }
    patience->step++;
    (crowded ? pause_crowded : pause_roomy)(patience, event, old, busy);
    patience->changes = __atomic_load_n(&changes, __ATOMIC_RELAXED);
}

void net_look(void)
{
    bool busy;
    if (net.groups > 1)
        look(1, NULL, 0, &busy);
}

void net_look_at(struct upcr_event *event, uint32_t old)
{
    bool busy;
    if (atomic_load_explicit(&event->word, memory_order_relaxed) == old)
        look(looks(), event, old, &busy);
}

void net_look_for(const _Atomic int *left)
{
    int most = looks();
    __atomic_store_n(&main_polls, main_polls + 1, __ATOMIC_RELAXED);
    for (int i = 0; i < most && atomic_load_explicit(left, memory_order_relaxed) != 0; i++)
        progress(1);
}

void net_await(_Atomic int *left)
{
    struct net_patience patience = {0};
    /* Acquires the results of the answers from net_count, or from the handler of the answer. */
    while (atomic_load_explicit(left, memory_order_acquire) != 0)
        net_pause(&patience, NULL, 0);
}

void net_wait_while(struct upcr_event *event, uint32_t old)
{
    struct net_patience patience = {0};
    /* Acquires what the thread that changes the word did before. */
    while (atomic_load_explicit(&event->word, memory_order_acquire) == old)
        net_pause(&patience, event, old);
}

/* ---- The communication thread --------------------------------------------------------------------------------------- */

static pthread_t communication;
static _Atomic bool stopping;

/* Returns whether the main thread sleeps and every message wakes it. */
static bool is_relieved(void)
{
    const struct upcr_event *wakeup = net_wakeup();
    return wakeup != NULL && net_wakeups_are_all() && atomic_load_explicit(&wakeup->sleepers, memory_order_relaxed) != 0;
}

/* Returns the longest of backoffs that begin with `first`. */
static long longest(long first)
{
    return SILENCE_BACKOFF_NS > first ? SILENCE_BACKOFF_NS : first;
}

/* Returns the next backoff while the main thread handles messages itself. again: it did so during the last one, too. Each
   wakeup takes 16 to 20 microseconds from the main thread, and between machines from all who wait for its answers. */
static long longer(long backoff_ns, bool again)
{
    long first = IDLE_BACKOFF_NS * net.crowd, aside = ASIDE_BACKOFF_NS * net.crowd, next = 2 * backoff_ns;
    bool is_woken = net_wakeup_aside() != NULL;
    long most = is_relieved() ? WAKEUP_BACKOFF_NS : is_woken ? aside : longest(aside);
    if (!is_woken && backoff_ns >= aside)
        next = again ? backoff_ns + backoff_ns / SILENCE_PART : aside;
    return next < first ? first : next < most ? next : most;
}

void net_call_back(void)
{
    if (!atomic_load_explicit(&sleeps_long, memory_order_relaxed))
        return;
    atomic_store_explicit(&sleeps_long, false, memory_order_relaxed);
    atomic_fetch_add_explicit(&called_back.word, 1, memory_order_seq_cst);
    upcr_event_wake(&called_back);
}

/* Returns whether all who may wait for an answer call (call_asked), and no thread of the group may arrive at a barrier. */
static bool is_called(void)
{
    return net_wakeups_are_all() && net.count == 1;
}

/* Returns the backoff while nothing happens. Without a wakeup from the wire, and where threads of the group may arrive at
   a barrier, only polls notice what has happened. */
static long idle_ns(void)
{
    if (is_called())
        return CALLED_IDLE_BACKOFF_NS * net.crowd;
    return wire_wakes && net.count == 1 && net_wakeup_aside() == NULL ? ALARM_BACKOFF_NS : IDLE_BACKOFF_NS * net.crowd;
}

/* Returns the backoff after one of `backoff_ns` in which nothing has happened either. */
static long longer_silent(long backoff_ns)
{
    int part = is_called() ? CALLED_SILENCE_PART : SILENCE_PART;
    long first = idle_ns(), next = backoff_ns + backoff_ns / part;
    long most = longest(first);
    return next < first ? first : next < most ? next : most;
}

/* Sleeps for the given time, or until the wakeup aside, or that of the wire unless the main thread polls; returns whether
   one has ended it. *heard: the number of wakeups before the last poll, so that one during the poll prevents the sleep. */
static bool doze(const struct timespec *time, bool main_polls_itself, uint32_t *heard)
{
    struct upcr_event *wakeup = net_wakeup_aside();
    if (wakeup == NULL && !main_polls_itself)
        return sleep_for_message(time);
    atomic_store_explicit(&sleeps_long, wakeup == NULL && time->tv_nsec > ASIDE_BACKOFF_NS * net.crowd, memory_order_relaxed);
    if (wakeup == NULL)
        wakeup = &called_back;
    uint32_t before = *heard;
    atomic_fetch_add_explicit(&wakeup->sleepers, 1, memory_order_seq_cst);
    sleep_for(wakeup, before, time);
    atomic_fetch_sub_explicit(&wakeup->sleepers, 1, memory_order_relaxed);
    atomic_store_explicit(&sleeps_long, false, memory_order_relaxed);
    *heard = atomic_load_explicit(&wakeup->word, memory_order_acquire);
    return *heard != before;
}

static void *communicate(void *unused)
{
    long backoff_ns = IDLE_BACKOFF_NS;
    uint32_t polls = 0, heard = 0;
    bool aside = false;  /* the main thread polled during the last backoff */
    bool silent = false; /* nothing happened in the last backoff, and the main thread did not poll */
    (void)unused;
    upcr_tp_helper_begins();
    while (!atomic_load_explicit(&stopping, memory_order_relaxed)) {
        struct timespec time = {0, backoff_ns};
        uint32_t now = __atomic_load_n(&main_polls, __ATOMIC_RELAXED);
        bool called = false;
        if (backoff_ns != 0)
            called = doze(&time, now != polls, &heard);
        else
            sched_yield();
        if (called && net_wakeup_aside() == NULL)
            backoff_ns = 0;
        if ((now != polls && !called) || !try_enter()) {
            polls = now;
            backoff_ns = longer(backoff_ns, aside);
            aside = true;
            silent = false;
            upcr_seat_of_helper(false);
            continue;
        }
        int happened = progress(ROUND);
        bool busy = is_busy();
        wire_reap_sends();
        net_leave();
        upcr_seat_of_helper(busy);
        if (happened != 0)
            net_ring(upcr_mythread);
        /* Even then it polls, if rarely: a main thread that ends in a handler looks like one that sleeps for ever. */
        if (happened == 0 && !busy && is_relieved())
            backoff_ns = longer(backoff_ns, false);
        else if (busy)
            backoff_ns = 0;
        else if (happened >= BUSY_MESSAGES)
            backoff_ns = BUSY_BACKOFF_NS * net.crowd;
        else
            backoff_ns = silent ? longer_silent(backoff_ns) : idle_ns();
        silent = happened == 0 && !busy;
        aside = false;
    }
    return NULL;
}

void net_engine_start(void)
{
    sigset_t all, old;
    if (net.groups == 1)
        return;
    wire_open();
    /* Backoffs of both threads end within a microsecond of their time, not fifty. Otherwise two processes that wait
       for each other would take turns in sleeping too long. */
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
    atomic_store_explicit(&stopping, true, memory_order_relaxed);
    pthread_join(communication, NULL);
    net_enter();
    wire_close();
    net_leave();
}
