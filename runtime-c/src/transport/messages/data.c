/* Accesses to memory of other groups.

   Small puts are collected, for each destination, in one message. It is sent when it is full, at the next fence, and
   before any other request to the same process, so requests of a thread to one process are served in order. Each
   such message is acknowledged; a fence waits for the acknowledgements. Messages answer short gets. Everything longer,
   and what may not go yet, is in transfer.c. */
#include "runtime.h"

#include <string.h>

#include "child.h"
#include "remote/collect.h"
#include "transport/host/copy.h"
#include "transport/messages/credits.h"
#include "transport/messages/net.h"
#include "update.h"

enum {
    PUT_MOST = 2048,            /* bytes of a put that is collected with others */
    OPEN_MOST = 32,             /* destinations for which puts are collected at once */
    GETS_MOST = 128,            /* answers of gets under way */
    MAPPED_GET_MOST = 24 << 10, /* bytes of a get that messages answer, on one machine: MPI's long messages start
                                   later */
};

static bool is_in_group(int peer)
{
    return net.host[peer] == net.host[upcr_mythread];
}

size_t net_data_most(int peer)
{
    return is_in_group(peer) ? NET_AT_ONCE : NET_DATA_MOST;
}

/* ---- Puts ----------------------------------------------------------------------------------------------------------- */

/* Messages that are being filled. */
static struct opened {
    struct net_message *message;
    int to;
    size_t data;
} opened[OPEN_MOST];
static int opened_count, next_victim;

static _Atomic int unacknowledged, answers_missing; /* messages of puts, and answers of gets, of all peers */

/* The same for each other thread. A peer may have this many messages under way, and twice as many answers. */
static struct under_way {
    _Atomic uint16_t messages, answers;
} * peers;
static int credits;

size_t net_credits_start(int threads)
{
    size_t bytes = (size_t)threads * sizeof *peers;
    peers = net_memory(bytes);
    memset(peers, 0, bytes);
    credits = net_credits_of(threads - net.count);
    return bytes;
}

static int load_count(_Atomic uint16_t *count)
{
    return atomic_load_explicit(count, memory_order_relaxed);
}

/* Changes the counts of a peer and of all. Called within net_enter. */
static void count_both(_Atomic int *all, _Atomic uint16_t *one, int by)
{
    atomic_store_explicit(one, (uint16_t)(load_count(one) + by), memory_order_relaxed);
    net_count(all, by);
}

void net_put_counts(int to)
{
    count_both(&unacknowledged, &peers[to].messages, 1);
}

bool net_may_put(int to)
{
    return upcr_tp_may_put() && load_count(&peers[to].messages) < credits;
}

/* Sends an open message. Called by whichever thread owns the collections (collect.h), or by the main thread, within
   net_enter. */
static void send_opened(int place)
{
    struct opened it = opened[place];
    /* First, because sending takes long: meanwhile the sender (collect.h) would find something collected. */
    opened[place] = opened[--opened_count];
    upcr_collect_note(UPCR_COLLECTOR_PUTS, (uint32_t)opened_count);
    net_put_counts(it.to);
    net_send(it.message, it.to, it.data);
}

static int find_opened(int to)
{
    int place = 0;
    while (place < opened_count && opened[place].to != to)
        place++;
    return place;
}

void net_flush(int to)
{
    int place = find_opened(to);
    if (place < opened_count)
        send_opened(place);
}

static void flush_all(void)
{
    net_enter();
    while (opened_count > 0)
        send_opened(opened_count - 1);
    net_leave();
}

/* Waits until this thread may send another message of puts to a peer. */
static void hold_back(int to)
{
    struct net_patience patience = {0};
    while (!net_may_put(to))
        net_pause(&patience, NULL, 0);
}

void net_put_begins(int to)
{
    hold_back(to);
    net_enter();
    net_put_counts(to);
    net_leave();
}

/* Returns the open message that has to be sent before one for another destination is opened. */
static int victim(void)
{
    for (int i = 0; i < OPEN_MOST; i++) {
        int place = (next_victim + i) % OPEN_MOST;
        if (net_may_put(opened[place].to))
            return place;
    }
    return next_victim;
}

/* Opens a new message for a destination; place: that of the full one, if any. */
static struct opened *open_new(int to, int place)
{
    net_enter();
    if (place < opened_count) {
        send_opened(place);
    } else if (opened_count == OPEN_MOST) {
        int it = victim();
        next_victim = (it + 1) % OPEN_MOST;
        send_opened(it);
    }
    opened[opened_count] = (struct opened){net_begin(NET_puts), to, 0};
    upcr_collect_note(UPCR_COLLECTOR_PUTS, (uint32_t)++opened_count);
    net_leave();
    return &opened[opened_count - 1];
}

