/* What the measurement knows of its thread. A UPC thread is a process, so there is one of each. */
#ifndef MEASURE_STATE_H
#define MEASURE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "clock.h"
#include "tools/measure/counters.h"
#include "tools/measure/format.h"
#include "tools/measure/origin.h"

/* Which code an event takes. */
enum measure_path {
    PATH_NONE,    /* nothing is measured */
    PATH_BUSY,    /* another event is being recorded */
    PATH_ANY,     /* everything that there is to ask */
    PATH_TRACE,   /* a trace without counters, sampling or rate, and nothing is switched off or skipped */
    PATH_PROFILE, /* a profile, likewise */
};

/* What an event's start and end add to the time between them: ticks of a pair with nothing inside, and by how many that may be wrong. */
struct measure_pair_cost {
    uint32_t ticks, error;
};

/* A pair that has started and not ended. */
struct measure_open {
    const upcr_site *site;
    uint32_t tag;
    uint32_t flags; /* enum measure_open_is */
    uint32_t origin;
    uint32_t node;
    uint64_t start;
    uint64_t inside; /* ticks in timed pairs inside */
    uint64_t slow;   /* upcr_inst_slow at the start; MEASURE_NO_SAMPLE of one that says nothing of those that are only counted */
};

#define MEASURE_NO_SAMPLE UINT64_MAX

/* Of `mode`, beside what the file says: the trace has reached its largest size. */
enum { MEASURE_MODE_TRUNCATED = 1 << 8 };

enum measure_open_is {
    OPEN_TRACED = 1, /* its start is in the trace */
    OPEN_TIMED = 2,  /* its time goes into the profile */
    OPEN_LEAN = 4,   /* its end has nothing to tell but its time */
};

/* Room for pairs that are no calls on top of the deepest call. */
enum { MEASURE_LEAVES = 64 };

struct measure_state {
    enum measure_path path;
    enum measure_path calm; /* the path for the next event */
    unsigned mode;          /* enum measure_mode */
    bool on;                /* pupc_control */
    bool ended;
    unsigned counters;
    uint32_t deepest;  /* UPC_MEASURE_DEPTH */
    uint32_t sample, hot;
    uint32_t access_sample; /* the same for reads and writes of shared objects */
    bool adapts_sample;     /* fewer of those that come fast: the user has not said how many */
    uint32_t clock_cost;    /* ticks between two readings of the clock that follow each other */
    struct measure_pair_cost profile_pair, trace_pair; /* calibrate.c */
    uint32_t capacity; /* of the stack */
    uint32_t skipped;  /* open calls that are too deep */
    uint32_t depth;
    struct measure_open *open; /* the innermost is open[depth]; open[0] is none */
    uint64_t *open_counters;   /* for each of these: counters at its start, and counted in pairs inside */
    uint64_t now_counters[MEASURE_COUNTERS];
    uint64_t rate;             /* events of a window; 0: any number */
    uint64_t window, window_end, window_left; /* in ticks */
    uint64_t leaves;           /* ticks in pairs that nothing else happens in, while places are only counting */
    uint64_t raised;
    uint64_t dropped_sampling, dropped_rate, dropped_size, dropped_depth, dropped_control, dropped_reentry;
};
extern struct measure_state measure_state UPCR_HIDDEN;

/* Ticks of the trace, by those of upcr_clock_ticks: half of the processor's, so that short times take one byte. */
static inline uint64_t measure_ticks(uint64_t ticks)
{
    return upcr_clock_is_counter ? ticks >> 1 : ticks;
}

static inline uint64_t measure_now(void)
{
#if defined(__x86_64__)
    if (__builtin_expect(upcr_clock_is_counter, 1))
        return __rdtsc() >> 1;
#endif
    return upcr_clock_system_ns();
}

/* The same when what was done before is complete: a read has its value. */
static inline uint64_t measure_now_done(void)
{
#if defined(__x86_64__)
    if (__builtin_expect(upcr_clock_is_counter, 1)) {
        __builtin_ia32_lfence();
        return __rdtsc() >> 1;
    }
#endif
    return upcr_clock_system_ns();
}

/* Chooses `calm` by the rest of the state. */
void measure_choose_path(void);

#endif
