/* The independent functions of <bupc_extensions.h>: pointers, time, distance, and tracing, which is not supported. */
#include "runtime.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "transport/transport.h"

enum { SAME = 0, VERYNEAR = 100, FAR = 300 };
enum { DUMP_LENGTH = 100 };

#pragma GCC visibility push(default)
void bupc_poll(void);
char *bupc_getenv(const char *name);
int bupc_dump_shared(upcr_pts_t ptr, char *buffer, int capacity);
void *bupc_cast(upcr_pts_t ptr);
int bupc_castable(upcr_pts_t ptr);
int bupc_thread_castable(unsigned thread);
upcr_pts_t bupc_local_to_shared(void *ptr, int thread, int phase);
upcr_pts_t bupc_inverse_cast(void *ptr);
upcr_pts_t bupc_ptradd(upcr_pts_t p, size_t block, size_t size, ptrdiff_t n);
uint64_t bupc_ticks_now(void);
uint64_t bupc_ticks_to_us(uint64_t ticks);
uint64_t bupc_ticks_to_ns(uint64_t ticks);
double bupc_tick_granularityus(void);
double bupc_tick_overheadus(void);
unsigned bupc_thread_distance(int x, int y);
void bupc_trace_setmask(const char *mask);
const char *bupc_trace_getmask(void);
void bupc_stats_setmask(const char *mask);
const char *bupc_stats_getmask(void);
int bupc_trace_gettracelocal(void);
void bupc_trace_settracelocal(int value);
#pragma GCC visibility pop

/* Programs call it in loops that wait for another thread, which may need this processor. */
void bupc_poll(void)
{
    upcr_fence();
    sched_yield();
}

char *bupc_getenv(const char *name)
{
    return getenv(name);
}

int bupc_dump_shared(upcr_pts_t ptr, char *buffer, int capacity)
{
    if (buffer == NULL || capacity < DUMP_LENGTH) {
        errno = EINVAL;
        return -1;
    }
    if (upcr_is_null(ptr))
        snprintf(buffer, (size_t)capacity, "<NULL>");
    else
        snprintf(buffer, (size_t)capacity, "<address=0x%zx (addrfield=0x%zx), thread=%zu, phase=%zu>", (size_t)upcr_addr(ptr), upcr_addrfield(ptr),
                 upcr_threadof(ptr), upcr_phaseof(ptr));
    return 0;
}

void *bupc_cast(upcr_pts_t ptr)
{
    return upcr_mapped(upcr_threadof(ptr)) ? upcr_local(ptr) : NULL;
}

int bupc_castable(upcr_pts_t ptr)
{
    return upcr_is_null(ptr) || upcr_mapped(upcr_threadof(ptr));
}

int bupc_thread_castable(unsigned thread)
{
    return thread < (unsigned)upcr_threads && upcr_mapped(thread);
}

upcr_pts_t bupc_local_to_shared(void *ptr, int thread, int phase)
{
    size_t owner, offset;
    if (ptr == NULL)
        return UPCR_NULL;
    if (!upcr_find_place(ptr, &owner, &offset))
        upcr_die("bupc_local_to_shared: %p is not in shared memory", ptr);
    if (thread < 0 || thread >= upcr_threads)
        upcr_die("bupc_local_to_shared: there is no thread %d", thread);
    return upcr_make((size_t)thread, (size_t)phase, offset);
}

upcr_pts_t bupc_inverse_cast(void *ptr)
{
    size_t owner, offset;
    return ptr != NULL && upcr_find_place(ptr, &owner, &offset) ? upcr_make(owner, 0, offset) : UPCR_NULL;
}

upcr_pts_t bupc_ptradd(upcr_pts_t p, size_t block, size_t size, ptrdiff_t n)
{
    if (block == 0)
        return upcr_add0(p, n * (ptrdiff_t)size);
    return block == 1 ? upcr_add1(p, n, size) : upcr_addb(p, n, size, block);
}

uint64_t bupc_ticks_now(void)
{
    return upcr_clock_ticks();
}

uint64_t bupc_ticks_to_ns(uint64_t ticks)
{
    return upcr_clock_to_ns(ticks);
}

uint64_t bupc_ticks_to_us(uint64_t ticks)
{
    return upcr_clock_to_ns(ticks) / 1000;
}

/* Measures the smallest difference between two readings, and the mean time of a reading, in microseconds. */
static void measure_clock(double *step, double *reading)
{
    enum { READINGS = 1000 };
    uint64_t first = upcr_clock_ticks(), last = first, smallest = UINT64_MAX;
    for (int i = 0; i < READINGS; i++) {
        uint64_t now = upcr_clock_ticks();
        if (now > last && now - last < smallest)
            smallest = now - last;
        last = now;
    }
    *step = (double)upcr_clock_to_ns(smallest) / 1e3;
    *reading = (double)upcr_clock_to_ns(last - first) / 1e3 / READINGS;
}

double bupc_tick_granularityus(void)
{
    double step, reading;
    measure_clock(&step, &reading);
    return step;
}

double bupc_tick_overheadus(void)
{
    double step, reading;
    measure_clock(&step, &reading);
    return reading;
}

unsigned bupc_thread_distance(int x, int y)
{
    if (x < 0 || x >= upcr_threads || y < 0 || y >= upcr_threads)
        upcr_die("bupc_thread_distance: threads %d and %d, but there are only %d", x, y, upcr_threads);
    return x == y ? SAME : upcr_tp_together(x, y) ? VERYNEAR : FAR;
}

/* Berkeley's own tracing has no counterpart: the masks are accepted and empty. */
void bupc_trace_setmask(const char *mask)
{
    (void)mask;
}

const char *bupc_trace_getmask(void)
{
    return "";
}

void bupc_stats_setmask(const char *mask)
{
    (void)mask;
}

const char *bupc_stats_getmask(void)
{
    return "";
}

int bupc_trace_gettracelocal(void)
{
    return 0;
}

void bupc_trace_settracelocal(int value)
{
    (void)value;
}
