/* What happens at an event. A trace alone and a profile alone have short ways, written so that the compiler makes a function of each;
   everything else goes by slow_path.c. */
#include "tools/measure/event.h"

#include "tools/measure/fast_path.h"
#include "tools/measure/pthreads.h"

struct measure_state measure_nobody = {.path = PATH_NONE};
UPCR_PTHREAD_LOCAL struct measure_state *measure_self = &measure_nobody;
struct measure_run *measure_run;

/* Room for a record with so many columns. False: the trace has ended. */
static bool reserve_columns(struct measure_state *state, unsigned columns)
{
    if (state->trace.at + (size_t)columns * MEASURE_WIDE_COLUMN >= state->trace.full)
        measure_trace_flush(state);
    return state->mode & MODE_TRACE;
}

void measure_record(struct measure_state *state, struct measure_event_site *event_site, uint32_t id, uint64_t now, const uint64_t *columns, unsigned count)
{
    if (MEASURE_RARELY(count > MEASURE_COLUMNS) && !reserve_columns(state, count)) {
        state->dropped_size++;
        return;
    }
    if (MEASURE_RARELY(state->trace.lost > 0)) {
        measure_trace_note(state, NOTE_LOST, 1, state->trace.lost, 0);
        state->trace.lost = 0;
    }
    measure_trace_event(state, event_site, id, now, columns, count);
}

/* ---- A trace alone, a profile alone -------------------------------------------------------------------------------- */

/* False where it is not as simple as that. */
MEASURE_INLINE bool trace_end(struct measure_state *state, const struct measure_event *event, va_list arguments)
{
    const struct measure_open *open = &state->open[state->depth];
    if (MEASURE_RARELY(open->tag != event->tag || !(open->flags & OPEN_TRACED)))
        return false;
    uint64_t now = measure_now_done();
    bool simple = open->site == event->site && (open->flags & OPEN_LEAN) && event->site != NULL;
    state->depth--;
    measure_trace_look(state, now);
    if (simple)
        measure_trace_end(state, now);
    else
        measure_record_end(state, event, now, arguments);
    return true;
}

MEASURE_INLINE bool trace_begin(struct measure_state *state, const struct measure_event *event, uint32_t id, va_list arguments)
{
    struct measure_event_site *event_site = &state->event_sites[id];
    uint64_t columns[MEASURE_COLUMNS], bytes = 0;
    uint32_t peer = 0;
    if (MEASURE_RARELY(id == 0 || event_site->flags & EVENT_SITE_IS_LOOSE || (event->side == SIDE_START && measure_is_too_deep(state, event_site))))
        return false;
    event_site->raised++;
    unsigned count = measure_event_fetch(event_site, arguments, columns, false, &bytes, &peer);
    if (event->side == SIDE_START)
        measure_push(state, event, id, event_site->flags & EVENT_SITE_IS_LEAN ? OPEN_TRACED | OPEN_LEAN : OPEN_TRACED);
    const uint64_t now = measure_trace_look_start(state, measure_now());
    /* These are worth code without a loop. */
    if (event_site->shape == SHAPE_GET || event_site->shape == SHAPE_PUT)
        measure_trace_event(state, event_site, id, now, columns, MEASURE_ACCESS_COLUMNS);
    else if (event_site->shape == SHAPE_WORDS)
        measure_trace_event(state, event_site, id, now, columns, MEASURE_WORDS);
    else
        measure_record(state, event_site, id, now, columns, count);
    return true;
}

MEASURE_INLINE bool profile_end(struct measure_state *state, const struct measure_event *event)
{
    struct measure_open *open = &state->open[state->depth];
    if (MEASURE_RARELY(open->tag != event->tag || open->flags != OPEN_TIMED))
        return false;
    uint64_t took = measure_took(state, open, measure_now_done());
    measure_settle_scope(state, event->tag);
    measure_note_time(state, open, took);
    state->depth--;
    open[-1].inside += took;
    return true;
}

