/* What happens at an event where anything may be asked for: counters, sampling, a rate, both trace and profile, parts that are switched off, calls
   that are too deep, transfers that do not nest. */
#include "tools/measure/notice.h"

#include "tools/measure/define.h"
#include "tools/measure/notify.h"

static void skip(void)
{
    measure_state.dropped_depth += 2;
    measure_state.skipped++;
    measure_choose_path();
}

/* Whether the end is that of a start that `skip` saw. */
static bool was_skipped(const struct measure_notice *notice)
{
    const struct measure_state *state = &measure_state;
    return state->skipped > 0 && (measure_is_scope(notice->tag) || state->depth + 1 >= state->capacity);
}

/* Whether this event of a hot origin is one of those that are left out. Of accesses, and of what else is counted where it happens, those never come here. */
static bool is_sampled_out(const struct measure_notice *notice, struct measure_origin *origin, uint32_t id, bool may_be_counted)
{
    struct measure_state *state = &measure_state;
    if (state->sample <= 1 || origin->raised <= state->hot)
        return false;
    if (origin->raised == (uint64_t)state->hot + 1 && (state->mode & MODE_TRACE) && origin->block == measure_trace.block)
        measure_trace_note(NOTE_WEIGHT, 2, id, state->sample);
    if (measure_is_access(notice->tag) || may_be_counted)
        return false;
    if (origin->countdown > 0) {
        origin->countdown--;
        state->dropped_sampling += origin->side == SIDE_START ? 2 : 1;
        return true;
    }
    origin->countdown = state->sample - 1;
    return false;
}

/* Whether the window that `now` is in has had all the events that it may have. */
static bool is_over_rate(unsigned events, uint64_t now)
{
    struct measure_state *state = &measure_state;
    if (state->rate == 0)
        return false;
    if (now >= state->window_end) {
        state->window_end = now + state->window;
        state->window_left = state->rate;
    }
    if (state->window_left >= events) {
        state->window_left -= events;
        return false;
    }
    state->window_left = 0;
    state->dropped_rate += events;
    measure_trace.lost += events;
    return true;
}

/* Transfers under way, which do not nest: started by one call and ended by another. When there are more, the rest are not timed. */
enum { FLIGHTS = 64 };
static struct flight {
    uint64_t handle, start;
    uint32_t tag, node;
} flights[FLIGHTS];

static void begin_flight(unsigned tag, uint64_t handle, uint32_t node, uint64_t now)
{
    for (struct flight *flight = flights; flight < flights + FLIGHTS; flight++)
        if (flight->tag == 0) {
            *flight = (struct flight){handle, now, tag, node};
            return;
        }
}

static void end_flight(unsigned tag, uint64_t handle, uint64_t now)
{
    for (struct flight *flight = flights; flight < flights + FLIGHTS; flight++)
        if (flight->tag == tag && flight->handle == handle) {
            measure_node_time(flight->node, now - flight->start, 0);
            flight->tag = 0;
            return;
        }
}

static uint64_t *counters_of(uint32_t depth)
{
    return measure_state.open_counters + (size_t)depth * 2 * measure_state.counters;
}

static void begin_counters(void)
{
    struct measure_state *state = &measure_state;
    uint64_t *start = counters_of(state->depth);
    memcpy(start, state->now_counters, state->counters * sizeof *start);
    memset(start + state->counters, 0, state->counters * sizeof *start);
}

/* Of the innermost pair; `timed`: whether it is counted itself, or only what is inside of it. */
static void end_counters(uint32_t node, bool timed)
{
    const struct measure_state *state = &measure_state;
    const uint64_t *start = counters_of(state->depth);
    uint64_t *outer = counters_of(state->depth - 1) + state->counters, *sums = measure_node_counters(node);
    for (unsigned i = 0; i < state->counters; i++) {
        uint64_t inside = start[state->counters + i], total = timed ? state->now_counters[i] - start[i] : inside;
        outer[i] += total;
        sums[i] += timed ? total : 0;
        sums[state->counters + i] += timed ? inside : 0;
    }
}

/* A pair that is kept for its end alone. */
static void push_unseen(const struct measure_notice *notice, uint32_t id)
{
    struct measure_state *state = &measure_state;
    struct measure_open *open = measure_push(notice, id, 0);
    open->node = open[-1].node;
    if (state->counters != 0)
        begin_counters();
}

static void begin_any(const struct measure_notice *notice, uint32_t id, va_list arguments)
{
    struct measure_state *state = &measure_state;
    struct measure_origin *origin = &measure_origins[id];
    uint64_t columns[MEASURE_COLUMNS], bytes = 0;
    uint32_t peer = 0, flags = 0, node = 0;
    bool start = notice->side == SIDE_START, loose = origin->flags & ORIGIN_IS_LOOSE;
    unsigned events = start ? 2 : 1;
    if (start && !loose && measure_is_too_deep(origin)) {
        skip();
        return;
    }
    if (!state->on) {
        state->dropped_control += events;
        if (start && !loose)
            push_unseen(notice, id);
        return;
    }
    origin->raised++;
    unsigned count = measure_notice_fetch(origin, arguments, columns, true, &bytes, &peer);
    measure_settle_scope(notice->tag);
    bool is_sample = measure_grant_hot(notice, origin, id, peer, bytes, columns);
    bool counted = !is_sampled_out(notice, origin, id, measure_may_be_counted(notice->tag, peer - 1, bytes));
    if (counted && state->counters != 0)
        measure_counters_read(state->now_counters);
    uint64_t now = measure_now();
    if (state->mode & MODE_PROFILE) {
        node = measure_node_of(origin, id, peer, bytes, peer != 0 ? measure_address_of(origin, columns) : 0);
        flags |= counted ? OPEN_TIMED : 0;
    }
    if (state->mode & MEASURE_MODE_TRUNCATED)
        state->dropped_size += events;
    if ((state->mode & MODE_TRACE) && counted && !is_over_rate(events, now))
        flags |= OPEN_TRACED;
    if (start && !loose) {
        struct measure_open *open = measure_push(notice, id, flags | (origin->flags & ORIGIN_IS_LEAN ? OPEN_LEAN : 0));
        open->node = node;
        open->slow = is_sample ? open->slow : MEASURE_NO_SAMPLE;
        if (state->counters != 0)
            begin_counters();
    } else if (start && counted && count > 0) {
        begin_flight(notice->tag, columns[0], node, now);
    }
    if (flags & OPEN_TRACED)
        measure_record(origin, id, now, columns, count);
    if (start && !loose)
        state->open[state->depth].start = measure_now();
}

