/* Accesses to memory of other groups.

   Small puts are collected, for each destination, in one message. It is sent when it is full, at the next fence, and
   before any other request to the same process, so requests of a thread to one process are served in order. Each
   such message is acknowledged; a fence waits for the acknowledgements. Long transfers bypass the engine's messages:
   a request announces them, and MPI moves the bytes between the two memories. */
#include "runtime.h"

#include <string.h>

#include "child.h"
#include "remote/collect.h"
#include "transport/host/copy.h"
#include "transport/mpi/mpi.h"

enum {
    PUT_MOST = 2048,          /* bytes of a put that is collected with others */
    OPEN_MOST = 32,           /* destinations for which puts are collected at once */
    UNACKNOWLEDGED_MOST = 64, /* messages of puts under way: more would flood a receiver, so the thread waits */
    FRAGMENT = 1 << 20,
    LONG_MOST = 4,              /* fragments of one transfer */
    GETS_MOST = 128,            /* and gets under way at once */
    MAPPED_GET_MOST = 24 << 10, /* bytes of a get that messages answer, on one machine: MPI's long messages start
                                   later */
};

static int fragment_tag(void)
{
    /* MPI guarantees tags up to 32767; no process has that many transfers under way. */
    static int tag;
    return tag = (tag + 1) % 32767;
}

static bool is_in_group(int peer)
{
    return net.host[peer] == net.host[upcr_mythread];
}

/* Returns the bytes of data that one message carries to a process, or from it. */
static size_t data_most(int peer)
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

static _Atomic int unacknowledged;

/* Sends an open message. Called by whichever thread owns the collections (collect.h), or by the main thread, within
   net_enter. */
