/* Locks and semaphores: objects in shared memory with a queue of the threads that wait for them, in order of arrival.
   Threads of the object's group access it directly, others by requests to the thread it has affinity to. A thread that
   is granted the object is notified, so no thread polls it.

   A thread waits for one object at once, so one queue entry for each thread of the job is enough in each group whose
   objects it may request. The waiters of an object form a list through struct net_waiter. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include "checks.def"
#include "transport/messages/net.h"

enum { LOCK_MARK = 0x10c4ab1f, SEMAPHORE_MARK = 0x5e3af07f };

/* Threads are named by number + 1 in this file; 0 is none. */
struct queue {
    struct upcr_mutex guard;
    uint32_t mark;
    uint32_t head, tail; /* the first and last waiter */
    uint32_t value;      /* for a lock: its holder; for a semaphore: its count */
};

struct net_lock {
    struct queue queue;
    uint64_t made_at, taken_at; /* return addresses of calls, for reports; see call_from */
};
_Static_assert(sizeof(struct net_lock) <= UPCR_LOCK_BYTES, "a lock fits its place");
_Static_assert(sizeof(struct queue) <= UPCR_SEM_BYTES, "a semaphore fits its place");

static struct queue *at(int thread, uint64_t offset)
{
    return (struct queue *)(void *)net_at(thread, offset);
}

/* ---- Queues --------------------------------------------------------------------------------------------------------- */

static void append(struct queue *queue, int thread, uint32_t need)
{
    struct net_waiter *waiters = net_waiters();
    waiters[thread] = (struct net_waiter){0, need};
    if (queue->tail != 0)
        waiters[queue->tail - 1].next = (uint32_t)thread + 1;
    else
        queue->head = (uint32_t)thread + 1;
    queue->tail = (uint32_t)thread + 1;
}

static int take_first(struct queue *queue)
{
    int thread = (int)queue->head - 1;
    queue->head = net_waiters()[thread].next;
    if (queue->head == 0)
        queue->tail = 0;
    return thread;
}

void net_grant(int thread)
{
    if (net_is_mine(thread)) {
        struct upcr_event *turn = &net_member(thread)->turn;
        /* Publishes what the granting thread did before to net_wait_while. Stronger than release because of
           upcr_event_wake. */
        atomic_fetch_add_explicit(&turn->word, 1, memory_order_seq_cst);
        upcr_event_wake(turn);
        return;
    }
    net_enter();
    net_send_head(net_begin(NET_grant), thread);
    net_leave();
}

void net_on_grant(struct net_message *message, int from, size_t data)
{
    (void)message, (void)from, (void)data;
    net_grant(upcr_mythread);
}

/* Number of grants that the main thread has consumed. */
static uint32_t used;

void net_wait_for_grant(enum host_wait kind, const void *lock)
{
    host_wait_begins(kind, lock);
    net_wait_while(&net_member(upcr_mythread)->turn, used);
    host_wait_ends();
    used++;
}

/* ---- Operations on an object, in its group -------------------------------------------------------------------------- */

/* Results of a request. */
enum { NET_DONE, NET_WAITS, NET_REFUSED, NET_NO_OBJECT, NET_OVERFLOW, NET_HOLDS };

static int lock_acquire(struct queue *lock, int thread, bool wait, uint64_t caller)
{
    int result = NET_DONE;
    upcr_mutex_lock(&lock->guard);
    if (lock->mark != LOCK_MARK) {
        result = NET_NO_OBJECT;
    } else if (lock->value == 0) {
        lock->value = (uint32_t)thread + 1;
        ((struct net_lock *)lock)->taken_at = caller;
    } else if (lock->value == (uint32_t)thread + 1) {
        result = NET_HOLDS;
    } else if (wait) {
        append(lock, thread, 0);
        result = NET_WAITS;
    } else {
        result = NET_REFUSED;
    }
    upcr_mutex_unlock(&lock->guard);
    return result;
}

static int lock_release(struct queue *lock, int thread)
{
    int next = -1, result = NET_DONE;
    upcr_mutex_lock(&lock->guard);
    if (lock->mark != LOCK_MARK) {
        result = NET_NO_OBJECT;
    } else if (lock->value != (uint32_t)thread + 1) {
        result = NET_HOLDS;
    } else {
        next = lock->head != 0 ? take_first(lock) : -1;
        lock->value = (uint32_t)(next + 1);
        ((struct net_lock *)lock)->taken_at = 0;
    }
    upcr_mutex_unlock(&lock->guard);
    if (next >= 0)
        net_grant(next);
    return result;
}