/* Returns the open message for a destination, with space for n more bytes; NULL: one more may not be sent yet. */
static struct opened *try_open_for(int to, size_t n)
{
    int place = find_opened(to);
    upcr_thread_only("an access to memory of another thread");
    if (place < opened_count && opened[place].data + sizeof(struct net_put) + net_padded(n) <= net_data_most(to))
        return &opened[place];
    return net_may_put(to) ? open_new(to, place) : NULL;
}

/* Pre: n <= PUT_MOST. */
static struct net_put put_of(uint64_t offset, size_t n)
{
    return (struct net_put){.offset = offset, .bytes = (unsigned)n};
}

/* Adds a write or an update to a message. False: it does not fit. */
static bool add_entry(struct net_message *message, size_t *data, int to, struct net_put put, const void *src)
{
    size_t n = put.bytes;
    if (*data + sizeof put + net_padded(n) > net_data_most(to))
        return false;
    memcpy(message->data + *data, &put, sizeof put);
    host_copy(message->data + *data + sizeof put, src, n);
    *data += sizeof put + net_padded(n);
    message->count++;
    return true;
}

bool net_add_put(struct net_message *message, size_t *data, int to, uint64_t offset, const void *src, size_t n)
{
    return add_entry(message, data, to, put_of(offset, n), src);
}

/* Collects a put or an update. False: that is not possible without waiting. */
static bool try_collect(int to, struct net_put put, const void *src)
{
    uint32_t entered = upcr_collect_enter();
    struct opened *it = try_open_for(to, put.bytes);
    bool is_open = it != NULL && add_entry(it->message, &it->data, to, put, src);
    upcr_collect_leave(entered);
    return is_open;
}

/* While the thread waits, the other messages may be sent. */
static void collect(int to, struct net_put put, const void *src)
{
    while (!try_collect(to, put, src))
        hold_back(to);
}

bool upcr_tp_may_put(void)
{
    return atomic_load_explicit(&unacknowledged, memory_order_relaxed) < NET_UNACKNOWLEDGED_MOST;
}

bool upcr_tp_send_collected(void)
{
    net_enter();
    for (int place = opened_count; place-- > 0;)
        if (net_may_put(opened[place].to))
            send_opened(place);
    bool more_may_go = upcr_tp_may_put();
    net_leave();
    return more_may_go;
}

void net_on_puts(struct net_message *message, int from, size_t data)
{
    const unsigned char *at = message->data;
    (void)data;
    for (uint32_t i = 0; i < message->count; i++) {
        struct net_put put;
        memcpy(&put, at, sizeof put);
        void *place = net_at(upcr_mythread, put.offset);
        if (put.update == UPCR_UPDATE_NONE)
            host_copy(place, at + sizeof put, put.bytes);
        else
            upcr_update_apply((enum upcr_update)put.update, place, at + sizeof put, put.bytes);
        at += sizeof put + net_padded(put.bytes);
    }
    upcr_full_fence();
    net_acknowledge(from);
}

void net_acknowledge(int from)
{
    net_send_head(net_begin(NET_ack), from);
}

void net_on_ack(struct net_message *message, int from, size_t data)
{
    (void)message, (void)data;
    count_both(&unacknowledged, &peers[from].messages, -1);
    net_advance();
}

/* ---- Gets ----------------------------------------------------------------------------------------------------------- */

/* Returns the largest get that messages answer; longer ones are long transfers. */
static size_t get_most(int from)
{
    return is_in_group(from) ? MAPPED_GET_MOST : NET_DATA_MOST;
}

static int answers(size_t n, int from)
{
    size_t most = net_data_most(from);
    return (int)((n + most - 1) / most);
}

void net_on_get(struct net_message *message, int from, size_t data)
{
    (void)data;
    size_t most = net_data_most(from);
    for (size_t done = 0; done < message->count; done += most) {
        struct net_message *got = net_begin(NET_got);
        size_t left = message->count - done, bytes = left < most ? left : most;
        got->b = message->b + done;
        got->c = message->c;
        host_copy(got->data, net_at(upcr_mythread, message->a + done), bytes);
        net_send(got, from, bytes);
    }
}