static void send_opened(int place)
{
    struct opened *it = &opened[place];
    net_count(&unacknowledged, 1);
    net_send(it->message, it->to, it->data);
    *it = opened[--opened_count];
    upcr_collect_note(UPCR_COLLECTOR_PUTS, (uint32_t)opened_count);
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

/* Waits until this thread may send another message of puts. */
static void hold_back(void)
{
    struct net_patience patience = {0};
    while (atomic_load_explicit(&unacknowledged, memory_order_relaxed) >= UNACKNOWLEDGED_MOST)
        net_pause(&patience, NULL, 0);
}

void net_put_begins(void)
{
    hold_back();
    net_enter();
    net_count(&unacknowledged, 1);
    net_leave();
}

/* Opens a new message for a destination; place: that of the full one, if any. */
static struct opened *open_new(int to, int place)
{
    net_enter();
    if (place < opened_count)
        send_opened(place);
    else if (opened_count == OPEN_MOST)
        send_opened(next_victim++ % OPEN_MOST);
    opened[opened_count] = (struct opened){net_begin(NET_puts), to, 0};
    upcr_collect_note(UPCR_COLLECTOR_PUTS, (uint32_t)++opened_count);
    net_leave();
    return &opened[opened_count - 1];
}

/* Returns the open message for a destination, with space for `data` more bytes. While the thread waits, the other
   messages may be sent; *entered is the result of upcr_collect_enter. */
static struct opened *open_for(int to, size_t data, uint32_t *entered)
{
    upcr_thread_only("an access to memory of another thread");
    for (;;) {
        int place = find_opened(to);
        if (place < opened_count && opened[place].data + data <= data_most(to))
            return &opened[place];
        if (upcr_tp_may_put())
            return open_new(to, place);
        upcr_collect_leave(*entered);
        hold_back();
        *entered = upcr_collect_enter();
    }
}

static void put_small(int to, uint64_t offset, const void *src, size_t n)
{
    struct net_put put = {.offset = offset, .bytes = (uint16_t)n};
    uint32_t entered = upcr_collect_enter();
    struct opened *it = open_for(to, sizeof put + net_padded(n), &entered);
    memcpy(it->message->data + it->data, &put, sizeof put);
    memcpy(it->message->data + it->data + sizeof put, src, n);
    it->data += sizeof put + net_padded(n);
    it->message->count++;
    upcr_collect_leave(entered);
}

bool upcr_tp_may_put(void)
{
    return atomic_load_explicit(&unacknowledged, memory_order_relaxed) < UNACKNOWLEDGED_MOST;
}

bool upcr_tp_send_collected(void)
{
    net_enter();
    while (opened_count > 0 && upcr_tp_may_put())
        send_opened(opened_count - 1);
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
        host_copy(net_at(upcr_mythread, put.offset), at + sizeof put, put.bytes);
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
    (void)message, (void)from, (void)data;
    net_count(&unacknowledged, -1);
}

void net_on_set(struct net_message *message, int from, size_t data)
{
    (void)data;
    memset(net_at(upcr_mythread, message->a), (int)message->c, message->b);
    upcr_full_fence();
    net_acknowledge(from);
}

/* ---- Long transfers ------------------------------------------------------------------------------------------------- */

void net_one_less(uint64_t counter, int from)
{
    (void)from;
    net_count((_Atomic int *)(uintptr_t)counter, -1);
}

static void request_long(enum net_kind kind, int to, uint64_t offset, size_t n, int tag, _Atomic int *left)
{
    struct net_message *message = net_begin(kind);
    message->a = offset;
    message->b = n;
    message->c = (uint64_t)(uintptr_t)left;
    message->count = (uint32_t)tag;
    net_flush(to);
    net_send(message, to, 0);
}

/* Waits until fewer than `most` answers are missing. */
static void await_below(_Atomic int *left, int most)
{
    struct net_patience patience = {0};
    /* Acquires the bytes of the answers from net_count. */
    while (atomic_load_explicit(left, memory_order_acquire) >= most)
        net_pause(&patience, NULL, 0);
}

static void start_get_long(void *dst, int from, uint64_t offset, size_t n, _Atomic int *left)
{
    for (size_t done = 0; done < n;) {
        size_t bytes = n - done < FRAGMENT ? n - done : FRAGMENT;
        MPI_Request request;
        await_below(left, LONG_MOST);
        net_enter();
        int tag = fragment_tag();
        net_check(MPI_Irecv((char *)dst + done, (int)bytes, MPI_BYTE, from, tag, net.gets, &request), "MPI_Irecv");
        net_count(left, 1);
        net_track(request, net_one_less, (uint64_t)(uintptr_t)left, from);
        request_long(NET_get_long, from, offset + done, bytes, tag, left);
        net_leave();
        done += bytes;
    }
}

static void nothing(uint64_t argument, int from)
{
    (void)argument, (void)from;
}

void net_on_get_long(struct net_message *message, int from, size_t data)
{
    MPI_Request request;
    (void)data;
    net_check(MPI_Isend(net_at(upcr_mythread, message->a), (int)message->b, MPI_BYTE, from, (int)message->count, net.gets, &request), "MPI_Isend");
    net_track(request, nothing, 0, from);
}

/* Starts a long put. Each fragment completes twice: the bytes have been sent, and they have been written. */
static void start_put_long(int to, uint64_t offset, const void *src, size_t n, _Atomic int *left)
{
    for (size_t done = 0; done < n;) {
        size_t bytes = n - done < FRAGMENT ? n - done : FRAGMENT;
        MPI_Request request;
        await_below(left, 2 * LONG_MOST);
        net_enter();
        int tag = fragment_tag();
        net_count(left, 2);
        net_count(&unacknowledged, 1);
        request_long(NET_put_long, to, offset + done, bytes, tag, left);
        net_check(MPI_Isend((const char *)src + done, (int)bytes, MPI_BYTE, to, tag, net.puts, &request), "MPI_Isend");
        net_track(request, net_one_less, (uint64_t)(uintptr_t)left, to);
        net_leave();
        done += bytes;
    }
}

static void start_put(int to, uint64_t offset, const void *src, size_t n, _Atomic int *left)
{
    if (n <= PUT_MOST)
        put_small(to, offset, src, n);
    else
        start_put_long(to, offset, src, n, left);
}

static void put_is_done(uint64_t counter, int from)
{
    upcr_full_fence();
    struct net_message *done = net_begin(NET_put_done);
    done->c = counter;
    net_send(done, from, 0);
}

void net_on_put_long(struct net_message *message, int from, size_t data)
{
    MPI_Request request;
    (void)data;
    net_check(MPI_Irecv(net_at(upcr_mythread, message->a), (int)message->b, MPI_BYTE, from, (int)message->count, net.puts, &request), "MPI_Irecv");
    net_track(request, put_is_done, message->c, from);
}

void net_on_put_done(struct net_message *message, int from, size_t data)
{
    (void)data;
    net_count(&unacknowledged, -1);
    net_one_less(message->c, from);
}

/* ---- Gets ----------------------------------------------------------------------------------------------------------- */

/* Returns the largest get that messages answer; longer ones are long transfers. */
static size_t get_most(int from)
{
    return is_in_group(from) ? MAPPED_GET_MOST : NET_DATA_MOST;
}

static int answers(size_t n, int from)
{
    size_t most = data_most(from);
    return (int)((n + most - 1) / most);
}

void net_on_get(struct net_message *message, int from, size_t data)
{
    (void)data;
    size_t most = data_most(from);
    for (size_t done = 0; done < message->count; done += most) {
        struct net_message *got = net_begin(NET_got);
        size_t left = message->count - done, bytes = left < most ? left : most;
        got->b = message->b + done;
        got->c = message->c;
        host_copy(got->data, net_at(upcr_mythread, message->a + done), bytes);
        net_send(got, from, bytes);
    }
}

void net_on_got(struct net_message *message, int from, size_t data)
{
    (void)from;
    if (data != 0)
        host_copy((void *)(uintptr_t)message->b, message->data, data);
    net_count((_Atomic int *)(uintptr_t)message->c, -1);
}

/* Requests a get. Pre: within net_enter, n <= get_most(from). */
static void request(void *dst, int from, uint64_t offset, size_t n, _Atomic int *left)
{
    net_flush(from);
    struct net_message *message = net_begin(NET_get);
    message->a = offset;
    message->b = (uint64_t)(uintptr_t)dst;
    message->c = (uint64_t)(uintptr_t)left;
    message->count = (uint32_t)n;
    net_count(left, answers(n, from));
    net_send(message, from, 0);
}

static void start_get(void *dst, int from, uint64_t offset, size_t n, _Atomic int *left)
{
    if (n > get_most(from)) {
        start_get_long(dst, from, offset, n, left);
        return;
    }
    await_below(left, GETS_MOST);
    net_enter();
    request(dst, from, offset, n, left);
    net_leave();
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
        request(dst, from, upcr_addrfield(src), n, &batch.left);
        net_look_for(&batch.left);
        net_leave();
    } else {
        start_get_long(dst, from, upcr_addrfield(src), n, &batch.left);
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
    start_put(to, upcr_addrfield(dst), src, n, &batch.left);
    upcr_tp_batch_wait(&batch);
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

void upcr_tp_set(upcr_pts_t dst, unsigned char value, size_t n)
{
    int to = (int)upcr_threadof(dst);
    net_check_place(dst, n);
    hold_back();
    net_enter();
    net_flush(to);
    struct net_message *message = net_begin(NET_set);
    message->a = upcr_addrfield(dst);
    message->b = n;
    message->c = value;
    net_count(&unacknowledged, 1);
    net_send(message, to, 0);
    net_leave();
}

void upcr_tp_fence(void)
{
    flush_all();
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
