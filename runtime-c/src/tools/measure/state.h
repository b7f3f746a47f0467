/* What the measurement knows: of its thread (measure_run), and of each pthread of it that raises events (measure_state). All of it lies in memory that
   outlives the process (memory.h). */
#ifndef MEASURE_STATE_H
#define MEASURE_STATE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "clock.h"
#include "tools/lock.h"
#include "tools/measure/counters.h"
#include "tools/measure/format.h"
#include "tools/measure/processor.h"
#include "tools/measure/event_site.h"

/* Which code an event takes. */
enum measure_path {
    PATH_NONE,    /* nothing is measured */
    PATH_BUSY,    /* another event is being recorded */
    PATH_ANY,     /* everything that there is to ask */
    PATH_TRACE,   /* a trace without counters, sampling or rate, and nothing is switched off or skipped */
    PATH_PROFILE, /* a profile, likewise */
};

/* What an event's start and end add to the time between them, in sixteenths of a tick; and the standard error of this mean, in ticks. The clock of some
   processors advances by ten ticks and more at a time: only means are exact. */
enum { MEASURE_TICK = 16 };
struct measure_pair_cost {
    uint32_t parts, error;
};

/* A pair that has started and not ended. */
struct measure_open {
    const upcr_site *site;
    uint32_t tag;
    uint32_t flags; /* enum measure_open_is */
    uint32_t event_site;
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
    OPEN_LEAN = 4,   /* its end has nothing but its time */
};

/* Room for pairs that are no calls on top of the deepest call. */
enum { MEASURE_LEAVES = 64 };

/* A transfer under way, which does not nest: started by one call and ended by another. When there are more, the rest are not timed. */
enum { MEASURE_FLIGHTS = 64 };
struct measure_flight {
    uint64_t handle, start;
    uint32_t tag, node;
};

/* The block of the trace in work. */
struct measure_trace {
    uint8_t *at;        /* after the last record: what is in front of it may be written at any time */
    uint8_t *full;      /* no record begins after this */
    uint64_t time;      /* of the last record */
    uint64_t next_look; /* measure_processor_look */
    uint64_t events;
    uint64_t lost;             /* events left out since the last record */
    uint32_t block;            /* number of the block in work, from 1 */
    uint8_t *buffer, *records; /* room for a block's header; its first record */
    uint64_t events_before;    /* those in the file */
    uint64_t last_counters[MEASURE_COUNTERS];
};

/* The profile: nodes, and a table of them by open addressing, 0 where there is none, at most half full. */
struct measure_tree {
    struct measure_node *nodes;
    uint32_t *table, mask;
    uint64_t *counted; /* measure_node_counters */
    uint32_t used;     /* nodes, the root included */
    uint64_t full;     /* events that found no node */
};

/* What is only counted: budget.c. */
struct measure_budget {
    struct upcr_skip_counts *counts; /* upcr_inst_skip_counts of this pthread while it counts */
    struct upcr_skip_counts **where; /* that variable */
    struct measure_counting *active;
    uint32_t count; /* of the active ones */
    uint32_t random;
    uint64_t leaves; /* ticks in pairs that nothing else happens in, while places are only counting */
};