static int semaphore_take(struct queue *semaphore, int thread, uint32_t n, bool wait)
{
    int result = NET_DONE;
    upcr_mutex_lock(&semaphore->guard);
    if ((semaphore->mark & ~1u) != (SEMAPHORE_MARK & ~1u)) {
        result = NET_NO_OBJECT;
    } else if (semaphore->value >= n && (semaphore->head == 0 || !wait || n == 0)) {
        semaphore->value -= n;
    } else if (wait) {
        append(semaphore, thread, n);
        result = NET_WAITS;
    } else {
        result = NET_REFUSED;
    }
    upcr_mutex_unlock(&semaphore->guard);
    return result;
}

/* Posts n. Boolean semaphores have the mark with its lowest bit cleared. */
static int semaphore_post(struct queue *semaphore, uint32_t n)
{
    int granted[16], count;
    bool more = true;
    int result = NET_DONE;
    for (bool first = true; more; first = false) {
        upcr_mutex_lock(&semaphore->guard);
        uint32_t most = semaphore->mark == SEMAPHORE_MARK ? UPCR_SEM_MAX : 1;
        count = 0;
        if ((semaphore->mark & ~1u) != (SEMAPHORE_MARK & ~1u)) {
            result = NET_NO_OBJECT;
        } else if (first && semaphore->value + n > most && most > 1) {
            result = NET_OVERFLOW;
        } else {
            if (first)
                semaphore->value = semaphore->value + n > most ? most : semaphore->value + n;
            while (count < 16 && semaphore->head != 0 && net_waiters()[semaphore->head - 1].need <= semaphore->value) {
                semaphore->value -= net_waiters()[semaphore->head - 1].need;
                granted[count++] = take_first(semaphore);
            }
        }
        more = count == 16;
        upcr_mutex_unlock(&semaphore->guard);
        for (int i = 0; i < count; i++)
            net_grant(granted[i]);
    }
    return result;
}

static int queue_end(struct queue *queue, bool semaphore)
{
    uint32_t mark = semaphore ? queue->mark | (SEMAPHORE_MARK & 1) : queue->mark;
    if (mark != (semaphore ? SEMAPHORE_MARK : LOCK_MARK))
        return NET_NO_OBJECT;
    queue->mark = 0;
    return NET_DONE;
}

/* ---- Requests ------------------------------------------------------------------------------------------------------- */

/* Sends a request to the thread that the object has affinity to; returns its result. */
static int ask_owner(enum net_kind kind, upcr_pts_t place, uint64_t b, uint32_t count)
{
    struct net_op op = {.left = 1};
    int to = (int)upcr_threadof(place);
    net_check_place(place, sizeof(struct queue));
    net_enter();
    net_flush(to);
    struct net_message *message = net_begin(kind);
    message->a = upcr_addrfield(place);
    message->b = b;
    message->c = (uint64_t)(uintptr_t)&op;
    message->count = count;
    net_send(message, to, 0);
    net_leave();
    net_await(&op.left);
    return (int)op.value;
}

static void answer(const struct net_message *message, int to, int result)
{
    struct net_message *reply = net_begin(NET_answer);
    reply->a = (uint64_t)result;
    reply->c = message->c;
    net_send(reply, to, 0);
}

void net_on_answer(struct net_message *message, int from, size_t data)
{
    struct net_op *op = (struct net_op *)(uintptr_t)message->c;
    (void)from, (void)data;
    op->value = message->a;
    /* Publishes the results to net_await. */
    atomic_store_explicit(&op->left, 0, memory_order_release);
}

void net_on_lock(struct net_message *message, int from, size_t data)
{
    (void)data;
    answer(message, from, lock_acquire(at(upcr_mythread, message->a), from, message->count != 0, message->b));
}

/* Unlocks. The thread that releases a lock waits only in its next fence, for the acknowledgement, as for a put. */
void net_on_unlock(struct net_message *message, int from, size_t data)
{
    int result = lock_release(at(upcr_mythread, message->a), from);
    (void)data;
    if (result == NET_DONE) {
        net_acknowledge(from);
        return;
    }
    struct net_message *reply = net_begin(NET_not_unlocked);
    reply->a = message->a;
    reply->count = (uint32_t)result;
    net_send(reply, from, 0);
}

static void unlock_failed(int result, upcr_pts_t place) __attribute__((__noreturn__));