static void await_below(_Atomic int *left, int most)
{
    struct net_patience patience = {0};
    /* Acquires the bytes of the answers from net_count. */
    while (atomic_load_explicit(left, memory_order_acquire) >= most)
        net_pause(&patience, NULL, 0);
}

/* A get goes if nothing else is under way, however many messages answer it. */
static bool is_free(int count, int more, int most)
{
    return count == 0 || count + more <= most;
}

static bool may_ask(int from, int more)
{
    int all = atomic_load_explicit(&answers_missing, memory_order_relaxed);
    return is_free(all, more, GETS_MOST) && is_free(load_count(&peers[from].answers), more, 2 * credits);
}

bool net_may_get(int from, size_t n)
{
    return may_ask(from, answers(n, from));
}

bool net_answers_are_missing(void)
{
    return atomic_load_explicit(&answers_missing, memory_order_relaxed) != 0;
}

void net_get_counts(int from)
{
    count_both(&answers_missing, &peers[from].answers, 1);
}

void net_get_begins(int from)
{
    struct net_patience patience = {0};
    while (!may_ask(from, 1))
        net_pause(&patience, NULL, 0);
    net_enter();
    net_get_counts(from);
    net_leave();
}

void net_get_ends(int from, _Atomic int *left)
{
    count_both(&answers_missing, &peers[from].answers, -1);
    net_count(left, -1);
    net_advance();
}

void net_on_got(struct net_message *message, int from, size_t data)
{
    if (data != 0)
        host_copy((void *)(uintptr_t)message->b, message->data, data);
    net_get_ends(from, (_Atomic int *)(uintptr_t)message->c);
}

void net_request(void *dst, int from, uint64_t offset, size_t n, _Atomic int *left)
{
    struct net_message *message = net_begin(NET_get);
    message->a = offset;
    message->b = (uint64_t)(uintptr_t)dst;
    message->c = (uint64_t)(uintptr_t)left;
    message->count = (uint32_t)n;
    count_both(&answers_missing, &peers[from].answers, answers(n, from));
    net_count(left, answers(n, from));
    net_send(message, from, 0);
}

/* Requests a get at once, without regard for what is under way. Pre: within net_enter, n <= get_most(from). */
static void request_now(void *dst, int from, uint64_t offset, size_t n, _Atomic int *left)
{
    net_flush(from);
    net_request(dst, from, offset, n, left);
}

/* ---- What is started ------------------------------------------------------------------------------------------------ */

static void start_get(void *dst, int from, uint64_t offset, size_t n, _Atomic int *left)
{
    if (n > get_most(from)) {
        net_start(from, (struct net_start){.kind = NET_START_GET_LONG, .at = dst, .offset = offset, .n = n}, left);
        return;
    }
    net_enter();
    if (net_may_get(from, n) && !net_is_queued(from))
        request_now(dst, from, offset, n, left);
    else
        net_start(from, (struct net_start){.kind = NET_START_GET, .at = dst, .offset = offset, .n = n}, left);
    net_leave();
}

static void start_put(int to, uint64_t offset, const void *src, size_t n, _Atomic int *left)
{
    enum net_start_kind kind = n <= PUT_MOST ? NET_START_PUT : NET_START_PUT_LONG;
    if (kind == NET_START_PUT && try_collect(to, put_of(offset, n), src))
        return;
    /* A put only reads it. */
    net_start(to, (struct net_start){.kind = kind, .at = (char *)(uintptr_t)src, .offset = offset, .n = n}, left);
}

static void start_set(int to, uint64_t offset, unsigned char value, size_t n, _Atomic int *left)
{
    if (n != 0)
        net_start(to, (struct net_start){.kind = NET_START_SET, .value = value, .offset = offset, .n = n}, left);
}

/* ---- The contract --------------------------------------------------------------------------------------------------- */

void upcr_tp_start_get(void *dst, upcr_pts_t src, size_t n, struct upcr_batch *batch)
{
    net_check_place(src, n);
    start_get(dst, (int)upcr_threadof(src), upcr_addrfield(src), n, &batch->left);
}

void upcr_tp_start_put(upcr_pts_t dst, const void *src, size_t n, struct upcr_batch *batch)
{
    net_check_place(dst, n);
    start_put((int)upcr_threadof(dst), upcr_addrfield(dst), src, n, &batch->left);
}

void upcr_tp_start_set(upcr_pts_t dst, unsigned char value, size_t n, struct upcr_batch *batch)
{
    net_check_place(dst, n);
    start_set((int)upcr_threadof(dst), upcr_addrfield(dst), value, n, &batch->left);
}

