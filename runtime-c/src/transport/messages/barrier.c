/* The barrier. Threads of a group meet in shared memory; then groups meet by dissemination, in log2(groups) rounds.
   In each round the group's first thread, its leader, sends one message and receives one. A message carries
   everything that its sender knows. */
#include "runtime.h"

#include <string.h>

#include "transport/messages/net.h"

enum { ROUNDS_MOST = 32 };

static const int64_t LATE_NS = 200 * 1000 * 1000;

/* Number of barriers that this process has completed: its current epoch. */
static uint32_t my_epoch;

/* The leader's state of the barrier between groups. */
static struct {
    uint32_t epoch; /* of the next barrier, or the one in progress */
    bool going;
    int round;
    struct net_arrivals arrivals;
    struct net_arrivals come[2][ROUNDS_MOST]; /* by the epoch's parity: a faster group sends for the next epoch */
    uint32_t have[2];
} between;

/* A leaver that thread 0 has reported: the barrier in which this process waits is over. */
static struct {
    _Atomic uint32_t epoch; /* + 1; 0: none */
    int leaver, status;
} left_barrier;

/* ---- Arrivals ------------------------------------------------------------------------------------------------------- */

/* Clears everything but the payload, which is only read if it is loaded: every barrier would clear those bytes for
   nothing. */
static void clear_arrivals(struct net_arrivals *arrivals)
{
    memset(arrivals, 0, offsetof(struct net_arrivals, payload));
}

static void set_arrival(struct net_arrivals *arrivals, enum upcr_arrival arrival, int value)
{
    clear_arrivals(arrivals);
    arrivals->stays = arrival != UPCR_ARRIVAL_LEAVE;
    arrivals->leaves = arrival == UPCR_ARRIVAL_LEAVE;
    switch (arrival) {
    case UPCR_ARRIVAL_ANONYMOUS:
        break;
    case UPCR_ARRIVAL_NAMED:
        arrivals->named = 1;
        arrivals->value = value;
        arrivals->value_thread = upcr_mythread;
        break;
    case UPCR_ARRIVAL_LEAVE:
        arrivals->a_leaver = upcr_mythread;
        arrivals->leaver_status = value;
        arrivals->worst_status = value & 0xff;
        break;
    }
}

/* Returns whether all threads stay and the arrivals have no more than a value, which fits the message's header. */
static bool is_plain(const struct net_arrivals *arrivals)
{
    return !arrivals->leaves && !arrivals->dissent && !arrivals->loaded;
}

/* Returns whether the arrivals say no more than that threads have come to stay. */
static bool are_anonymous(const struct net_arrivals *arrivals)
{
    return is_plain(arrivals) && !arrivals->named;
}

static void join(struct net_arrivals *sum, const struct net_arrivals *more)
{
    if (are_anonymous(more)) {
        sum->stays = 1;
        return;
    }
    if (!sum->dissent && more->dissent) {
        sum->dissent = 1;
        sum->other_value = more->other_value;
        sum->other_thread = more->other_thread;
        sum->value = more->value;
        sum->value_thread = more->value_thread;
    } else if (!sum->dissent && sum->named && more->named && sum->value != more->value) {
        sum->dissent = 1;
        sum->other_value = more->value;
        sum->other_thread = more->value_thread;
    } else if (!sum->named && more->named) {
        sum->value = more->value;
        sum->value_thread = more->value_thread;
    }
    sum->named |= more->named;
    if (!sum->leaves && more->leaves) {
        sum->a_leaver = more->a_leaver;
        sum->leaver_status = more->leaver_status;
    }
    if (more->worst_status > sum->worst_status)
        sum->worst_status = more->worst_status;
    sum->stays |= more->stays;
    sum->leaves |= more->leaves;
    if (!sum->loaded && more->loaded) {
        sum->loaded = 1;
        memcpy(sum->payload, more->payload, sizeof sum->payload);
    }
}

/* Returns the bytes that have to be sent: most barriers carry no payload. */
static size_t size_of_arrivals(const struct net_arrivals *arrivals)
{
    return arrivals->loaded ? sizeof *arrivals : offsetof(struct net_arrivals, payload);
}

static void copy_arrivals(struct net_arrivals *dst, const struct net_arrivals *src)
{
    /* The compiler knows this size, so it emits a few moves. */
    memcpy(dst, src, offsetof(struct net_arrivals, payload));
    if (src->loaded)
        memcpy(dst->payload, src->payload, sizeof src->payload);
}

