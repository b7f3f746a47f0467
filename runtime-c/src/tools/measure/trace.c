#include "runtime.h"

#include <errno.h>
#include <stdlib.h>

#include "tools/measure/define.h"
#include "tools/measure/file.h"
#include "tools/measure/trace.h"

/* What a reader must know to read this block without the ones before it. */
static void begin_block(struct measure_state *state)
{
    struct measure_trace *trace = &state->trace;
    uint8_t *at = trace->buffer + MEASURE_BLOCK_HEADER;
    uint32_t traced = 0;
    /* Nothing is to be written while the head is not whole. */
    trace->at = trace->records = at;
    trace->block++;
    trace->time = measure_now();
    if (state->number != 0)
        at = measure_put(at, state->number);
    at = measure_put(at, trace->time);
    at = measure_put(at, upcr_clock_system_ns());
    for (unsigned i = 0; i < state->counters; i++)
        at = measure_put(at, trace->last_counters[i]);
    for (uint32_t i = 1; i <= state->depth; i++)
        traced += state->open[i].flags & OPEN_TRACED;
    at = measure_put(at, traced);
    for (uint32_t i = 1; i <= state->depth; i++)
        if (state->open[i].flags & OPEN_TRACED)
            at = measure_put(at, state->open[i].event_site);
    trace->at = trace->records = at;
}

size_t measure_trace_bytes(uint64_t bytes, uint32_t capacity)
{
    /* Whatever is open fits, and an event with as many arguments as there may be. */
    size_t least =
        5 * VARINT_MAX + (size_t)capacity * 5 + MEASURE_COUNTERS * VARINT_MAX + 4 * MEASURE_RECORD_MAX + (size_t)MEASURE_MOST_ARGS * MEASURE_WIDE_COLUMN;
    return bytes > least ? bytes : least;
}

void measure_trace_start(struct measure_state *state, uint8_t *buffer)
{
    const size_t bytes = measure_run->buffer_bytes;
    state->trace.buffer = buffer;
    state->trace.full = buffer + MEASURE_BLOCK_HEADER + bytes - MEASURE_RECORD_MAX;
    /* Its pages are there when events come. */
    if (state->number == 0)
        memset(buffer, 0, MEASURE_BLOCK_HEADER + bytes);
    if (state->counters != 0)
        measure_counters_read(state, state->trace.last_counters);
    begin_block(state);
}

static bool write_block(struct measure_state *state)
{
    size_t length = (size_t)(state->trace.at - state->trace.buffer) - MEASURE_BLOCK_HEADER;
    bool taken = measure_lock();
    measure_define_flush();
    bool written = measure_file_append(state->number == 0 ? BLOCK_EVENTS : BLOCK_PTHREAD_EVENTS, state->trace.buffer, length);
    int error = errno;
    measure_unlock(taken);
    errno = error;
    return written;
}

/* The rest of the run is counted, but not traced. */
static void give_up(struct measure_state *state, const char *why)
{
    bool first = !__atomic_exchange_n(&measure_run->truncated, true, __ATOMIC_RELAXED);
    state->mode &= ~(unsigned)MODE_TRACE;
    state->mode |= MEASURE_MODE_TRUNCATED;
    measure_choose_path(state);
    if (upcr_mythread == 0 && first)
        upcr_warn("the trace ends here: %s", why);
}

/* Events of a block that could not be written. */
static void lose_block(struct measure_state *state)
{
    state->dropped_size += state->trace.events - state->trace.events_before;
    state->trace.events = state->trace.events_before;
    for (uint32_t id = 1; id < measure_run->event_site_count; id++)
        if (state->event_sites[id].block == state->trace.block)
            state->event_sites[id].traced = state->event_sites[id].traced_before;
}

void measure_trace_flush(struct measure_state *state)
{
    sigset_t before;
    measure_file_hold(&before);
    bool written = write_block(state);
    int error = errno;
    if (!written)
        lose_block(state);
    state->trace.events_before = state->trace.events;
    begin_block(state);
    measure_file_release(&before);
    if (!written)
        give_up(state, strerror(error));
    else if (!measure_file_has_space(measure_run->buffer_bytes, measure_run->max_file))
        give_up(state, "the file would become larger than UPC_MEASURE_MAX_FILE");
}

void measure_trace_finish(struct measure_state *state)
{
    if (state->trace.lost > 0)
        measure_trace_note(state, NOTE_LOST, 1, state->trace.lost, 0);
    state->trace.lost = 0;
    if (state->trace.at == state->trace.records && (state->number != 0 || measure_run->salvaged))
        return;
    if (!write_block(state))
        lose_block(state);
    state->trace.events_before = state->trace.events;
    state->trace.at = state->trace.records;
}

void measure_trace_note(struct measure_state *state, enum measure_note note, unsigned values, uint64_t first, uint64_t second)
{
    uint8_t *at = measure_put(state->trace.at, 1);
    at = measure_put(at, 0);
    at = measure_put(at, note);
    if (values > 0)
        at = measure_put(at, first);
    if (values > 1)
        at = measure_put(at, second);
    state->trace.at = at;
}

void measure_trace_check(struct measure_state *state)
{
    if (state->trace.at >= state->trace.full)
        measure_trace_flush(state);
}

void measure_trace_renew(struct measure_state *state, struct measure_event_site *event_site, uint32_t id)
{
    memset(event_site->last, 0, sizeof event_site->last);
    if (event_site->wide != NULL)
        memset(event_site->wide->last, 0, event_site->columns * sizeof *event_site->wide->last);
    event_site->block = state->trace.block;
    event_site->traced_before = event_site->traced;
    if (state->sample > 1 && event_site->raised > state->hot)
        measure_trace_note(state, NOTE_WEIGHT, 2, id, state->sample);
}

uint8_t *measure_trace_wide(uint8_t *at, const struct measure_event_site *event_site)
{
    enum { GROUP = 64 };
    const uint64_t *columns = event_site->wide->columns;
    uint64_t *last = event_site->wide->last;
    for (unsigned first = 0; first < event_site->columns; first += GROUP) {
        const unsigned end = event_site->columns - first < GROUP ? event_site->columns : first + GROUP;
        uint64_t mask = 0;
        for (unsigned i = first; i < end; i++)
            mask |= (uint64_t)(columns[i] != last[i]) << (i - first);
        at = measure_put(at, mask);
        for (unsigned i = first; i < end; i++)
            if (columns[i] != last[i])
                at = measure_put(at, measure_zigzag(columns[i] - last[i]));
    }
    memcpy(last, columns, event_site->columns * sizeof *last);
    return at;
}

uint8_t *measure_trace_counters(struct measure_state *state, uint8_t *at)
{
    for (unsigned i = 0; i < state->counters; i++) {
        at = measure_put(at, state->now_counters[i] - state->trace.last_counters[i]);
        state->trace.last_counters[i] = state->now_counters[i];
    }
    return at;
}
