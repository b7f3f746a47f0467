#include "runtime.h"

#include <errno.h>
#include <stdlib.h>

#include "tools/measure/define.h"
#include "tools/measure/file.h"
#include "tools/measure/trace.h"

struct measure_trace measure_trace;

static uint8_t *buffer;
static size_t buffer_bytes;
static uint64_t max_file;
static uint64_t events_before; /* those in the file */
static uint64_t last_counters[MEASURE_COUNTERS];

/* What a reader must know to read this block without the ones before it. */
static void begin_block(void)
{
    const struct measure_state *state = &measure_state;
    uint8_t *at = buffer + MEASURE_BLOCK_HEADER;
    uint32_t traced = 0;
    measure_trace.block++;
    measure_trace.time = measure_now();
    at = measure_put(at, measure_trace.time);
    at = measure_put(at, upcr_clock_system_ns());
    for (unsigned i = 0; i < state->counters; i++)
        at = measure_put(at, last_counters[i]);
    for (uint32_t i = 1; i <= state->depth; i++)
        traced += state->open[i].flags & OPEN_TRACED;
    at = measure_put(at, traced);
    for (uint32_t i = 1; i <= state->depth; i++)
        if (state->open[i].flags & OPEN_TRACED)
            at = measure_put(at, state->open[i].origin);
    measure_trace.at = at;
}

bool measure_trace_start(uint64_t bytes, uint64_t limit)
{
    /* Whatever is open fits. */
    size_t least = 4 * VARINT_MAX + (size_t)measure_state.capacity * 5 + MEASURE_COUNTERS * VARINT_MAX + 4 * MEASURE_RECORD_MAX;
    size_t room = bytes > least ? bytes : least;
    buffer = malloc(MEASURE_BLOCK_HEADER + room);
    if (buffer == NULL)
        return false;
    /* Its pages are there when events come. */
    memset(buffer, 0, MEASURE_BLOCK_HEADER + room);
    buffer_bytes = room;
    max_file = limit;
    measure_trace.full = buffer + MEASURE_BLOCK_HEADER + room - MEASURE_RECORD_MAX;
    if (measure_state.counters != 0)
        measure_counters_read(last_counters);
    begin_block();
    return true;
}

static bool write_block(void)
{
    size_t length = (size_t)(measure_trace.at - buffer) - MEASURE_BLOCK_HEADER;
    measure_define_flush();
    return measure_file_append(BLOCK_EVENTS, buffer, length);
}

/* The rest of the run is counted, but not traced. */
static void give_up(const char *why)
{
    struct measure_state *state = &measure_state;
    state->mode &= ~(unsigned)MODE_TRACE;
    state->mode |= MEASURE_MODE_TRUNCATED;
    measure_choose_path();
    if (upcr_mythread == 0)
        upcr_warn("the trace ends here: %s", why);
}

/* Events of a block that could not be written. */
static void lose_block(void)
{
    measure_state.dropped_size += measure_trace.events - events_before;
    measure_trace.events = events_before;
    for (uint32_t id = 1; id < measure_origin_count; id++)
        if (measure_origins[id].block == measure_trace.block)
            measure_origins[id].traced = measure_origins[id].traced_before;
}

void measure_trace_flush(void)
{
    sigset_t before;
    measure_file_hold(&before);
    bool written = write_block();
    int error = errno;
    if (!written)
        lose_block();
    events_before = measure_trace.events;
    begin_block();
    measure_file_release(&before);
    if (!written)
        give_up(strerror(error));
    else if (!measure_file_has_room(buffer_bytes, max_file))
        give_up("the file would become larger than UPC_MEASURE_MAX_FILE");
}

void measure_trace_finish(void)
{
    if (measure_trace.lost > 0)
        measure_trace_note(NOTE_LOST, 1, measure_trace.lost, 0);
    if (!write_block())
        lose_block();
}

void measure_trace_note(enum measure_note note, unsigned values, uint64_t first, uint64_t second)
{
    uint8_t *at = measure_put(measure_trace.at, 1);
    at = measure_put(at, 0);
    at = measure_put(at, note);
    if (values > 0)
        at = measure_put(at, first);
    if (values > 1)
        at = measure_put(at, second);
    measure_trace.at = at;
}

void measure_trace_check(void)
{
    if (measure_trace.at >= measure_trace.full)
        measure_trace_flush();
}

void measure_trace_renew(struct measure_origin *origin, uint32_t id)
{
    memset(origin->last, 0, sizeof origin->last);
    origin->block = measure_trace.block;
    origin->traced_before = origin->traced;
    if (measure_state.sample > 1 && origin->raised > measure_state.hot)
        measure_trace_note(NOTE_WEIGHT, 2, id, measure_state.sample);
}

uint8_t *measure_trace_counters(uint8_t *at)
{
    for (unsigned i = 0; i < measure_state.counters; i++) {
        at = measure_put(at, measure_state.now_counters[i] - last_counters[i]);
        last_counters[i] = measure_state.now_counters[i];
    }
    return at;
}
