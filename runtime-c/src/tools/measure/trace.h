/* The trace: records of events, collected in a buffer that is written as a block when it is full. */
#ifndef MEASURE_TRACE_H
#define MEASURE_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tools/measure/bytes.h"
#include "tools/measure/state.h"

struct measure_trace {
    uint8_t *at;   /* behind the last record: what is in front of it may be written at any time */
    uint8_t *full; /* no record begins behind this */
    uint64_t time; /* of the last record */
    uint64_t events;
    uint64_t lost;  /* events left out since the last record */
    uint32_t block; /* number of the block in work, from 1 */
};
extern struct measure_trace measure_trace UPCR_HIDDEN;

/* The longest record, with the notes in front of it. */
enum { MEASURE_RECORD_MAX = (8 + MEASURE_COLUMNS + MEASURE_COUNTERS + 8) * VARINT_MAX };

/* bytes: of the buffer. False: no memory. */
bool measure_trace_start(uint64_t bytes, uint64_t max_file);

/* Writes the block in work, and definitions before it, and begins another one. */
void measure_trace_flush(void);

/* The same at the end. Async-signal-safe. */
void measure_trace_finish(void);

/* A note with up to two values. Whoever writes notes without events calls measure_trace_check. */
void measure_trace_note(enum measure_note note, unsigned values, uint64_t first, uint64_t second);

void measure_trace_check(void);

/* Makes an origin's last values those of a block's start. */
void measure_trace_renew(struct measure_origin *origin, uint32_t id);

static inline void measure_trace_done(uint8_t *at)
{
    measure_trace.events++;
    measure_trace.at = at;
    if (__builtin_expect(at >= measure_trace.full, 0))
        measure_trace_flush();
}

/* Time of a record, with the lowest bit that says what follows. Clocks of two processors may differ by a little. */
static inline uint8_t *measure_trace_time(uint8_t *at, uint64_t now, unsigned bit)
{
    uint64_t passed = now > measure_trace.time ? now - measure_trace.time : 0;
    measure_trace.time += passed;
    return measure_put(at, passed << 1 | bit);
}

/* What the counters have counted since the last record, by `now_counters`. */
uint8_t *measure_trace_counters(uint8_t *at);

/* The innermost pair ends. */
static inline void measure_trace_end(uint64_t now)
{
    uint8_t *at = measure_trace_time(measure_trace.at, now, 0);
    if (__builtin_expect(measure_state.counters != 0, 0))
        at = measure_trace_counters(at);
    measure_trace_done(at);
}

/* Columns as a mask and differences; count: at most MEASURE_COLUMNS, best a constant. */
static inline __attribute__((__always_inline__)) uint8_t *measure_trace_columns(uint8_t *at, struct measure_origin *origin, const uint64_t *columns, unsigned count)
{
    uint8_t *mask_at = at;
    unsigned mask = 0;
    at += count > 7 ? 2 : 1;
    for (unsigned i = 0; i < count; i++) {
        uint64_t difference = columns[i] - origin->last[i];
        if (difference == 0)
            continue;
        mask |= 1u << i;
        origin->last[i] = columns[i];
        at = measure_put(at, measure_zigzag(difference));
    }
    mask_at[0] = (uint8_t)(mask | (count > 7 ? 0x80 : 0));
    if (count > 7)
        mask_at[1] = (uint8_t)(mask >> 7);
    return at;
}

/* An event with an origin of its own. */
static inline __attribute__((__always_inline__)) void measure_trace_event(struct measure_origin *origin, uint32_t id, uint64_t now, const uint64_t *columns, unsigned count)
{
    if (__builtin_expect(origin->block != measure_trace.block, 0))
        measure_trace_renew(origin, id);
    uint8_t *at = measure_trace_time(measure_trace.at, now, 1);
    at = measure_put(at, id);
    origin->traced++;
    if (count != 0)
        at = measure_trace_columns(at, origin, columns, count);
    if (__builtin_expect(measure_state.counters != 0, 0))
        at = measure_trace_counters(at);
    measure_trace_done(at);
}

#endif