void net_on_not_unlocked(struct net_message *message, int from, size_t data)
{
    (void)data;
    unlock_failed((int)message->count, upcr_make((size_t)from, 0, message->a));
}

void net_on_sem_post(struct net_message *message, int from, size_t data)
{
    (void)data;
    answer(message, from, semaphore_post(at(upcr_mythread, message->a), (uint32_t)message->b));
}

void net_on_sem_take(struct net_message *message, int from, size_t data)
{
    (void)data;
    answer(message, from, semaphore_take(at(upcr_mythread, message->a), from, (uint32_t)message->b, message->count != 0));
}

void net_on_queue_end(struct net_message *message, int from, size_t data)
{
    (void)data;
    answer(message, from, queue_end(at(upcr_mythread, message->a), message->count != 0));
}

/* ---- The contract --------------------------------------------------------------------------------------------------- */

static bool is_place_in_group(upcr_pts_t place)
{
    return net_is_mine((int)upcr_threadof(place));
}

static void no_lock(upcr_pts_t place) __attribute__((__noreturn__, __cold__));
static void no_lock(upcr_pts_t place)
{
    upcr_die(CHECK_LOCK_NONE, "a lock function", upcr_threadof(place), upcr_addrfield(place));
}

static void no_semaphore(upcr_pts_t place) __attribute__((__noreturn__, __cold__));
static void no_semaphore(upcr_pts_t place)
{
    upcr_die("not a semaphore, or one that was freed (thread %zu, address 0x%zx)", upcr_threadof(place), upcr_addrfield(place));
}

/* Converts return addresses of calls to a form that is the same in all processes, which load the program at
   different addresses. */
static uint64_t call_from(const void *caller)
{
    return caller != NULL ? (uintptr_t)caller - (uintptr_t)upcr_tp_lock_init : 0;
}

static uintptr_t call_at(uint64_t from)
{
    return from != 0 ? (uintptr_t)from + (uintptr_t)upcr_tp_lock_init : 0;
}

void upcr_tp_lock_init(upcr_pts_t place, const void *caller)
{
    struct net_lock *lock = upcr_addr(place);
    memset(lock, 0, sizeof *lock);
    lock->made_at = call_from(caller);
    lock->queue.mark = LOCK_MARK;
}

static int acquire(upcr_pts_t place, bool wait, const void *caller)
{
    uint64_t from = call_from(caller);
    return is_place_in_group(place) ? lock_acquire(upcr_addr(place), upcr_mythread, wait, from) : ask_owner(NET_lock, place, from, wait);
}

/* Locks of other groups that this thread holds, the last taken last. An unlock of any other lock is an error, which
   is found with this list. */
static struct {
    upcr_pts_t *list;
    size_t count, capacity;
} held;

static size_t find_held(upcr_pts_t place)
{
    size_t i = held.count;
    while (i > 0 && !upcr_eq(held.list[i - 1], place))
        i--;
    return i;
}

static void hold(upcr_pts_t place)
{
    net_enter();
    if (find_held(place) == 0) {
        if (held.count == held.capacity) {
            held.capacity = held.capacity == 0 ? 16 : 2 * held.capacity;
            upcr_pts_t *list = realloc(held.list, held.capacity * sizeof *list);
            if (list == NULL)
                upcr_die("out of private memory for locks");
            held.list = list;
        }
        held.list[held.count++] = place;
    }
    net_leave();
}

/* Removes a lock from the list. False: it is not held. */
static bool let_go(upcr_pts_t place)
{
    net_enter();
    size_t i = find_held(place);
    if (i > 0) {
        memmove(held.list + i - 1, held.list + i, (held.count - i) * sizeof *held.list);
        held.count--;
    }
    net_leave();
    return i > 0;
}

static void unlock_failed(int result, upcr_pts_t place)
{
    if (result == NET_HOLDS)
        upcr_die(CHECK_UNLOCK);
    no_lock(place);
}

void upcr_tp_lock(upcr_pts_t place, const void *caller)
{
    int result = acquire(place, true, caller);
    if (!is_place_in_group(place) && (result == NET_DONE || result == NET_WAITS))
        hold(place);
    if (result == NET_WAITS)
        net_wait_for_grant(caller != NULL ? HOST_FOR_LOCK : HOST_FOR_OTHER, is_place_in_group(place) ? upcr_addr(place) : NULL);
    else if (result == NET_HOLDS)
        upcr_die(CHECK_LOCK_HELD, "upc_lock");
    else if (result == NET_NO_OBJECT)
        no_lock(place);
}