/* How deep the pair is that ends: the innermost of that tag, best the innermost of all; 0: none. */
static uint32_t find_open(unsigned tag)
{
    const struct measure_state *state = &measure_state;
    uint32_t depth = state->depth;
    while (depth > 0 && state->open[depth].tag != tag)
        depth--;
    return depth;
}

/* Times are those of the pair; a pair that others reach out of (users' events may) leaves these where they are. */
static void end_in_profile(uint32_t depth, uint64_t now)
{
    struct measure_state *state = &measure_state;
    const struct measure_open *open = &state->open[depth];
    bool timed = open->flags & OPEN_TIMED;
    uint64_t took = timed ? measure_took(open, now) : open->inside;
    if (timed)
        measure_note_time(open, took);
    state->open[depth - 1].inside += took;
    if (state->counters != 0 && depth == state->depth)
        end_counters(open->node, timed);
}

static void close_open(uint32_t depth)
{
    struct measure_state *state = &measure_state;
    memmove(&state->open[depth], &state->open[depth + 1], (state->depth - depth) * sizeof *state->open);
    if (state->counters != 0)
        memmove(counters_of(depth), counters_of(depth + 1), (size_t)(state->depth - depth) * 2 * state->counters * sizeof(uint64_t));
    state->depth--;
}

/* Returns whether the end is of a transfer, which does not nest. */
static bool end_loose(const struct measure_notice *notice, uint64_t now, va_list arguments)
{
    struct measure_state *state = &measure_state;
    uint64_t columns[MEASURE_COLUMNS], bytes;
    uint32_t peer;
    if (notice->tag != GASP_UPC_NB_GET_DATA && notice->tag != GASP_UPC_NB_PUT_DATA)
        return false;
    uint32_t id = measure_origin_of(notice, arguments);
    if (id == 0 || !state->on)
        return true;
    struct measure_origin *origin = &measure_origins[id];
    unsigned count = measure_notice_fetch(origin, arguments, columns, false, &bytes, &peer);
    origin->raised++;
    if (state->mode & MODE_PROFILE)
        end_flight(notice->tag, columns[0], now);
    if ((state->mode & MODE_TRACE) && !is_over_rate(1, now))
        measure_record(origin, id, now, columns, count);
    return true;
}

static void end_any(const struct measure_notice *notice, va_list arguments)
{
    struct measure_state *state = &measure_state;
    uint64_t now = measure_now_done();
    if (was_skipped(notice)) {
        state->skipped--;
        measure_choose_path();
        return;
    }
    if (end_loose(notice, now, arguments))
        return;
    measure_settle_scope(notice->tag);
    uint32_t depth = find_open(notice->tag);
    const struct measure_open *open = &state->open[depth];
    uint32_t flags = open->flags;
    if (depth == 0) {
        /* No start: a mistake of the user's, to be seen in the trace. */
        if (state->on && (state->mode & MODE_TRACE))
            measure_record_end(notice, now, arguments);
        return;
    }
    bool same_place = notice->site != NULL ? open->site == notice->site
                                           : measure_origins[open->origin].file == notice->file &&
                                                 measure_origins[open->origin].line == notice->line;
    bool simple = depth == state->depth && (flags & OPEN_LEAN) && same_place;
    if ((flags & (OPEN_TRACED | OPEN_TIMED)) && state->counters != 0)
        measure_counters_read(state->now_counters);
    if (state->mode & MODE_PROFILE)
        end_in_profile(depth, now);
    close_open(depth);
    if (!(flags & OPEN_TRACED))
        return;
    if (!(state->mode & MODE_TRACE))
        state->dropped_size++;
    else if (simple)
        measure_trace_end(now);
    else
        measure_record_end(notice, now, arguments);
}

void measure_any(upcr_site *site, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments)
{
    const struct measure_notice notice = {site, tag, type, file, (unsigned)line, (unsigned)column};
    if (measure_is_special(tag)) {
        measure_state.raised--;
        measure_define_object(arguments);
    } else if (type == GASP_END) {
        end_any(&notice, arguments);
    } else {
        uint32_t id = measure_origin_of(&notice, arguments);
        if (id != 0)
            begin_any(&notice, id, arguments);
    }
}

void measure_end_open(void)
{
    struct measure_state *state = &measure_state;
    uint64_t now = measure_now();
    if (state->counters != 0)
        measure_counters_read(state->now_counters);
    for (; state->depth > 0; state->depth--) {
        const struct measure_node *node = &measure_nodes[state->open[state->depth].node];
        /* The thread may have been interrupted in the middle of the end of the innermost pair. */
        if (node->timed < node->count)
            end_in_profile(state->depth, now);
    }
}