/* Combines the arrivals of the threads of this group that have arrived. */
static void group_arrivals(struct net_arrivals *sum, uint32_t epoch)
{
    if (net.count == 1) {
        copy_arrivals(sum, &net.group->member[0].arrivals[epoch & 1]);
        return;
    }
    clear_arrivals(sum);
    for (int t = 0; t < net.count; t++) {
        const struct net_arrivals *one = &net.group->member[t].arrivals[epoch & 1];
        if (one->epoch == epoch + 1)
            join(sum, one);
    }
}

static void release(uint32_t epoch, const struct net_arrivals *arrivals)
{
    copy_arrivals(&net.group->result[epoch & 1], arrivals);
    upcr_event_set(&net.group->epoch, epoch + 1);
}

/* ---- Between groups ------------------------------------------------------------------------------------------------- */

static void send_round(void)
{
    bool is_step = are_anonymous(&between.arrivals);
    struct net_message *message = net_begin(is_step ? NET_step : NET_round);
    int group = (int)((net.my_group + ((int64_t)1 << between.round)) % net.groups);
    if (is_step) {
        message->count = (uint32_t)between.round << 1 | (between.epoch & 1);
        net_send_head(message, net.leader[group]);
        return;
    }
    message->count = (uint32_t)between.round;
    message->a = between.epoch;
    size_t bytes = 0;
    if (is_plain(&between.arrivals)) {
        message->b = between.arrivals.named;
        message->c = (uint32_t)between.arrivals.value | (uint64_t)(uint32_t)between.arrivals.value_thread << 32;
    } else {
        bytes = size_of_arrivals(&between.arrivals);
        memcpy(message->data, &between.arrivals, bytes);
    }
    net_send(message, net.leader[group], bytes);
}

/* Records that a round's message has come, from groups that all stay. */
static struct net_arrivals *note_round(uint32_t parity, uint32_t round)
{
    struct net_arrivals *come = &between.come[parity][round];
    clear_arrivals(come);
    come->stays = 1;
    between.have[parity] |= 1u << round;
    return come;
}

void net_on_step(struct net_message *message, int from, size_t data)
{
    (void)from, (void)data;
    note_round(message->count & 1, message->count >> 1);
}

void net_on_round(struct net_message *message, int from, size_t data)
{
    (void)from;
    struct net_arrivals *come = note_round(message->a & 1, message->count);
    if (data != 0) {
        memcpy(come, message->data, data);
    } else {
        come->named = (uint8_t)message->b;
        come->value = (int32_t)message->c;
        come->value_thread = (int32_t)(message->c >> 32);
    }
}

void net_barrier_poll(void)
{
    uint32_t parity = between.epoch & 1;
    if (upcr_mythread != net.first)
        return;
    if (!between.going) {
        /* Acquires the arrivals of the group from group_complete. */
        if (atomic_load_explicit(&net.group->complete, memory_order_acquire) == between.epoch)
            return;
        between.going = true;
        between.round = 0;
        group_arrivals(&between.arrivals, between.epoch);
        send_round();
    }
    while ((between.have[parity] & 1u << between.round) != 0) {
        join(&between.arrivals, &between.come[parity][between.round]);
        between.round++;
        if ((int64_t)1 << between.round >= net.groups) {
            between.have[parity] = 0;
            between.going = false;
            release(between.epoch++, &between.arrivals);
            return;
        }
        send_round();
    }
}

/* ---- In a group ----------------------------------------------------------------------------------------------------- */

/* Counts this thread as arrived. Returns true for the last one of its group, which calls group_complete next. */
static bool arrive(const struct net_arrivals *arrivals)
{
    struct net_group *group = net.group;
    struct net_arrivals *mine = &net_member(upcr_mythread)->arrivals[my_epoch & 1];
    copy_arrivals(mine, arrivals);
    mine->epoch = my_epoch + 1;
    atomic_store_explicit(&host_me()->waiting.arrived, my_epoch + 1, memory_order_relaxed);
    if (net.count == 1)
        return true;
    if (arrivals->leaves)
        atomic_fetch_add_explicit(&group->leavers[my_epoch & 1], 1, memory_order_release);
    /* Publishes this thread's arrivals and what it did before the barrier, and acquires the same from the threads of
       the group that arrived before. The last one passes all of it on with `complete` or `epoch`. */
    uint32_t arrived = atomic_fetch_add_explicit(&group->arrived, 1, memory_order_acq_rel) + 1;
    if (arrived == (uint32_t)net.count)
        return true;
    uint32_t leavers = atomic_load_explicit(&group->leavers[my_epoch & 1], memory_order_acquire);
    if (__builtin_expect(leavers != 0 && leavers < arrived, 0)) {
        struct net_arrivals known;
        group_arrivals(&known, my_epoch);
        release(my_epoch, &known);
    }
    return false;
}

