/* Atomic operations on memory of other groups. The thread that the memory has affinity to performs them. */
#include "runtime.h"

#include <string.h>

#include "transport/messages/net.h"

_Static_assert(sizeof(upcr_pts_t) <= sizeof((struct net_atomic *)0)->operand1, "an operand fits");

void upcr_tp_atomic(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch)
{
    int to = (int)upcr_threadof(target);
    _Atomic int left = 1;
    struct net_atomic atomic = {(uint8_t)cell, operand1 != NULL, operand2 != NULL, fetch != NULL, op, {0}, {0}};
    size_t bytes = upcr_cell_bytes(cell);
    net_check_place(target, bytes);
    if (operand1 != NULL)
        memcpy(atomic.operand1, operand1, bytes);
    if (operand2 != NULL)
        memcpy(atomic.operand2, operand2, bytes);
    net_enter();
    net_flush(to);
    net_get_counts(to);
    struct net_message *message = net_begin(NET_atomic);
    message->a = upcr_addrfield(target);
    message->b = (uint64_t)(uintptr_t)fetch;
    message->c = (uint64_t)(uintptr_t)&left;
    memcpy(message->data, &atomic, sizeof atomic);
    net_send(message, to, sizeof atomic);
    net_look_for(&left);
    net_leave();
    net_await(&left);
}

void net_on_atomic(struct net_message *message, int from, size_t data)
{
    struct net_atomic atomic;
    (void)data;
    memcpy(&atomic, message->data, sizeof atomic);
    struct net_message *got = net_begin(NET_got);
    got->b = message->b;
    got->c = message->c;
    alignas(16) unsigned char old[16], operand1[16], operand2[16];
    memcpy(operand1, atomic.operand1, sizeof operand1);
    memcpy(operand2, atomic.operand2, sizeof operand2);
    size_t bytes = atomic.has_fetch ? upcr_cell_bytes((enum upcr_cell)atomic.cell) : 0;
    upcr_cell_apply((enum upcr_cell)atomic.cell, atomic.op, net_at(upcr_mythread, message->a), atomic.has1 ? operand1 : NULL, atomic.has2 ? operand2 : NULL,
                    atomic.has_fetch ? old : NULL);
    memcpy(got->data, old, bytes);
    net_send(got, from, bytes);
}

static struct upcr_mutex *guard_of(const void *place)
{
    return &net.group->guards[((uintptr_t)place >> 4) % NET_GUARDS];
}

/* Guards are chosen by the offset in the segment, because the processes of a group have their segments at different
   addresses. */
static const void *offset_of(const void *place)
{
    return (const void *)(uintptr_t)((const char *)place - upcr_segment_base);
}

void upcr_tp_guard(const void *place)
{
    upcr_mutex_lock(guard_of(offset_of(place)));
}

void upcr_tp_unguard(const void *place)
{
    upcr_mutex_unlock(guard_of(offset_of(place)));
}