bool upcr_tp_batch_test(struct upcr_batch *batch)
{
    /* Acquire the bytes of the answers from net_count. */
    if (atomic_load_explicit(&batch->left, memory_order_acquire) == 0)
        return true;
    net_look();
    return atomic_load_explicit(&batch->left, memory_order_acquire) == 0;
}

void upcr_tp_look(void)
{
    net_look();
}

void upcr_tp_batch_wait(struct upcr_batch *batch)
{
    await_below(&batch->left, 1);
}

void upcr_tp_get(void *dst, upcr_pts_t src, size_t n)
{
    struct upcr_batch batch = {0};
    int from = (int)upcr_threadof(src);
    if (net_is_mine(from)) {
        memcpy(dst, upcr_addr(src), n);
        return;
    }
    net_check_place(src, n);
    if (n <= get_most(from)) {
        net_enter();
        request_now(dst, from, upcr_addrfield(src), n, &batch.left);
        net_look_for(&batch.left);
        net_leave();
    } else {
        start_get(dst, from, upcr_addrfield(src), n, &batch.left);
    }
    upcr_tp_batch_wait(&batch);
}

/* Waits for the end of a long put, because a later request for the same bytes must find them. */
void upcr_tp_put(upcr_pts_t dst, const void *src, size_t n)
{
    struct upcr_batch batch = {0};
    int to = (int)upcr_threadof(dst);
    if (net_is_mine(to)) {
        memcpy(upcr_addr(dst), src, n);
        return;
    }
    net_check_place(dst, n);
    if (n <= PUT_MOST)
        collect(to, put_of(upcr_addrfield(dst), n), src);
    else
        start_put(to, upcr_addrfield(dst), src, n, &batch.left);
    upcr_tp_batch_wait(&batch);
}

void upcr_tp_update(upcr_pts_t place, enum upcr_update update, const void *value, size_t n)
{
    int to = (int)upcr_threadof(place);
    struct net_put put = put_of(upcr_addrfield(place), n);
    if (net_is_mine(to)) {
        upcr_update_apply(update, upcr_addr(place), value, n);
        return;
    }
    net_check_place(place, n);
    put.update = update;
    collect(to, put, value);
}

/* Measured on one machine; between machines a get takes several times as long. */
struct upcr_distance upcr_tp_distance(void)
{
    return (struct upcr_distance){.get = 2000, .put = 20, .served = 10};
}

void upcr_tp_copy(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    static char between[1 << 16];
    if (net_is_mine((int)upcr_threadof(dst))) {
        upcr_tp_get(upcr_addr(dst), src, n);
        return;
    }
    if (net_is_mine((int)upcr_threadof(src))) {
        upcr_tp_put(dst, upcr_addr(src), n);
        return;
    }
    for (size_t done = 0; done < n;) {
        size_t bytes = n - done < sizeof between ? n - done : sizeof between;
        upcr_tp_get(between, upcr_field(src, done), bytes);
        upcr_tp_put(upcr_field(dst, done), between, bytes);
        done += bytes;
    }
}

static void set_at_once(int to, uint64_t offset, unsigned char value, size_t n)
{
    net_put_begins(to);
    net_enter();
    net_flush(to);
    struct net_message *message = net_begin(NET_set);
    message->a = offset;
    message->b = n;
    message->count = value;
    net_send(message, to, 0);
    net_leave();
}

/* Waits for the end of a long one, as upcr_tp_put does. */
void upcr_tp_set(upcr_pts_t dst, unsigned char value, size_t n)
{
    struct upcr_batch batch = {0};
    net_check_place(dst, n);
    if (n <= NET_SET_MOST)
        set_at_once((int)upcr_threadof(dst), upcr_addrfield(dst), value, n);
    else
        start_set((int)upcr_threadof(dst), upcr_addrfield(dst), value, n, &batch.left);
    upcr_tp_batch_wait(&batch);
}

void upcr_tp_fence(void)
{
    flush_all();
    /* Puts that were queued become messages before they are no longer counted. */
    await_below(&net_puts_left, 1);
    await_below(&unacknowledged, 1);
    upcr_full_fence();
}

bool upcr_tp_together(int a, int b)
{
    /* The threads of each machine are divided into groups in the order of their numbers. */
    if (net.host[a] != net.host[b])
        return false;
    return (a - net.host[a]) / net.width == (b - net.host[b]) / net.width;
}
