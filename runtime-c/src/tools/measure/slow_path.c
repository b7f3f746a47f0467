/* What happens at an event where anything may be asked for: counters, sampling, a rate, both trace and profile, parts that are switched off, calls
   that are too deep, transfers that do not nest. */
#include "tools/measure/event.h"

#include "tools/measure/define.h"
#include "tools/measure/fast_path.h"

static void skip(struct measure_state *state)
{
    state->dropped_depth += 2;
    state->skipped++;
    measure_choose_path(state);
}

/* Whether the end is that of a start that `skip` saw. */
static bool was_skipped(const struct measure_state *state, const struct measure_event *event)
{
    return state->skipped > 0 && (measure_is_scope(event->tag) || state->depth + 1 >= state->capacity);
}

/* Whether this event of a hot event site is one of those that are left out. Of accesses, and of what else is counted where it happens, those never come here. */
static bool is_sampled_out(struct measure_state *state, const struct measure_event *event, struct measure_event_site *event_site, uint32_t id,
                           bool may_be_counted)
{
    if (state->sample <= 1 || event_site->raised <= state->hot)
        return false;
    if (event_site->raised == (uint64_t)state->hot + 1 && (state->mode & MODE_TRACE) && event_site->block == state->trace.block)
        measure_trace_note(state, NOTE_WEIGHT, 2, id, state->sample);
    if (measure_is_access(event->tag) || may_be_counted)
        return false;
    if (event_site->countdown > 0) {
        event_site->countdown--;
        state->dropped_sampling += event_site->side == SIDE_START ? 2 : 1;
        return true;
    }
    event_site->countdown = state->sample - 1;
    return false;
}

/* Whether the window that `now` is in has had all the events that it may have. */
static bool is_over_rate(struct measure_state *state, unsigned events, uint64_t now)
{
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
    state->trace.lost += events;
    return true;
}

static void begin_flight(struct measure_state *state, unsigned tag, uint64_t handle, uint32_t node, uint64_t now)
{
    for (struct measure_flight *flight = state->flights; flight < state->flights + MEASURE_FLIGHTS; flight++)
        if (flight->tag == 0) {
            *flight = (struct measure_flight){handle, now, tag, node};
            return;
        }
}

static void end_flight(struct measure_state *state, unsigned tag, uint64_t handle, uint64_t now)
{
    for (struct measure_flight *flight = state->flights; flight < state->flights + MEASURE_FLIGHTS; flight++)
        if (flight->tag == tag && flight->handle == handle) {
            measure_node_time(&state->tree.nodes[flight->node], now - flight->start, 0);
            flight->tag = 0;
            return;
        }
}

static uint64_t *counters_of(const struct measure_state *state, uint32_t depth)
{
    return state->open_counters + (size_t)depth * 2 * state->counters;
}

static void begin_counters(struct measure_state *state)
{
    uint64_t *start = counters_of(state, state->depth);
    memcpy(start, state->now_counters, state->counters * sizeof *start);
    memset(start + state->counters, 0, state->counters * sizeof *start);
}

/* Of the innermost pair; `timed`: whether it is counted itself, or only what is inside of it. */
static void end_counters(struct measure_state *state, uint32_t node, bool timed)
{
    const uint64_t *start = counters_of(state, state->depth);
    uint64_t *outer = counters_of(state, state->depth - 1) + state->counters, *sums = measure_node_counters(state, node);
    for (unsigned i = 0; i < state->counters; i++) {
        uint64_t inside = start[state->counters + i], total = timed ? state->now_counters[i] - start[i] : inside;
        outer[i] += total;
        sums[i] += timed ? total : 0;
        sums[state->counters + i] += timed ? inside : 0;
    }
}

/* A pair that is kept for its end alone. */
static void push_unseen(struct measure_state *state, const struct measure_event *event, uint32_t id)
{
    struct measure_open *open = measure_push(state, event, id, 0);
    open->node = open[-1].node;
    if (state->counters != 0)
        begin_counters(state);
}

static void begin_any(struct measure_state *state, const struct measure_event *event, uint32_t id, va_list arguments)
{
    struct measure_event_site *event_site = &state->event_sites[id];
    uint64_t columns[MEASURE_COLUMNS], bytes = 0;
    uint32_t peer = 0, flags = 0, node = 0;
    bool start = event->side == SIDE_START, loose = event_site->flags & EVENT_SITE_IS_LOOSE;
    unsigned events = start ? 2 : 1;
    if (start && !loose && measure_is_too_deep(state, event_site)) {
        skip(state);
        return;
    }
    if (!state->on) {
        state->dropped_control += events;
        if (start && !loose)
            push_unseen(state, event, id);
        return;
    }
    event_site->raised++;
    unsigned count = measure_event_fetch(event_site, arguments, columns, true, &bytes, &peer);
    measure_settle_scope(state, event->tag);
    bool is_sample = measure_grant_hot(state, event, event_site, id, peer, bytes, columns);
    bool counted = !is_sampled_out(state, event, event_site, id, measure_may_be_counted(state, event->tag, peer - 1, bytes));
    if (counted && state->counters != 0)
        measure_counters_read(state, state->now_counters);
    uint64_t now = measure_now();
    if (state->mode & MODE_PROFILE) {
        node = measure_node_of(state, event_site, id, peer, bytes, peer != 0 ? measure_address_of(event_site, columns) : 0);
        flags |= counted ? OPEN_TIMED : 0;
    }
    if (state->mode & MEASURE_MODE_TRUNCATED)
        state->dropped_size += events;
    if ((state->mode & MODE_TRACE) && counted && !is_over_rate(state, events, now))
        flags |= OPEN_TRACED;
    if (flags & OPEN_TRACED)
        now = measure_trace_look_start(state, now);
    if (start && !loose) {
        struct measure_open *open = measure_push(state, event, id, flags | (event_site->flags & EVENT_SITE_IS_LEAN ? OPEN_LEAN : 0));
        open->node = node;
        open->slow = is_sample ? open->slow : MEASURE_NO_SAMPLE;
        if (state->counters != 0)
            begin_counters(state);
    } else if (start && counted && count > 0) {
        begin_flight(state, event->tag, columns[0], node, now);
    }
    if (flags & OPEN_TRACED)
        measure_record(state, event_site, id, now, columns, count);
    if (start && !loose)
        state->open[state->depth].start = measure_now_done();
}