struct measure_state {
    /* What every event needs. */
    enum measure_path path;
    enum measure_path calm; /* the path for the next event */
    bool asked;             /* there is something to look at: measure_run->on or measure_run->stopped has changed */
    bool on;                /* pupc_control */
    bool adapts_sample;     /* fewer of those that come fast: the user has not said how many */
    unsigned mode;          /* enum measure_mode */
    uint32_t depth;
    uint32_t deepest;  /* UPC_MEASURE_DEPTH */
    uint32_t capacity; /* of the stack */
    unsigned counters;
    struct measure_open *open;              /* the innermost is open[depth]; open[0] is none */
    struct measure_event_site *event_sites; /* by the ids of measure_run; those that this pthread has not met have no tag */
    uint64_t raised;
    struct measure_trace trace;
    struct measure_tree tree;
    struct measure_budget budget;
    uint32_t sample, hot;
    uint32_t access_sample;                            /* the same for reads and writes of shared objects */
    uint32_t clock_cost;                               /* ticks between two readings of the clock that follow each other */
    struct measure_pair_cost profile_pair, trace_pair; /* calibrate.c */
    /* What some need. */
    uint32_t skipped;        /* open calls that are too deep */
    uint64_t *open_counters; /* for each of the open pairs: counters at its start, and counted in pairs inside */
    uint64_t now_counters[MEASURE_COUNTERS];
    struct measure_group group;
    struct measure_processor processor;
    uint64_t rate;                            /* events of a window; 0: any number */
    uint64_t window, window_end, window_left; /* in ticks */
    uint64_t dropped_sampling, dropped_rate, dropped_size, dropped_depth, dropped_control, dropped_reentry;
    struct measure_flight flights[MEASURE_FLIGHTS];
    /* Of a pthread. */
    struct measure_state *next;
    uint32_t number; /* from 1 in the order in which they raised their first events; 0: the thread's first, which has the thread's own stream of events */
    uint64_t born;   /* ticks */
    bool merged;     /* what it has counted is in another state */
    bool may_count;  /* see budget.c */
};

/* Of this pthread; measure_nobody before its first event, and where nothing is measured. */
extern UPCR_PTHREAD_LOCAL struct measure_state *measure_self UPCR_HIDDEN;
extern struct measure_state measure_nobody UPCR_HIDDEN;

/* Definitions on their way into the file: define.c. */
struct measure_definitions {
    uint8_t *stage, *first, *end, *at;
    uint32_t texts, event_sites; /* how many have an id */
    bool is_event_site;          /* the entry in work */
    bool dropped;                /* some are not in the file, and never will be */
};

/* The file: file.c. */
struct measure_output {
    char path[PATH_MAX];
    uint64_t device, inode;
    uint32_t written; /* blocks of this thread that are in the file */
    unsigned lost;    /* kinds of those that could not be written, as bits */
    int error;        /* why the first of them could not */
    bool shared;      /* threads of other machines append to it, too */
};

struct measure_run {
    struct upcr_tool_lock lock; /* for all that is not said to belong to one pthread */
    int thread, threads;
    bool on;
    bool stopped;    /* nothing is recorded any more */
    bool ended;      /* all is in the file */
    bool salvaged;   /* the launcher writes it */
    bool calibrated; /* the events are those of the program */
    bool truncated;
    unsigned mode; /* enum measure_mode */
    uint64_t max_file;
    uint32_t most_nodes;
    size_t buffer_bytes;
    struct measure_event_site *event_sites; /* definitions; element 0 stands for none */
    uint32_t event_site_count;              /* element 0 included */
    struct measure_state settings;          /* what each pthread begins with */
    struct measure_state *first, *states;   /* the thread's first pthread; all that live */
    struct measure_state *retired, *spare;  /* what those that have ended counted, in sum; room for others */
    uint32_t pthreads;
    uint64_t pthread_ticks; /* that those that have ended were there */
    uint64_t began;         /* when the tool was ready, and the program began on this thread */
    uint32_t nodes_written, samples_written, counts_written;
    struct measure_definitions define;
    struct measure_output file;
};
extern struct measure_run *measure_run UPCR_HIDDEN; /* NULL: nothing is measured */

/* Ticks of the trace, by those of upcr_clock_ticks: half of the processor's, so that short times take one byte. */
static inline uint64_t measure_ticks(uint64_t ticks)
{
    return upcr_clock_is_counter ? ticks >> 1 : ticks;
}

static inline uint64_t measure_now(void)
{
#if defined(__x86_64__)
    if (__builtin_expect(upcr_clock_is_counter, 1))
        return __builtin_ia32_rdtsc() >> 1;
#endif
    return upcr_clock_system_ns();
}

/* The same when what was done before is complete: a read has its value. */
static inline uint64_t measure_now_done(void)
{
    upcr_clock_separate();
    return measure_now();
}

static inline bool measure_lock(void)
{
    return upcr_tool_lock(&measure_run->lock);
}

static inline void measure_unlock(bool taken)
{
    upcr_tool_unlock(&measure_run->lock, taken);
}

/* Chooses `calm` by the rest of the state. */
void measure_choose_path(struct measure_state *state);

#endif
