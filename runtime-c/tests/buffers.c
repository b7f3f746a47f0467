/* Free buffers of messages go back to the system, however many messages were under way at once. The wire is a stand-in,
   for which all messages stay under way until it is allowed to complete them. */
#define _GNU_SOURCE
#include "test.h"

/* Counts the buffers that the engine has. */
static int allocated;

static void *counted_realloc(void *old, size_t bytes)
{
    allocated += old == NULL;
    return realloc(old, bytes);
}

static void counted_free(void *old)
{
    allocated -= old != NULL;
    free(old);
}

#define realloc counted_realloc
#define free    counted_free
#include "transport/messages/engine.c"
#undef realloc
#undef free
#include "transport/messages/wakeup.c"

enum { MESSAGES = 3000, KEPT = 64 }; /* KEPT: docs/scale.md, "Credits" */

/* ---- The wire ------------------------------------------------------------------------------------------------------- */

static struct {
    wire_done *done;
    uint64_t argument;
} under_way[MESSAGES];
static int under_way_count;
static bool completes;

bool wire_send(void *message, size_t bytes, int to, wire_done *done, uint64_t argument)
{
    (void)message, (void)bytes, (void)to;
    CHECK(under_way_count < MESSAGES);
    under_way[under_way_count].done = done;
    under_way[under_way_count++].argument = argument;
    return false;
}

bool wire_send_parcel_at_once(const void *parcel, size_t bytes, int to)
{
    (void)parcel, (void)bytes, (void)to;
    return false;
}

bool wire_send_parcel(const void *parcel, size_t bytes, int to, wire_done *done, uint64_t argument)
{
    return wire_send((void *)(uintptr_t)parcel, bytes, to, done, argument);
}

int wire_sends(void)
{
    return under_way_count;
}

int wire_reap_sends(void)
{
    int count = completes ? under_way_count : 0;
    for (int i = 0; i < count; i++)
        under_way[i].done(under_way[i].argument, 0);
    under_way_count -= count;
    return count;
}

/* ---- What the engine calls besides: nothing comes, and nothing else is under way ------------------------------------ */

const bool wire_wakes = false;

int wire_alarm(void)
{
    return WIRE_HAS_COME;
}

bool wire_take(struct wire_arrival *arrival)
{
    (void)arrival;
    return false;
}

void wire_handled(const struct wire_arrival *arrival)
{
    (void)arrival;
}

int wire_longs(void)
{
    return 0;
}

int wire_reap_longs(void)
{
    return 0;
}

void wire_open(void)
{
}

void wire_close(void)
{
}

bool net_take_parcel(void)
{
    return false;
}

bool net_is_moving(void)
{
    return false;
}

bool net_discard_some(void)
{
    return false;
}

bool net_is_discarding(void)
{
    return false;
}

void net_barrier_poll(void)
{
}

#define HANDLER(name, what)                                                \
    void net_on_##name(struct net_message *message, int from, size_t data) \
    {                                                                      \
        (void)message, (void)from, (void)data;                             \
    }
NET_MESSAGES(HANDLER)
#undef HANDLER

/* ---- The test ------------------------------------------------------------------------------------------------------- */

static void send_many(int count)
{
    net_enter();
    for (int i = 0; i < count; i++)
        net_send(net_begin(NET_puts), 0, 0);
    net_leave();
}

static void complete_all(void)
{
    completes = true;
    net_enter();
    wire_reap_sends();
    net_leave();
    completes = false;
    CHECK(under_way_count == 0);
}

int main(void)
{
    for (int round = 0; round < 3; round++) {
        send_many(MESSAGES);
        CHECK(allocated == MESSAGES);
        complete_all();
        CHECK(allocated == KEPT);
        /* Those that were kept are used again. */
        send_many(KEPT);
        CHECK(allocated == KEPT);
        complete_all();
        CHECK(allocated == KEPT);
    }
    return 0;
}