static void group_complete(void)
{
    struct net_group *group = net.group;
    atomic_store_explicit(&group->arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&group->leavers[(my_epoch + 1) & 1], 0, memory_order_relaxed);
    if (net.groups == 1) {
        struct net_arrivals arrivals;
        group_arrivals(&arrivals, my_epoch);
        release(my_epoch, &arrivals);
        return;
    }
    /* Publishes the arrivals of the group to net_barrier_poll. */
    if (upcr_mythread == net.first) {
        atomic_store_explicit(&group->complete, my_epoch + 1, memory_order_release);
        net_enter();
        net_barrier_poll();
        net_leave();
    } else {
        /* Stronger than release because of upcr_event_wake. */
        atomic_store_explicit(&group->complete, my_epoch + 1, memory_order_seq_cst);
        /* The leader may be asleep in the barrier itself. */
        upcr_event_wake(&group->epoch);
    }
}

/* ---- Threads that leave while others stay --------------------------------------------------------------------------- */

/* A thread that leaves or stays and has waited for long reports that to thread 0, through a tree in which each
   thread passes on the first report of either kind. If thread 0 gets a leaver and a stayer for the same barrier, it
   notifies the stayer. */
struct late {
    uint32_t epoch; /* + 1 */
    int thread, status;
};

static void notify_stayer(uint32_t epoch, const struct late *leaver, int stayer)
{
    struct net_message *message = net_begin(NET_over);
    message->a = epoch;
    message->b = (uint64_t)leaver->status;
    message->count = (uint32_t)leaver->thread;
    if (stayer == upcr_mythread)
        net_on_over(message, upcr_mythread, 0);
    else
        net_send(message, stayer, 0);
}

static void hand_on(uint32_t epoch, const struct late *late, bool leaves)
{
    struct net_message *message = net_begin(NET_late);
    message->a = epoch;
    message->b = (uint64_t)late->status;
    message->c = (uint64_t)late->thread;
    message->count = leaves;
    net_send(message, upcr_mythread & (upcr_mythread - 1), 0);
}

static void note_late(int thread, uint32_t epoch, bool leaves, int status)
{
    static struct late leaver, stayer;
    struct late *late = leaves ? &leaver : &stayer;
    if (late->epoch == epoch + 1)
        return;
    *late = (struct late){epoch + 1, thread, status};
    if (upcr_mythread != 0)
        hand_on(epoch, late, leaves);
    else if (leaver.epoch == stayer.epoch)
        notify_stayer(epoch, &leaver, stayer.thread);
}

void net_on_late(struct net_message *message, int from, size_t data)
{
    (void)from, (void)data;
    note_late((int)message->c, (uint32_t)message->a, message->count != 0, (int)message->b);
}

void net_on_over(struct net_message *message, int from, size_t data)
{
    (void)from, (void)data;
    left_barrier.leaver = (int)message->count;
    left_barrier.status = (int)message->b;
    /* Publishes the leaver to net_barrier_is_over. */
    atomic_store_explicit(&left_barrier.epoch, (uint32_t)message->a + 1, memory_order_release);
}

static void report_late(void)
{
    const struct net_arrivals *mine = &net_member(upcr_mythread)->arrivals[my_epoch & 1];
    net_enter();
    note_late(upcr_mythread, my_epoch, mine->leaves, mine->leaver_status);
    net_leave();
}

/* ---- The contract --------------------------------------------------------------------------------------------------- */

void upcr_tp_notify(enum upcr_arrival arrival, int value)
{
    struct net_arrivals arrivals;
    if (arrival == UPCR_ARRIVAL_LEAVE)
        net_end_transfers();
    set_arrival(&arrivals, arrival, value);
    /* Publishes what this thread has done to upcr_tp_has_left. */
    if (arrival == UPCR_ARRIVAL_LEAVE)
        atomic_store_explicit(&net_member(upcr_mythread)->left, 1 + (uint32_t)(value & 0xff), memory_order_release);
    if (arrive(&arrivals))
        group_complete();
}

uint32_t upcr_tp_has_left(int thread)
{
    /* Acquires what the thread did before it left. */
    return atomic_load_explicit(&net_member(thread)->left, memory_order_acquire);
}

bool upcr_tp_try_wait(void)
{
    /* Acquires the result, and what all threads did before the barrier, from upcr_event_set in release(). */
    return atomic_load_explicit(&net.group->epoch.word, memory_order_acquire) != my_epoch;
}

