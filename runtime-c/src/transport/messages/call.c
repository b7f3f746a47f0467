/* Functions of the runtime that run in another process. */
#include "runtime.h"

#include <string.h>

#include "transport/messages/net.h"

_Static_assert(UPCR_CALL_MOST <= NET_DATA_MOST, "the data of a call fit a message");

void upcr_tp_call(int thread, void (*work)(void *), void *data, size_t n)
{
    struct net_op op = {.dst = data, .left = 1};
    if (net_is_mine(thread)) {
        work(data);
        return;
    }
    net_enter();
    struct net_message *message = net_begin(NET_call);
    /* All processes run the same program, but each has loaded it at a different address. */
    message->a = (uintptr_t)work - (uintptr_t)upcr_tp_call;
    message->c = (uintptr_t)&op;
    memcpy(message->data, data, n);
    net_send(message, thread, n);
    net_leave();
    net_await(&op.left);
}

void net_on_call(struct net_message *message, int from, size_t data)
{
    void (*work)(void *) = (void (*)(void *))(message->a + (uintptr_t)upcr_tp_call);
    work(message->data);
    struct net_message *reply = net_begin(NET_called);
    reply->c = message->c;
    memcpy(reply->data, message->data, data);
    net_send(reply, from, data);
}

void net_on_called(struct net_message *message, int from, size_t data)
{
    struct net_op *op = (struct net_op *)(uintptr_t)message->c;
    (void)from;
    memcpy(op->dst, message->data, data);
    /* Publishes the data to net_await. */
    atomic_store_explicit(&op->left, 0, memory_order_release);
}
