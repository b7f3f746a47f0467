/* What happens at an event. A trace alone and a profile alone have short ways, written so that the compiler makes a function of each;
   everything else goes by general.c. */
#include "tools/measure/notice.h"

#include "tools/measure/notify.h"

struct measure_state measure_state;

void measure_record(struct measure_origin *origin, uint32_t id, uint64_t now, const uint64_t *columns, unsigned count)
{
    if (MEASURE_RARELY(measure_trace.lost > 0)) {
        measure_trace_note(NOTE_LOST, 1, measure_trace.lost, 0);
        measure_trace.lost = 0;
    }
    measure_trace_event(origin, id, now, columns, count);
}

/* ---- A trace alone, a profile alone -------------------------------------------------------------------------------- */

/* False where it is not as simple as that. */
MEASURE_INLINE bool trace_end(const struct measure_notice *notice, va_list arguments)
{
    struct measure_state *state = &measure_state;
    const struct measure_open *open = &state->open[state->depth];
    if (MEASURE_RARELY(open->tag != notice->tag || !(open->flags & OPEN_TRACED)))
        return false;
    uint64_t now = measure_now_done();
    bool simple = open->site == notice->site && (open->flags & OPEN_LEAN) && notice->site != NULL;
    state->depth--;
    if (simple)
        measure_trace_end(now);
    else
        measure_record_end(notice, now, arguments);
    return true;
}

MEASURE_INLINE bool trace_begin(const struct measure_notice *notice, uint32_t id, va_list arguments)
{
    struct measure_origin *origin = &measure_origins[id];
    uint64_t columns[MEASURE_COLUMNS], bytes = 0;
    uint32_t peer = 0;
    if (MEASURE_RARELY(id == 0 || origin->flags & ORIGIN_IS_LOOSE || (notice->side == SIDE_START && measure_is_too_deep(origin))))
        return false;
    origin->raised++;
    unsigned count = measure_notice_fetch(origin, arguments, columns, false, &bytes, &peer);
    if (notice->side == SIDE_START)
        measure_push(notice, id, origin->flags & ORIGIN_IS_LEAN ? OPEN_TRACED | OPEN_LEAN : OPEN_TRACED);
    /* These are worth code without a loop. */
    if (origin->shape == SHAPE_GET || origin->shape == SHAPE_PUT)
        measure_trace_event(origin, id, measure_now(), columns, MEASURE_ACCESS_COLUMNS);
    else if (origin->shape == SHAPE_WORDS)
        measure_trace_event(origin, id, measure_now(), columns, MEASURE_WORDS);
    else
        measure_record(origin, id, measure_now(), columns, count);
    return true;
}

MEASURE_INLINE bool profile_end(const struct measure_notice *notice)
{
    struct measure_state *state = &measure_state;
    struct measure_open *open = &state->open[state->depth];
    if (MEASURE_RARELY(open->tag != notice->tag || open->flags != OPEN_TIMED))
        return false;
    uint64_t took = measure_took(open, measure_now_done());
    measure_settle_scope(notice->tag);
    measure_note_time(open, took);
    state->depth--;
    open[-1].inside += took;
    return true;
}

MEASURE_INLINE bool profile_begin(const struct measure_notice *notice, uint32_t id, va_list arguments)
{
    struct measure_origin *origin = &measure_origins[id];
    uint64_t columns[MEASURE_COLUMNS], bytes = 0;
    uint32_t peer = 0;
    if (MEASURE_RARELY(id == 0 || origin->flags & ORIGIN_IS_LOOSE || (notice->side == SIDE_START && measure_is_too_deep(origin))))
        return false;
    origin->raised++;
    measure_notice_fetch(origin, arguments, columns, true, &bytes, &peer);
    measure_settle_scope(notice->tag);
    uint32_t node = measure_node_of(origin, id, peer, bytes, peer != 0 ? measure_address_of(origin, columns) : 0);
    bool is_sample = measure_grant_hot(notice, origin, id, peer, bytes, columns);
    if (notice->side == SIDE_START) {
        struct measure_open *open = measure_push(notice, id, OPEN_TIMED);
        if (MEASURE_RARELY(!is_sample))
            open->slow = MEASURE_NO_SAMPLE;
        open->node = node;
        open->start = measure_now();
    }
    return true;
}

/* ---- Entry --------------------------------------------------------------------------------------------------------- */

void measure_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments)
{
    (void)context;
    struct measure_state *state = &measure_state;
    const struct measure_notice notice = {upcr_inst_site, tag, type, file, (unsigned)line, (unsigned)column};
    const enum measure_path path = state->path;
    bool done = false;
    if (MEASURE_RARELY(path <= PATH_BUSY)) {
        state->dropped_reentry += path == PATH_BUSY;
        return;
    }
    state->path = PATH_BUSY;
    upcr_compiler_barrier();
    state->raised++;
    if (path == PATH_TRACE && !measure_is_special(tag))
        done = type == GASP_END ? trace_end(&notice, arguments) : trace_begin(&notice, measure_origin_of(&notice, arguments), arguments);
    else if (path == PATH_PROFILE && !measure_is_special(tag))
        done = type == GASP_END ? profile_end(&notice) : profile_begin(&notice, measure_origin_of(&notice, arguments), arguments);
    if (MEASURE_RARELY(!done))
        measure_any(notice.site, tag, type, file, line, column, arguments);
    upcr_compiler_barrier();
    state->path = state->calm;
}

void measure_choose_path(void)
{
    struct measure_state *state = &measure_state;
    unsigned what = state->mode & ~(unsigned)MODE_FLAT;
    bool simple = state->on && state->counters == 0 && state->skipped == 0 && state->rate == 0 && state->sample <= 1;
    if (simple && what == MODE_TRACE)
        state->calm = PATH_TRACE;
    else if (simple && what == MODE_PROFILE)
        state->calm = PATH_PROFILE;
    else
        state->calm = PATH_ANY;
}