/* How deep the pair is that ends: the innermost of that tag, best the innermost of all; 0: none. */
static uint32_t find_open(const struct measure_state *state, unsigned tag)
{
    uint32_t depth = state->depth;
    while (depth > 0 && state->open[depth].tag != tag)
        depth--;
    return depth;
}

/* Times are those of the pair; a pair that others reach out of (users' events may) leaves these where they are. */
static void end_in_profile(struct measure_state *state, uint32_t depth, uint64_t now)
{
    const struct measure_open *open = &state->open[depth];
    bool timed = open->flags & OPEN_TIMED;
    uint64_t took = timed ? measure_took(state, open, now) : open->inside;
    if (timed)
        measure_note_time(state, open, took);
    state->open[depth - 1].inside += took;
    if (state->counters != 0 && depth == state->depth)
        end_counters(state, open->node, timed);
}

static void close_open(struct measure_state *state, uint32_t depth)
{
    memmove(&state->open[depth], &state->open[depth + 1], (state->depth - depth) * sizeof *state->open);
    if (state->counters != 0)
        memmove(counters_of(state, depth), counters_of(state, depth + 1), (size_t)(state->depth - depth) * 2 * state->counters * sizeof(uint64_t));
    state->depth--;
}

/* Returns whether the end is of a transfer, which does not nest. */
static bool end_loose(struct measure_state *state, const struct measure_event *event, uint64_t now, va_list arguments)
{
    uint64_t columns[MEASURE_COLUMNS], bytes;
    uint32_t peer;
    if (event->tag != GASP_UPC_NB_GET_DATA && event->tag != GASP_UPC_NB_PUT_DATA)
        return false;
    uint32_t id = measure_event_site_of(state, event, arguments);
    if (id == 0 || !state->on)
        return true;
    struct measure_event_site *event_site = &state->event_sites[id];
    unsigned count = measure_event_fetch(event_site, arguments, columns, false, &bytes, &peer);
    event_site->raised++;
    if (state->mode & MODE_PROFILE)
        end_flight(state, event->tag, columns[0], now);
    if ((state->mode & MODE_TRACE) && !is_over_rate(state, 1, now)) {
        measure_trace_look(state, now);
        measure_record(state, event_site, id, now, columns, count);
    }
    return true;
}

static void end_any(struct measure_state *state, const struct measure_event *event, va_list arguments)
{
    uint64_t now = measure_now_done();
    if (was_skipped(state, event)) {
        state->skipped--;
        measure_choose_path(state);
        return;
    }
    if (end_loose(state, event, now, arguments))
        return;
    measure_settle_scope(state, event->tag);
    uint32_t depth = find_open(state, event->tag);
    const struct measure_open *open = &state->open[depth];
    uint32_t flags = open->flags;
    if (depth == 0) {
        /* No start: a mistake of the user's, to be seen in the trace. */
        if (state->on && (state->mode & MODE_TRACE))
            measure_record_end(state, event, now, arguments);
        return;
    }
    bool same_place = event->site != NULL
                          ? open->site == event->site
                          : state->event_sites[open->event_site].file == event->file && state->event_sites[open->event_site].line == event->line;
    bool simple = depth == state->depth && (flags & OPEN_LEAN) && same_place;
    if ((flags & (OPEN_TRACED | OPEN_TIMED)) && state->counters != 0)
        measure_counters_read(state, state->now_counters);
    if (state->mode & MODE_PROFILE)
        end_in_profile(state, depth, now);
    close_open(state, depth);
    if (!(flags & OPEN_TRACED))
        return;
    if (!(state->mode & MODE_TRACE)) {
        state->dropped_size++;
        return;
    }
    measure_trace_look(state, now);
    if (simple)
        measure_trace_end(state, now);
    else
        measure_record_end(state, event, now, arguments);
}

void measure_any(struct measure_state *state, upcr_site *site, unsigned tag, unsigned side, const char *file, unsigned line, unsigned column, va_list arguments)
{
    const struct measure_event event = {site, tag, side, file, line, column};
    if (measure_is_special(tag)) {
        state->raised--;
        measure_define_object(arguments);
    } else if (side == SIDE_END) {
        end_any(state, &event, arguments);
    } else {
        uint32_t id = measure_event_site_of(state, &event, arguments);
        if (id != 0)
            begin_any(state, &event, id, arguments);
    }
}

void measure_end_open(struct measure_state *state, bool in_trace)
{
    uint64_t now = measure_now();
    /* Counters are those of the pthread that reads them. */
    if (state->counters != 0 && state == measure_self)
        measure_counters_read(state, state->now_counters);
    while (state->depth > 0) {
        const struct measure_open *open = &state->open[state->depth];
        const struct measure_node *node = state->mode & MODE_PROFILE ? &state->tree.nodes[open->node] : NULL;
        /* The thread may have been interrupted in the middle of the end of the innermost pair. */
        if (node != NULL && node->timed < node->count)
            end_in_profile(state, state->depth, now);
        state->depth--;
        if (in_trace && (open->flags & OPEN_TRACED) && (state->mode & MODE_TRACE))
            measure_trace_end(state, now);
    }
}