bool upcr_tp_lock_attempt(upcr_pts_t place, const void *caller)
{
    int result = acquire(place, false, caller);
    if (result == NET_HOLDS)
        upcr_die(CHECK_LOCK_HELD, "upc_lock_attempt");
    if (result == NET_NO_OBJECT)
        no_lock(place);
    if (result == NET_DONE && !is_place_in_group(place))
        hold(place);
    return result == NET_DONE;
}

static void unlock_remote(upcr_pts_t place)
{
    int to = (int)upcr_threadof(place);
    if (!let_go(place))
        unlock_failed(NET_HOLDS, place);
    net_put_begins(to);
    net_enter();
    net_flush(to);
    struct net_message *message = net_begin(NET_unlock);
    message->a = upcr_addrfield(place);
    net_send(message, to, 0);
    net_leave();
    upcr_pending = 1;
}

void upcr_tp_unlock(upcr_pts_t place)
{
    if (!is_place_in_group(place)) {
        unlock_remote(place);
        return;
    }
    int result = lock_release(upcr_addr(place), upcr_mythread);
    if (result != NET_DONE)
        unlock_failed(result, place);
}

void upcr_tp_lock_destroy(upcr_pts_t place)
{
    if (!is_place_in_group(place))
        (void)let_go(place);
    if ((is_place_in_group(place) ? queue_end(upcr_addr(place), false) : ask_owner(NET_queue_end, place, 0, 0)) != NET_DONE)
        no_lock(place);
}

void upcr_tp_sem_init(upcr_pts_t place, bool boolean)
{
    struct queue *semaphore = upcr_addr(place);
    memset(semaphore, 0, sizeof *semaphore);
    semaphore->mark = boolean ? SEMAPHORE_MARK & ~1u : SEMAPHORE_MARK;
}

void upcr_tp_sem_post(upcr_pts_t place, uint32_t n)
{
    int result = is_place_in_group(place) ? semaphore_post(upcr_addr(place), n) : ask_owner(NET_sem_post, place, n, 0);
    if (result == NET_OVERFLOW)
        upcr_die("a semaphore would count beyond its maximum, %d", UPCR_SEM_MAX);
    if (result == NET_NO_OBJECT)
        no_semaphore(place);
}

static int take_units(upcr_pts_t place, uint32_t n, bool wait)
{
    if (upcr_is_null(place))
        upcr_die("the semaphore is a null pointer");
    int result = is_place_in_group(place) ? semaphore_take(upcr_addr(place), upcr_mythread, n, wait) : ask_owner(NET_sem_take, place, n, wait);
    if (result == NET_NO_OBJECT)
        no_semaphore(place);
    return result;
}

void upcr_tp_sem_wait(upcr_pts_t place, uint32_t n)
{
    if (take_units(place, n, true) == NET_WAITS)
        net_wait_for_grant(HOST_FOR_OTHER, NULL);
}

bool upcr_tp_sem_try(upcr_pts_t place, uint32_t n)
{
    return take_units(place, n, false) == NET_DONE;
}

void upcr_tp_sem_destroy(upcr_pts_t place)
{
    if ((is_place_in_group(place) ? queue_end(upcr_addr(place), true) : ask_owner(NET_queue_end, place, 0, 1)) != NET_DONE)
        no_semaphore(place);
}

/* ---- For the launcher ----------------------------------------------------------------------------------------------- */

void host_complete_answer(struct host_answer *answer)
{
    const struct net_lock *lock = answer->waiting.lock;
    answer->sent = net_sent - net_sent_to_exchanges;
    answer->handled = net_handled;
    switch ((enum host_wait)atomic_load_explicit(&answer->waiting.kind, memory_order_relaxed)) {
    case HOST_IN_BARRIER:
        answer->stuck = host_has_arrived(&answer->waiting) && !net_barrier_is_over();
        break;
    case HOST_FOR_LOCK:
        answer->stuck = host_read(&net_member(upcr_mythread)->turn.word) == used;
        break;
    case HOST_COMPUTES:
    case HOST_FOR_OTHER:
        break;
    }
    answer->lock_seen = lock != NULL;
    if (lock != NULL)
        answer->lock = (struct host_lock_state){(int)lock->queue.value - 1, call_at(lock->made_at), call_at(lock->taken_at)};
}

/* Always false: the launcher does not map the segments, so the thread itself answers when it is asked. */
bool host_has_lock(int slot)
{
    (void)slot;
    return false;
}
