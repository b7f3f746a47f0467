/* Transfers that were started. A start returns at once: what may not go yet stays in a lane, which has the queues of one
   peer, and whoever has the engine sends it when answers have come. Short transfers do not wait for long ones.

   Long transfers and sets go in pieces, so that neither side keeps the engine for long. The wire moves the bytes of long
   ones between the two memories; a request announces each piece. How much is under way is bounded for a process and
   for a peer, whatever the program starts. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include "transport/messages/net.h"

enum {
    PIECE = 1 << 17,         /* bytes that the wire moves at once: 30 to 45 us on one machine, where a processor copies them */
    NETWORK_PIECE = 1 << 19, /* the same to another machine, which the wire divides further: a piece is a request and an answer */
    LANE_PIECES = 16,        /* pieces under way between two processes, */
    START_PIECES = 1,        /* of them, those that a start sends itself, */
    LANE_SETS = 4,           /* pieces of sets, which keep the target from others, */
    PIECES_MOST = 64,        /* and pieces of a process */
};

/* A transfer, or what is left of it. */
struct transfer {
    struct transfer *next; /* in the lane */
    struct net_start what;
    struct lane *lane; /* valid as long as a piece is under way */
    _Atomic int *left; /* one of what it counts */
    int missing;       /* completions of pieces that are under way */
};

/* Transfers of which something has not been sent. */
struct started {
    struct transfer *first, *last;
};

struct lane {
    struct lane *next;
    int peer;
    struct started shorts, longs;
    int pieces; /* under way */
};

static struct lane *lanes, *last_lane; /* those that have anything queued or under way */
static int pieces;                     /* under way, of all lanes */
static bool is_starting;               /* the main thread starts a transfer, and may compute next */
_Atomic int net_puts_left;

static int fragment_tag(void)
{
    /* No process has as many pieces under way as there are tags. */
    static int tag;
    return tag = (tag + 1) % NET_EXCHANGE_TAG;
}

/* ---- Ends ----------------------------------------------------------------------------------------------------------- */

static bool is_get(const struct transfer *transfer)
{
    switch (transfer->what.kind) {
    case NET_START_GET:
    case NET_START_GET_LONG:
    case NET_START_GET_IOV:
        return true;
    case NET_START_PUT:
    case NET_START_PUT_LONG:
    case NET_START_PUT_IOV:
    case NET_START_SET:
        return false;
    }
    __builtin_unreachable();
}

static void finish(struct transfer *transfer)
{
    if (!is_get(transfer))
        net_count(&net_puts_left, -1);
    struct net_start what = transfer->what;
    if (what.kind == NET_START_GET_IOV || what.kind == NET_START_PUT_IOV)
        free(what.at);
    if (what.then == NULL)
        net_count(transfer->left, -1);
    free(transfer);
    if (what.then != NULL)
        what.then(what.of);
}

static void completed(struct transfer *transfer)
{
    if (--transfer->missing == 0 && transfer->what.n == 0)
        finish(transfer);
}

/* A piece is over on both sides. */
static void piece_is_over(uint64_t argument, int peer)
{
    struct transfer *transfer = (struct transfer *)(uintptr_t)argument;
    (void)peer;
    pieces--;
    transfer->lane->pieces--;
    completed(transfer);
    net_advance();
}

static void piece_is_sent(uint64_t argument, int to)
{
    (void)to;
    completed((struct transfer *)(uintptr_t)argument);
}

/* ---- Pieces --------------------------------------------------------------------------------------------------------- */

static struct net_message *begin_piece(enum net_kind kind, const struct transfer *transfer, size_t n)
{
    struct net_message *message = net_begin(kind);
    message->a = transfer->what.offset;
    message->b = n;
    message->c = (uint64_t)(uintptr_t)transfer;
    return message;
}

/* Posts the receive before the request, so that the answer finds it. */
static void get_piece(struct transfer *transfer, int from, size_t n)
{
    int tag = fragment_tag();
    wire_receive_long(transfer->what.at, n, from, WIRE_GET, tag, piece_is_over, (uint64_t)(uintptr_t)transfer);
    struct net_message *message = begin_piece(NET_get_long, transfer, n);
    message->count = (uint32_t)tag;
    net_send(message, from, 0);
    transfer->missing++;
}

/* A piece of a put completes twice: its bytes have been sent, and they have been written. */
static void put_piece(struct transfer *transfer, int to, size_t n)
{
    int tag = fragment_tag();
    struct net_message *message = begin_piece(NET_put_long, transfer, n);
    message->count = (uint32_t)tag;
    net_send(message, to, 0);
    wire_send_long(transfer->what.at, n, to, WIRE_PUT, tag, piece_is_sent, (uint64_t)(uintptr_t)transfer);
    transfer->missing += 2;
}

static void set_piece(struct transfer *transfer, int to, size_t n)
{
    struct net_message *message = begin_piece(NET_set, transfer, n);
    message->count = transfer->what.value;
    net_send(message, to, 0);
    transfer->missing++;
}

