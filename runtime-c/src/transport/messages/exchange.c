/* The data that collective functions send from group to group. A small amount is a parcel, which the wire keeps at the
   receiver until it is asked for; the wire copies a large amount from memory to memory. */
#include "runtime.h"

#include <string.h>

#include "transport/messages/net.h"

enum { LARGEST_COUNT = 1 << 30 };

/* A thread that waits for so long asks whether the other has left the program, and again after pauses that grow. */
enum { STEPS_WITHOUT_CLOCK = 64 };
static const int64_t FIRST_QUESTION_NS = 200 * 1000 * 1000, LAST_PAUSE_NS = 2000 * 1000 * 1000;

int upcr_tp_groups(void)
{
    return net.groups;
}

int upcr_tp_group_first(int group)
{
    return group < net.groups ? net.leader[group] : upcr_threads;
}

int upcr_tp_group_of(int thread)
{
    int low = 0, high = net.groups;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (net.leader[middle] <= thread)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- Parcels ----------------------------------------------------------------------------------------------------- */

static _Atomic int parcel_left; /* 1: the parcel that the main thread waits for is missing */

bool net_take_parcel(void)
{
    if (atomic_load_explicit(&parcel_left, memory_order_relaxed) == 0 || !wire_take_parcel())
        return false;
    net_count(&parcel_left, -1);
    return true;
}

/* ---- From memory to memory --------------------------------------------------------------------------------------- */

static void start_receive(int from, char *dst, size_t n, _Atomic int *left)
{
    for (size_t done = 0; done < n; done += LARGEST_COUNT) {
        size_t bytes = n - done < LARGEST_COUNT ? n - done : LARGEST_COUNT;
        net_count(left, 1);
        wire_receive_long(dst + done, bytes, from, WIRE_GET, NET_EXCHANGE_TAG, net_one_less, (uint64_t)(uintptr_t)left);
    }
}

static void start_send(int to, const char *src, size_t n, _Atomic int *left)
{
    for (size_t done = 0; done < n; done += LARGEST_COUNT) {
        size_t bytes = n - done < LARGEST_COUNT ? n - done : LARGEST_COUNT;
        net_count(left, 1);
        wire_send_long(src + done, bytes, to, WIRE_GET, NET_EXCHANGE_TAG, net_one_less, (uint64_t)(uintptr_t)left);
        net_sent++;
        net_sent_to_exchanges++;
        net_sent_bytes += bytes;
    }
}

/* Long transfers that the exchange in progress waits for. */
static _Atomic int exchange_left;

/* ---- Threads that have left -------------------------------------------------------------------------------------- */

enum { NOBODY = -1 };

/* The threads that the exchange in progress may wait for. */
static struct {
    int sender, receiver; /* NOBODY: nothing comes, or what goes does not wait */
} exchange_partners;

/* The partner that has answered that it has left the program. */
static struct {
    uint32_t left; /* as upcr_tp_has_left returns it; 0: none has */
    int thread;
} leaver;

void net_on_ask_left(struct net_message *message, int from, size_t data)
{
    (void)message, (void)data;
    struct net_message *reply = net_begin(NET_left);
    reply->count = upcr_tp_has_left(upcr_mythread);
    net_send_head(reply, from);
}

void net_on_left(struct net_message *message, int from, size_t data)
{
    (void)data;
    if (message->count == 0 || (from != exchange_partners.sender && from != exchange_partners.receiver))
        return;
    leaver.left = message->count;
    leaver.thread = from;
}

static void ask_whether_left(int thread)
{
    if (thread != NOBODY)
        net_send_head(net_begin(NET_ask_left), thread);
}

/* Asks the partners, or ends the job if one had left when it was asked last: what it sent before has come since. */
static void ask_partners(void)
{
    net_enter();
    uint32_t left = leaver.left;
    int thread = leaver.thread;
    ask_whether_left(exchange_partners.sender);
    if (exchange_partners.receiver != exchange_partners.sender)
        ask_whether_left(exchange_partners.receiver);
    net_leave();
    if (left != 0)
        upcr_partner_left(thread, left);
}

static bool exchange_goes_on(void)
{
    /* Acquires the bytes that have come from net_count. */
    return atomic_load_explicit(&parcel_left, memory_order_acquire) != 0 || atomic_load_explicit(&exchange_left, memory_order_acquire) != 0;
}

static void await_exchange(void)
{
    struct net_patience patience = {0};
    int64_t pause = FIRST_QUESTION_NS, next = 0;
    while (exchange_goes_on()) {
        net_pause(&patience, NULL, 0);
        if (patience.backoff_ns == 0 && patience.step < STEPS_WITHOUT_CLOCK)
            continue;
        int64_t now = upcr_clock_now_ns();
        if (next != 0 && now >= next) {
            ask_partners();
            pause = pause < LAST_PAUSE_NS ? 2 * pause : pause;
        }
        if (next == 0 || now >= next)
            next = now + pause;
    }
}

/* ---- The contract ------------------------------------------------------------------------------------------------ */

static void begin_long(int to, const void *src, size_t n, int from, void *dst, size_t m)
{
    if (m > NET_AT_ONCE)
        start_receive(from, dst, m, &exchange_left);
    if (n > NET_AT_ONCE)
        start_send(to, src, n, &exchange_left);
}

/* Starts an exchange, within net_enter; returns whether anything is left of it. The parcel has mostly come where its
   sender is ahead. */
static inline bool begin_exchange(int to, const void *src, size_t n, int from, void *dst, size_t m)
{
    bool goes_on = n > NET_AT_ONCE || m > NET_AT_ONCE;
    if (goes_on)
        begin_long(to, src, n, from, dst, m);
    if (n != 0 && n <= NET_AT_ONCE)
        net_send_parcel(to, src, n);
    if (m != 0 && m <= NET_AT_ONCE && !wire_receive_parcel(dst, m, from)) {
        net_count(&parcel_left, 1);
        goes_on = true;
    }
    if (goes_on) {
        leaver.left = 0;
        exchange_partners.sender = m != 0 ? from : NOBODY;
        exchange_partners.receiver = n > NET_AT_ONCE ? to : NOBODY;
    }
    return goes_on;
}

void upcr_tp_exchange_begin(int to, const void *src, size_t n, int from, void *dst, size_t m)
{
    net_enter();
    begin_exchange(to, src, n, from, dst, m);
    net_leave();
}

void upcr_tp_exchange_end(void)
{
    if (exchange_goes_on())
        await_exchange();
}

void upcr_tp_exchange(int to, const void *src, size_t n, int from, void *dst, size_t m)
{
    /* The engine is entered only once: most parcels come with the first polls. A parcel that had come before is received
       without a poll for messages, so it does not keep the communication thread from polling. */
    net_enter();
    bool goes_on = begin_exchange(to, src, n, from, dst, m);
    if (atomic_load_explicit(&parcel_left, memory_order_relaxed) != 0)
        net_look_for(&parcel_left);
    net_leave();
    if (goes_on)
        upcr_tp_exchange_end();
}
