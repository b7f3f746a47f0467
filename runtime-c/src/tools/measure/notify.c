/* What happens at an event. A trace alone and a profile alone have short ways, written so that the compiler makes a function of each;
   everything else goes by general.c. */
#include "tools/measure/notice.h"

#include "tools/measure/notify.h"
#include "tools/measure/pthreads.h"

struct measure_state measure_nobody = {.path = PATH_NONE};
UPCR_PTHREAD_LOCAL struct measure_state *measure_self = &measure_nobody;
struct measure_run *measure_run;

/* Room for a record with so many columns. False: the trace has ended. */
static bool make_room(struct measure_state *state, unsigned columns)
{
    if (state->trace.at + (size_t)columns * MEASURE_WIDE_COLUMN >= state->trace.full)
        measure_trace_flush(state);
    return state->mode & MODE_TRACE;
}

void measure_record(struct measure_state *state, struct measure_origin *origin, uint32_t id, uint64_t now, const uint64_t *columns, unsigned count)
{
    if (MEASURE_RARELY(count > MEASURE_COLUMNS) && !make_room(state, count)) {
        state->dropped_size++;
        return;
    }
    if (MEASURE_RARELY(state->trace.lost > 0)) {
        measure_trace_note(state, NOTE_LOST, 1, state->trace.lost, 0);
        state->trace.lost = 0;
    }
    measure_trace_event(state, origin, id, now, columns, count);
}

/* ---- A trace alone, a profile alone -------------------------------------------------------------------------------- */

/* False where it is not as simple as that. */
MEASURE_INLINE bool trace_end(struct measure_state *state, const struct measure_notice *notice, va_list arguments)
{
    const struct measure_open *open = &state->open[state->depth];
    if (MEASURE_RARELY(open->tag != notice->tag || !(open->flags & OPEN_TRACED)))
        return false;
    uint64_t now = measure_now_done();
    bool simple = open->site == notice->site && (open->flags & OPEN_LEAN) && notice->site != NULL;
    state->depth--;
    if (simple)
        measure_trace_end(state, now);
    else
        measure_record_end(state, notice, now, arguments);
    return true;
}

MEASURE_INLINE bool trace_begin(struct measure_state *state, const struct measure_notice *notice, uint32_t id, va_list arguments)
{
    struct measure_origin *origin = &state->origins[id];
    uint64_t columns[MEASURE_COLUMNS], bytes = 0;
    uint32_t peer = 0;
    if (MEASURE_RARELY(id == 0 || origin->flags & ORIGIN_IS_LOOSE || (notice->side == SIDE_START && measure_is_too_deep(state, origin))))
        return false;
    origin->raised++;
    unsigned count = measure_notice_fetch(origin, arguments, columns, false, &bytes, &peer);
    if (notice->side == SIDE_START)
        measure_push(state, notice, id, origin->flags & ORIGIN_IS_LEAN ? OPEN_TRACED | OPEN_LEAN : OPEN_TRACED);
    /* These are worth code without a loop. */
    if (origin->shape == SHAPE_GET || origin->shape == SHAPE_PUT)
        measure_trace_event(state, origin, id, measure_now(), columns, MEASURE_ACCESS_COLUMNS);
    else if (origin->shape == SHAPE_WORDS)
        measure_trace_event(state, origin, id, measure_now(), columns, MEASURE_WORDS);
    else
        measure_record(state, origin, id, measure_now(), columns, count);
    return true;
}

MEASURE_INLINE bool profile_end(struct measure_state *state, const struct measure_notice *notice)
{
    struct measure_open *open = &state->open[state->depth];
    if (MEASURE_RARELY(open->tag != notice->tag || open->flags != OPEN_TIMED))
        return false;
    uint64_t took = measure_took(state, open, measure_now_done());
    measure_settle_scope(state, notice->tag);
    measure_note_time(state, open, took);
    state->depth--;
    open[-1].inside += took;
    return true;
}

MEASURE_INLINE bool profile_begin(struct measure_state *state, const struct measure_notice *notice, uint32_t id, va_list arguments)
{
    struct measure_origin *origin = &state->origins[id];
    uint64_t columns[MEASURE_COLUMNS], bytes = 0;
    uint32_t peer = 0;
    if (MEASURE_RARELY(id == 0 || origin->flags & ORIGIN_IS_LOOSE || (notice->side == SIDE_START && measure_is_too_deep(state, origin))))
        return false;
    origin->raised++;
    measure_notice_fetch(origin, arguments, columns, true, &bytes, &peer);
    measure_settle_scope(state, notice->tag);
    uint32_t node = measure_node_of(state, origin, id, peer, bytes, peer != 0 ? measure_address_of(origin, columns) : 0);
    bool is_sample = measure_grant_hot(state, notice, origin, id, peer, bytes, columns);
    if (notice->side == SIDE_START) {
        struct measure_open *open = measure_push(state, notice, id, OPEN_TIMED);
        if (MEASURE_RARELY(!is_sample))
            open->slow = MEASURE_NO_SAMPLE;
        open->node = node;
        open->start = measure_now();
    }
    return true;
}

/* ---- Entry --------------------------------------------------------------------------------------------------------- */

MEASURE_INLINE void record(struct measure_state *state, enum measure_path path, const struct measure_notice *notice, va_list arguments)
{
    bool done = false;
    state->raised++;
    if (path == PATH_TRACE && !measure_is_special(notice->tag))
        done = notice->side == SIDE_END ? trace_end(state, notice, arguments)
                                        : trace_begin(state, notice, measure_origin_of(state, notice, arguments), arguments);
    else if (path == PATH_PROFILE && !measure_is_special(notice->tag))
        done = notice->side == SIDE_END ? profile_end(state, notice)
                                        : profile_begin(state, notice, measure_origin_of(state, notice, arguments), arguments);
    if (MEASURE_RARELY(!done))
        measure_any(state, notice->site, notice->tag, notice->side, notice->file, notice->line, notice->column, arguments);
}

_Static_assert(GASP_START == (int)SIDE_START && GASP_END == (int)SIDE_END && GASP_ATOMIC == (int)SIDE_ATOMIC, "a notice has the event's type");

void measure_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments)
{
    (void)context;
    const struct measure_notice notice = {upcr_inst_site, tag, (unsigned)type, file, (unsigned)line, (unsigned)column};
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
        record(state, path, &notice, arguments);
    upcr_compiler_barrier();
    /* What has been recorded may be read by whoever sees that nothing is. */
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