bool net_barrier_is_over(void)
{
    /* Acquires the leaver from net_on_over. */
    return upcr_tp_try_wait() || atomic_load_explicit(&left_barrier.epoch, memory_order_acquire) == my_epoch + 1;
}

static void wait_for_all(void)
{
    struct host_waiting *waiting = &host_me()->waiting;
    const struct net_arrivals *mine = &net_member(upcr_mythread)->arrivals[my_epoch & 1];
    struct net_patience patience = {0};
    int64_t late = 0;
    waiting->named = mine->named;
    waiting->value = mine->value;
    host_wait_begins(HOST_IN_BARRIER, NULL);
    while (!net_barrier_is_over()) {
        net_pause(&patience, &net.group->epoch, my_epoch);
        if (net.groups == 1 || late < 0 || patience.backoff_ns == 0)
            continue;
        if (late == 0)
            late = upcr_clock_now_ns() + LATE_NS;
        if (upcr_clock_now_ns() > late) {
            report_late();
            late = -1;
        }
    }
    host_wait_ends();
}

static void read_outcome(struct upcr_barrier_outcome *outcome, const struct net_arrivals *arrivals)
{
    *outcome = (struct upcr_barrier_outcome){
        .leavers = !arrivals->leaves ? 0
                   : arrivals->stays ? 1
                                     : upcr_threads,
        .a_leaver = arrivals->a_leaver,
        .leaver_status = arrivals->leaver_status,
        .named = arrivals->named,
        .value = arrivals->value,
        .value_thread = arrivals->value_thread,
        .dissent = arrivals->dissent,
        .other_value = arrivals->other_value,
        .other_thread = arrivals->other_thread,
    };
}

void upcr_tp_wait(struct upcr_barrier_outcome *outcome)
{
    if (!upcr_tp_try_wait())
        wait_for_all();
    const struct net_arrivals *arrivals = &net.group->result[my_epoch & 1];
    if (upcr_tp_try_wait()) {
        read_outcome(outcome, arrivals);
        net_worst_status = arrivals->worst_status;
    } else {
        *outcome = (struct upcr_barrier_outcome){.leavers = 1, .a_leaver = left_barrier.leaver, .leaver_status = left_barrier.status};
    }
    my_epoch++;
    atomic_store_explicit(&host_me()->waiting.passed, my_epoch, memory_order_relaxed);
}

void upcr_tp_barrier(enum upcr_arrival arrival, int value, struct upcr_barrier_outcome *outcome)
{
    bool alone = net.count == 1 && net.groups > 1;
    if (arrival == UPCR_ARRIVAL_LEAVE)
        net_end_transfers();
    /* The engine is entered only once: most barriers are over after the first polls. */
    if (alone)
        net_enter();
    upcr_tp_notify(arrival, value);
    if (alone) {
        net_look_at(&net.group->epoch, my_epoch);
        net_leave();
    }
    upcr_tp_wait(outcome);
}

void upcr_tp_broadcast(void *buf, size_t n, struct upcr_barrier_outcome *outcome)
{
    struct net_arrivals arrivals;
    set_arrival(&arrivals, UPCR_ARRIVAL_ANONYMOUS, 0);
    uint32_t parity = my_epoch & 1;
    if (upcr_mythread == 0) {
        arrivals.loaded = 1;
        memcpy(arrivals.payload, buf, n);
    }
    if (arrive(&arrivals))
        group_complete();
    upcr_tp_wait(outcome);
    memcpy(buf, net.group->result[parity].payload, n);
}

void upcr_tp_rendezvous(void (*work)(void *), void *argument, struct upcr_barrier_outcome *outcome)
{
    struct net_arrivals arrivals;
    set_arrival(&arrivals, UPCR_ARRIVAL_ANONYMOUS, 0);
    bool last = arrive(&arrivals);
    if (net.groups == 1) {
        if (last) {
            work(argument);
            group_complete();
        }
        upcr_tp_wait(outcome);
        return;
    }
    if (last)
        group_complete();
    upcr_tp_wait(outcome);
    /* A thread that has left does not come to a second barrier. */
    if (outcome->leavers != 0)
        return;
    if (upcr_mythread == 0) {
        work(argument);
        upcr_fence();
    }
    struct upcr_barrier_outcome second;
    upcr_tp_notify(UPCR_ARRIVAL_ANONYMOUS, 0);
    upcr_tp_wait(&second);
}

bool host_has_arrived(const struct host_waiting *waiting)
{
    return host_read(&waiting->arrived) != host_read(&waiting->passed);
}
