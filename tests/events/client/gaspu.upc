/* The UPC side of the tool: compiled with the user's program, and with the user's flags. */
#ifndef RAISE_EVENTS
#pragma pupc off
#endif
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include <upc_collective.h>
#include <upc_tick.h>

#include "upcalls.h"

static int never;

void gaspu_init(int *mythread, int *threads)
{
    *mythread = MYTHREAD;
    *threads = THREADS;
    /* So that the linker takes the tool from its library. No declaration of it is in sight. */
    if (never)
        gasp_init(0, 0, 0);
}

void gaspu_barrier(void)
{
    upc_barrier;
}

void gaspu_ticks_now(tool_ticks *now)
{
    *now = upc_ticks_now();
}

void gaspu_ticks_to_sec(tool_ticks ticks, double *seconds)
{
    *seconds = upc_ticks_to_ns(ticks) * 1e-9;
}

void gaspu_getenv(const char *name, const char **value)
{
    *value = getenv(name);
}

/* An upcall with an access in it that may raise an event itself. */
static shared int scratch[THREADS];

void gaspu_dump_shared(void *pts, char *text, int room)
{
    shared void *p = *(shared void **)pts;
    scratch[(MYTHREAD + 1) % THREADS] = 1;
    if (p == NULL)
        snprintf(text, room, "null");
    else
        snprintf(text, room, "%d:%d", (int)upc_threadof(p), (int)upc_phaseof(p));
}

int gaspu_upcall_threadof(void *pts)
{
    return (int)upc_threadof(*(shared void **)pts);
}

struct named {
    int value;
    const char *name;
};

static void join(const struct named *table, int bits, char *text, int room)
{
    int length = 0;
    for (text[0] = 0; table->name; table++)
        if (bits & table->value)
            length += snprintf(text + length, room - length, "%s%s", length ? "+" : "", table->name);
}

void gaspu_flags_to_string(int flags, char *text, int room)
{
    static const struct named table[] = {{UPC_IN_ALLSYNC, "in-all"},   {UPC_IN_MYSYNC, "in-my"},   {UPC_IN_NOSYNC, "in-no"},
                                         {UPC_OUT_ALLSYNC, "out-all"}, {UPC_OUT_MYSYNC, "out-my"}, {UPC_OUT_NOSYNC, "out-no"}, {0, 0}};
    join(table, flags, text, room);
}

void gaspu_op_to_string(int op, char *text, int room)
{
    static const struct named table[] = {{UPC_ADD, "add"}, {UPC_MULT, "mult"}, {UPC_MIN, "min"}, {UPC_MAX, "max"}, {UPC_FUNC, "func"}, {0, 0}};
    join(table, op, text, room);
}