static bool start_piece(struct lane *lane, struct transfer *transfer, size_t most, int lane_most, void (*start)(struct transfer *, int, size_t))
{
    struct net_start *what = &transfer->what;
    size_t n = what->n < most ? what->n : most;
    if (lane->pieces >= lane_most || pieces >= PIECES_MOST)
        return false;
    lane->pieces++;
    pieces++;
    transfer->lane = lane;
    start(transfer, lane->peer, n);
    if (what->at != NULL)
        what->at += n;
    what->offset += n;
    what->n -= n;
    return true;
}

/* ---- Lanes ---------------------------------------------------------------------------------------------------------- */

static void append_transfer(struct started *queue, struct transfer *transfer)
{
    transfer->next = NULL;
    if (queue->first == NULL)
        queue->first = transfer;
    else
        queue->last->next = transfer;
    queue->last = transfer;
}

static void remove_transfer(struct started *queue)
{
    queue->first = queue->first->next;
}

/* Sends a get that messages answer. */
static bool start_short_get(struct lane *lane)
{
    struct transfer *transfer = lane->shorts.first;
    if (!net_may_get(lane->peer, transfer->what.n))
        return false;
    net_request(transfer->what.at, lane->peer, transfer->what.offset, transfer->what.n, transfer->left);
    remove_transfer(&lane->shorts);
    finish(transfer);
    return true;
}

/* Sends short puts, as many as there are and a message holds. */
static bool start_short_puts(struct lane *lane)
{
    if (!net_may_put(lane->peer))
        return false;
    struct net_message *message = net_begin(NET_puts);
    size_t data = 0;
    while (lane->shorts.first != NULL && lane->shorts.first->what.kind == NET_START_PUT) {
        struct transfer *transfer = lane->shorts.first;
        if (!net_add_put(message, &data, lane->peer, transfer->what.offset, transfer->what.at, transfer->what.n))
            break;
        remove_transfer(&lane->shorts);
        /* The message is counted before the put is not. */
        if (message->count == 1)
            net_put_counts(lane->peer);
        finish(transfer);
    }
    net_send(message, lane->peer, data);
    return true;
}

/* Sends a message that was made when it might not go yet. */
static bool start_message(struct lane *lane)
{
    struct transfer *transfer = lane->shorts.first;
    bool get = is_get(transfer);
    if (get ? !net_may_get(lane->peer, 1) : !net_may_put(lane->peer))
        return false;
    const struct net_message *made = (const struct net_message *)(void *)transfer->what.at;
    struct net_message *message = net_begin((enum net_kind)made->kind);
    memcpy(message, made, sizeof *made + transfer->what.n);
    /* The message is counted before the transfer is not. */
    (get ? net_get_counts : net_put_counts)(lane->peer);
    net_send(message, lane->peer, transfer->what.n);
    remove_transfer(&lane->shorts);
    finish(transfer);
    return true;
}

static size_t piece_bytes(int peer)
{
    return net.host[peer] == net.host[upcr_mythread] ? PIECE : NETWORK_PIECE;
}

/* Returns how many pieces of long transfers may be under way between two processes. A start returns soon: whoever has the
   engine next sends the others. */
static int lane_pieces(void)
{
    return is_starting ? START_PIECES : LANE_PIECES;
}

/* Sends something of the first transfer of a queue. False: that may not go yet. */
static bool start_some(struct lane *lane, struct started *queue)
{
    struct transfer *transfer = queue->first;
    bool started = false;
    switch (transfer->what.kind) {
    case NET_START_GET:
        return start_short_get(lane);
    case NET_START_PUT:
        return start_short_puts(lane);
    case NET_START_GET_IOV:
    case NET_START_PUT_IOV:
        return start_message(lane);
    case NET_START_GET_LONG:
        started = start_piece(lane, transfer, piece_bytes(lane->peer), lane_pieces(), get_piece);
        break;
    case NET_START_PUT_LONG:
        started = start_piece(lane, transfer, piece_bytes(lane->peer), lane_pieces(), put_piece);
        break;
    case NET_START_SET:
        started = start_piece(lane, transfer, NET_SET_MOST, LANE_SETS, set_piece);
        break;
    }
    if (transfer->what.n == 0)
        remove_transfer(queue);
    return started;
}

static void start_what_may(struct lane *lane, struct started *queue)
{
    while (queue->first != NULL && start_some(lane, queue))
        continue;
}

static struct started *queue_for(struct lane *lane, enum net_start_kind kind)
{
    switch (kind) {
    case NET_START_GET:
    case NET_START_PUT:
    case NET_START_GET_IOV:
    case NET_START_PUT_IOV:
        return &lane->shorts;
    case NET_START_GET_LONG:
    case NET_START_PUT_LONG:
    case NET_START_SET:
        return &lane->longs;
    }
    __builtin_unreachable();
}

