/* The trace: records of events, collected in a buffer that is written as a block when it is full. */
#ifndef MEASURE_TRACE_H
#define MEASURE_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tools/measure/bytes.h"
#include "tools/measure/state.h"

/* The longest record with the notes before it: for few columns, and the bytes of each further column. */
enum { MEASURE_RECORD_MAX = (8 + MEASURE_COLUMNS + MEASURE_COUNTERS + 8) * VARINT_MAX, MEASURE_WIDE_COLUMN = VARINT_MAX + 1 };

/* Returns the bytes of a buffer for this number of open pairs if the user requests `bytes`. */
size_t measure_trace_bytes(uint64_t bytes, uint32_t capacity);

/* Starts the trace in a buffer of measure_run->buffer_bytes after space for a block's header. */
void measure_trace_start(struct measure_state *state, uint8_t *buffer);

/* Writes the current block, with definitions before it, and begins another one. */
void measure_trace_flush(struct measure_state *state);

/* The same at the end; open pairs stay open. Async-signal-safe. */
void measure_trace_finish(struct measure_state *state);

/* Writes a note with up to two values. A caller that writes notes without events calls measure_trace_check. */
void measure_trace_note(struct measure_state *state, enum measure_note note, unsigned values, uint64_t first, uint64_t second);

void measure_trace_check(struct measure_state *state);

/* Resets an event site's last values to those of a block's start. */
void measure_trace_renew(struct measure_state *state, struct measure_event_site *event_site, uint32_t id);

static inline void measure_trace_done(struct measure_state *state, uint8_t *at)
{
    state->trace.events++;
    state->trace.at = at;
    if (__builtin_expect(at >= state->trace.full, 0))
        measure_trace_flush(state);
}

/* Writes the time of a record, whose lowest bit says what follows. Clocks of two processors may differ slightly. */
static inline uint8_t *measure_trace_time(struct measure_state *state, uint8_t *at, uint64_t now, unsigned bit)
{
    uint64_t passed = now > state->trace.time ? now - state->trace.time : 0;
    state->trace.time += passed;
    return measure_put(at, passed << 1 | bit);
}

/* Looks at the time of an end that will be recorded whether the pthread has waited for a processor. */
static inline void measure_trace_look(struct measure_state *state, uint64_t now)
{
    if (__builtin_expect(now >= state->trace.next_look, 0))
        measure_processor_look(state, now, true);
}

/* The same for a start. Returns its time: behind the look. */
static inline uint64_t measure_trace_look_start(struct measure_state *state, uint64_t now)
{
    return __builtin_expect(now < state->trace.next_look, 1) ? now : measure_processor_look(state, now, false);
}

/* Writes what the counters have counted since the last record, from `now_counters`. */
uint8_t *measure_trace_counters(struct measure_state *state, uint8_t *at);

/* Writes the end of the innermost pair. */
static inline void measure_trace_end(struct measure_state *state, uint64_t now)
{
    uint8_t *at = measure_trace_time(state, state->trace.at, now, 0);
    if (__builtin_expect(state->counters != 0, 0))
        at = measure_trace_counters(state, at);
    measure_trace_done(state, at);
}

/* Writes columns as a mask and differences; count: at most MEASURE_COLUMNS, preferably a constant. */
static inline __attribute__((__always_inline__)) uint8_t *measure_trace_columns(uint8_t *at, struct measure_event_site *event_site, const uint64_t *columns,
                                                                                unsigned count)
{
    uint8_t *mask_at = at;
    unsigned mask = 0;
    at += count > 7 ? 2 : 1;
    for (unsigned i = 0; i < count; i++) {
        uint64_t difference = columns[i] - event_site->last[i];
        if (difference == 0)
            continue;
        mask |= 1u << i;
        event_site->last[i] = columns[i];
        at = measure_put(at, measure_zigzag(difference));
    }
    mask_at[0] = (uint8_t)(mask | (count > 7 ? 0x80 : 0));
    if (count > 7)
        mask_at[1] = (uint8_t)(mask >> 7);
    return at;
}

/* The same for any number of columns, which are in event_site->wide. */
uint8_t *measure_trace_wide(uint8_t *at, const struct measure_event_site *event_site);

/* Writes an event with an event site of its own. */
static inline __attribute__((__always_inline__)) void measure_trace_event(struct measure_state *state, struct measure_event_site *event_site, uint32_t id,
                                                                          uint64_t now, const uint64_t *columns, unsigned count)
{
    if (__builtin_expect(event_site->block != state->trace.block, 0))
        measure_trace_renew(state, event_site, id);
    uint8_t *at = measure_trace_time(state, state->trace.at, now, 1);
    at = measure_put(at, id);
    event_site->traced++;
    /* An event site with fewer arguments is never wide. */
    if (__builtin_expect(count > MEASURE_ARGS && event_site->wide != NULL, 0))
        at = measure_trace_wide(at, event_site);
    else if (count != 0)
        at = measure_trace_columns(at, event_site, columns, count);
    if (__builtin_expect(state->counters != 0, 0))
        at = measure_trace_counters(state, at);
    measure_trace_done(state, at);
}

#endif