MEASURE_INLINE bool profile_begin(struct measure_state *state, const struct measure_event *event, uint32_t id, va_list arguments)
{
    struct measure_event_site *event_site = &state->event_sites[id];
    uint64_t columns[MEASURE_COLUMNS], bytes = 0;
    uint32_t peer = 0;
    if (MEASURE_RARELY(id == 0 || event_site->flags & EVENT_SITE_IS_LOOSE || (event->side == SIDE_START && measure_is_too_deep(state, event_site))))
        return false;
    event_site->raised++;
    measure_event_fetch(event_site, arguments, columns, true, &bytes, &peer);
    measure_settle_scope(state, event->tag);
    uint32_t node = measure_node_of(state, event_site, id, peer, bytes, peer != 0 ? measure_address_of(event_site, columns) : 0);
    bool is_sample = measure_grant_hot(state, event, event_site, id, peer, bytes, columns);
    if (event->side == SIDE_START) {
        struct measure_open *open = measure_push(state, event, id, OPEN_TIMED);
        if (MEASURE_RARELY(!is_sample))
            open->slow = MEASURE_NO_SAMPLE;
        open->node = node;
        open->start = measure_now_done();
    }
    return true;
}

/* ---- Entry --------------------------------------------------------------------------------------------------------- */

MEASURE_INLINE void record(struct measure_state *state, enum measure_path path, const struct measure_event *event, va_list arguments)
{
    bool done = false;
    state->raised++;
    if (path == PATH_TRACE && !measure_is_special(event->tag))
        done =
            event->side == SIDE_END ? trace_end(state, event, arguments) : trace_begin(state, event, measure_event_site_of(state, event, arguments), arguments);
    else if (path == PATH_PROFILE && !measure_is_special(event->tag))
        done = event->side == SIDE_END ? profile_end(state, event) : profile_begin(state, event, measure_event_site_of(state, event, arguments), arguments);
    if (MEASURE_RARELY(!done))
        measure_any(state, event->site, event->tag, event->side, event->file, event->line, event->column, arguments);
}

_Static_assert(GASP_START == (int)SIDE_START && GASP_END == (int)SIDE_END && GASP_ATOMIC == (int)SIDE_ATOMIC, "a event has the event's type");

void measure_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments)
{
    (void)context;
    const struct measure_event event = {upcr_inst_site, tag, (unsigned)type, file, (unsigned)line, (unsigned)column};
    struct measure_state *state = measure_self;
    enum measure_path path = state->path;
    if (MEASURE_RARELY(path <= PATH_BUSY)) {
        state = measure_pthread_comes(state);
        path = state->path;
        if (path <= PATH_BUSY)
            return;
    }
    __atomic_store_n(&state->path, PATH_BUSY, __ATOMIC_RELAXED);
    upcr_compiler_barrier();
    if (MEASURE_RARELY(__atomic_load_n(&state->asked, __ATOMIC_RELAXED)))
        path = measure_pthread_looks(state);
    if (!MEASURE_RARELY(path == PATH_NONE))
        record(state, path, &event, arguments);
    upcr_compiler_barrier();
    /* Publishes what has been recorded to others_record: a pthread that sees the end of recording may read it. */
    __atomic_store_n(&state->path, path == PATH_NONE ? PATH_NONE : state->calm, __ATOMIC_RELEASE);
}

void measure_choose_path(struct measure_state *state)
{
    unsigned what = state->mode & ~(unsigned)MODE_FLAT;
    bool simple = state->on && state->counters == 0 && state->skipped == 0 && state->rate == 0 && state->sample <= 1;
    if (simple && what == MODE_TRACE)
        state->calm = PATH_TRACE;
    else if (simple && what == MODE_PROFILE)
        state->calm = PATH_PROFILE;
    else
        state->calm = PATH_ANY;
}