static struct lane *find_lane(int peer)
{
    struct lane *lane = lanes;
    while (lane != NULL && lane->peer != peer)
        lane = lane->next;
    return lane;
}

static struct lane *new_lane(int peer)
{
    struct lane *lane = net_memory(sizeof *lane);
    *lane = (struct lane){.peer = peer};
    if (lanes == NULL)
        lanes = lane;
    else
        last_lane->next = lane;
    last_lane = lane;
    return lane;
}

/* Moves the first lane behind the others, so that each is the first to get what is free in its turn. */
static void rotate_lanes(void)
{
    struct lane *first = lanes;
    if (first == last_lane)
        return;
    lanes = first->next;
    first->next = NULL;
    last_lane->next = first;
    last_lane = first;
}

bool net_is_moving(void)
{
    return lanes != NULL;
}

bool net_is_queued(int peer)
{
    const struct lane *lane = find_lane(peer);
    return lane != NULL && lane->shorts.first != NULL;
}

void net_advance(void)
{
    struct lane *before = NULL, *next;
    for (struct lane *lane = lanes; lane != NULL; lane = next) {
        next = lane->next;
        start_what_may(lane, &lane->shorts);
        start_what_may(lane, &lane->longs);
        if (lane->shorts.first != NULL || lane->longs.first != NULL || lane->pieces != 0) {
            before = lane;
            continue;
        }
        *(before == NULL ? &lanes : &before->next) = next;
        if (last_lane == lane)
            last_lane = before;
        free(lane);
    }
    if (lanes != NULL)
        rotate_lanes();
}

static void enqueue(int peer, struct net_start what, _Atomic int *left)
{
    struct transfer *transfer = net_memory(sizeof *transfer);
    *transfer = (struct transfer){.what = what, .left = left};
    if (!is_get(transfer))
        net_count(&net_puts_left, 1);
    struct lane *lane = find_lane(peer);
    if (lane == NULL)
        lane = new_lane(peer);
    append_transfer(queue_for(lane, what.kind), transfer);
    net_advance();
}

void net_start(int peer, struct net_start what, _Atomic int *left)
{
    net_enter();
    net_flush(peer);
    net_count(left, 1);
    is_starting = true;
    enqueue(peer, what, left);
    is_starting = false;
    net_leave();
    /* The main thread may compute next. */
    net_call_back();
}

void net_continue(int peer, struct net_start what)
{
    enqueue(peer, what, NULL);
}

void net_one_less(uint64_t counter, int from)
{
    (void)from;
    net_count((_Atomic int *)(uintptr_t)counter, -1);
}

/* ---- The end of the program ----------------------------------------------------------------------------------------- */

/* Drops the gets of a queue that have not been sent: nobody has waited for them. */
static void drop_gets(struct started *queue)
{
    struct transfer *next, *first = queue->first;
    queue->first = NULL;
    for (struct transfer *transfer = first; transfer != NULL; transfer = next) {
        next = transfer->next;
        if (!is_get(transfer) || transfer->what.then != NULL) {
            append_transfer(queue, transfer);
            continue;
        }
        transfer->what.n = 0;
        if (transfer->missing == 0)
            finish(transfer);
    }
}

void net_end_transfers(void)
{
    struct net_patience patience = {0};
    net_enter();
    for (struct lane *lane = lanes; lane != NULL; lane = lane->next) {
        drop_gets(&lane->shorts);
        drop_gets(&lane->longs);
    }
    net_advance();
    net_leave();
    for (bool moves = true; moves;) {
        net_enter();
        moves = net_is_moving() || net_answers_are_missing();
        net_leave();
        if (moves)
            net_pause(&patience, NULL, 0);
    }
}

/* ---- The other side ------------------------------------------------------------------------------------------------- */

static void nothing(uint64_t argument, int from)
{
    (void)argument, (void)from;
}

void net_on_get_long(struct net_message *message, int from, size_t data)
{
    (void)data;
    wire_send_long(net_at(upcr_mythread, message->a), message->b, from, WIRE_GET, (int)message->count, nothing, 0);
}

static void put_is_done(uint64_t transfer, int from)
{
    upcr_full_fence();
    struct net_message *done = net_begin(NET_put_done);
    done->c = transfer;
    net_send(done, from, 0);
}

void net_on_put_long(struct net_message *message, int from, size_t data)
{
    (void)data;
    wire_receive_long(net_at(upcr_mythread, message->a), message->b, from, WIRE_PUT, (int)message->count, put_is_done, message->c);
}

void net_on_set(struct net_message *message, int from, size_t data)
{
    (void)data;
    memset(net_at(upcr_mythread, message->a), (int)message->count, message->b);
    if (message->c != 0) {
        put_is_done(message->c, from);
        return;
    }
    upcr_full_fence();
    net_acknowledge(from);
}

void net_on_put_done(struct net_message *message, int from, size_t data)
{
    (void)data;
    piece_is_over(message->c, from);
}
