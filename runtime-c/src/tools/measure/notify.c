/* What happens at an event. Written so that the compiler makes three functions of it: for a trace, for a profile, and for everything that
   can be asked for. */
#include "runtime.h"

#include <gasp_upc.h>

#include "tools/measure/define.h"
#include "tools/measure/notify.h"
#include "tools/measure/profile.h"
#include "tools/measure/quiet.h"
#include "tools/measure/trace.h"
#include "tools/tool.h"

#define ALWAYS_INLINE static inline __attribute__((__always_inline__))
#define RARELY(condition) __builtin_expect(!!(condition), 0)

struct measure_state measure_state;

/* An event, as it came. */
struct notice {
    upcr_site *site;
    unsigned tag;
    unsigned side;
    const char *file;
    unsigned line, column;
};

/* ---- Reading ------------------------------------------------------------------------------------------------------- */

/* The text that a function's event has for an argument, where no site has it. */
static const char *signature_of(const struct notice *notice, va_list arguments)
{
    bool has = notice->tag == GASP_C_FUNC && (notice->site == NULL || notice->site->type == NULL);
    return has ? va_arg(arguments, const char *) : NULL;
}

ALWAYS_INLINE uint32_t origin_of(const struct notice *notice, va_list arguments)
{
    if (!RARELY(notice->site == NULL)) {
        uint32_t id = notice->site->id;
        const struct measure_origin *origin = &measure_origins[id];
        if (!RARELY(origin->tag != notice->tag || origin->side != notice->side || id == 0))
            return id;
    }
    return measure_origin_find(notice->site, notice->tag, notice->side, notice->file, notice->line, notice->column,
                               signature_of(notice, arguments));
}

/* An argument of this kind, of which `word` is the whole place. */
ALWAYS_INLINE uint64_t narrowed(uint64_t word, enum measure_pass pass)
{
    static const struct {
        uint64_t bits, sign;
    } kinds[] = {[PASS_INT] = {UINT32_MAX, 1u << 31}, [PASS_UNSIGNED] = {UINT32_MAX, 0}, [PASS_LONG] = {UINT64_MAX, 0}, [PASS_WORD] = {UINT64_MAX, 0}};
    return ((word & kinds[pass].bits) ^ kinds[pass].sign) - kinds[pass].sign;
}

/* Of reads and writes of shared objects. Their address is that of phase 0 (ARG_ELEMENT): in a walk along a block one number changes, not two. */
enum { ACCESS_COLUMNS = 6 };

/* The columns of an event, and, through the pointers, its traffic. Returns the number of columns. */
ALWAYS_INLINE unsigned fetch(const struct measure_origin *origin, va_list arguments, uint64_t *columns, bool traffic, uint64_t *bytes,
                             uint32_t *peer)
{
    const upcr_pts_t *place;
    switch ((enum measure_shape)origin->shape) {
    case SHAPE_NONE:
        return 0;
    case SHAPE_GET:
        columns[0] = (uint64_t)va_arg(arguments, int);
        columns[1] = (uintptr_t)va_arg(arguments, void *);
        place = va_arg(arguments, void *);
        columns[2] = upcr_threadof(*place);
        columns[4] = upcr_phaseof(*place);
        columns[5] = va_arg(arguments, size_t);
        columns[3] = upcr_addrfield(*place) - columns[4] * columns[5];
        *peer = (uint32_t)columns[2] + 1;
        *bytes = columns[5];
        return ACCESS_COLUMNS;
    case SHAPE_PUT:
        columns[0] = (uint64_t)va_arg(arguments, int);
        place = va_arg(arguments, void *);
        columns[1] = upcr_threadof(*place);
        columns[3] = upcr_phaseof(*place);
        columns[4] = (uintptr_t)va_arg(arguments, void *);
        columns[5] = va_arg(arguments, size_t);
        columns[2] = upcr_addrfield(*place) - columns[3] * columns[5];
        *peer = (uint32_t)columns[1] + 1;
        *bytes = columns[5];
        return ACCESS_COLUMNS;
    case SHAPE_WORDS:
        /* A number of turns that the compiler knows. */
        for (unsigned i = 0; i < MEASURE_WORDS; i++)
            columns[i] = i < origin->columns ? narrowed(va_arg(arguments, uint64_t), origin->pass[i]) : 0;
        break;
    case SHAPE_ANY:
        measure_fetch(origin, arguments, columns);
        break;
    }
    if (traffic) {
        *bytes = measure_bytes_of(origin, columns);
        *peer = measure_peer_of(origin, columns);
    }
    return origin->columns;
}

/* ---- Pairs --------------------------------------------------------------------------------------------------------- */

ALWAYS_INLINE struct measure_open *push(const struct notice *notice, uint32_t id, uint32_t flags)
{
    struct measure_state *state = &measure_state;
    struct measure_open *open = &state->open[state->depth + 1];
    open->site = notice->site;
    open->tag = notice->tag;
    open->flags = flags;
    open->origin = id;
    open->inside = 0;
    state->depth++;
    return open;
}

/* The node of an event below the pairs that are open. */
ALWAYS_INLINE uint32_t node_of(struct measure_origin *origin, uint32_t id, uint32_t peer, uint64_t bytes, uint64_t address)
{
    uint32_t parent = measure_state.mode & MODE_FLAT ? 0 : measure_state.open[measure_state.depth].node;
    uint32_t node = origin->node;
    if (RARELY(node == 0 || origin->parent != parent || origin->peer != peer))
        node = measure_node_find(origin, id, parent, peer, address);
    measure_node_count(node, bytes);
    return node;
}

static uint64_t address_of(const struct measure_origin *origin, const uint64_t *columns)
{
    if (origin->place == MEASURE_NO_COLUMN)
        return 0;
    const uint64_t *place = columns + origin->place;
    bool is_element = origin->shape == SHAPE_GET || origin->shape == SHAPE_PUT;
    return place[1] + (is_element ? place[2] * columns[origin->bytes] : 0);
}

/* What other events happen in. */
ALWAYS_INLINE bool is_scope(unsigned tag)
{
    return tag == GASP_C_FUNC || tag == GASP_UPC_FORALL || tag >= GASP_UPC_USEREVT_START;
}

/* A call or construct on top of as many open ones as may be. */
ALWAYS_INLINE bool is_too_deep(const struct measure_origin *origin)
{
    const struct measure_state *state = &measure_state;
    return RARELY(state->depth >= state->deepest && ((origin->flags & ORIGIN_IS_SCOPE) || state->depth + 1 >= state->capacity));
}

static void skip(void)
{
    measure_state.dropped_depth += 2;
    measure_state.skipped++;
    measure_choose_path();
}

/* Whether the end is that of a start that `skip` saw. */
static bool was_skipped(const struct notice *notice)
{
    const struct measure_state *state = &measure_state;
    return state->skipped > 0 && (is_scope(notice->tag) || state->depth + 1 >= state->capacity);
}

/* ---- Hot accesses -------------------------------------------------------------------------------------------------- */

ALWAYS_INLINE bool is_access(unsigned tag)
{
    return tag == GASP_UPC_GET || tag == GASP_UPC_PUT;
}

/* A call or construct begins or ends: what has been counted belongs to the one that is open up to now. */
ALWAYS_INLINE void settle_scope(unsigned tag)
{
    if (RARELY(measure_quiet_active != 0) && is_scope(tag))
        measure_quiet_settle();
}

/* After an access has been counted. One that takes a message is told always: the cache's events are part of it, and it can bear the cost. */
ALWAYS_INLINE void grant_hot(const struct notice *notice, const struct measure_origin *origin, uint32_t id, uint32_t peer, uint64_t bytes)
{
    const struct measure_state *state = &measure_state;
    if (RARELY(origin->raised > state->hot && state->access_sample > 1 && notice->site != NULL && is_access(notice->tag) && upcr_mapped(peer - 1)))
        measure_quiet_grant(notice->site, origin, id, peer - 1, bytes, state->access_sample);
}

/* ---- A trace alone, a profile alone -------------------------------------------------------------------------------- */

static __attribute__((__noinline__)) void record(struct measure_origin *origin, uint32_t id, uint64_t now, const uint64_t *columns,
                                                 unsigned count)
{
    if (RARELY(measure_trace.lost > 0)) {
        measure_trace_note(NOTE_LOST, 1, measure_trace.lost, 0);
        measure_trace.lost = 0;
    }
    measure_trace_event(origin, id, now, columns, count);
}

/* The end as an event with an origin: where it has values or a place of its own, or ends another pair than the innermost. */
ALWAYS_INLINE void record_end(const struct notice *notice, uint64_t now, va_list arguments)
{
    uint64_t columns[MEASURE_COLUMNS], bytes;
    uint32_t peer, id = origin_of(notice, arguments);
    if (id == 0)
        return;
    struct measure_origin *origin = &measure_origins[id];
    unsigned count = fetch(origin, arguments, columns, false, &bytes, &peer);
    origin->raised++;
    record(origin, id, now, columns, count);
}

/* False where it is not as simple as that. */
ALWAYS_INLINE bool trace_end(const struct notice *notice, va_list arguments)
{
    struct measure_state *state = &measure_state;
    const struct measure_open *open = &state->open[state->depth];
    if (RARELY(open->tag != notice->tag || !(open->flags & OPEN_TRACED)))
        return false;
    uint64_t now = measure_now();
    bool simple = open->site == notice->site && (open->flags & OPEN_LEAN) && notice->site != NULL;
    state->depth--;
    if (simple)
        measure_trace_end(now);
    else
        record_end(notice, now, arguments);
    return true;
}

ALWAYS_INLINE bool trace_begin(const struct notice *notice, uint32_t id, va_list arguments)
{
    struct measure_origin *origin = &measure_origins[id];
    uint64_t columns[MEASURE_COLUMNS], bytes = 0;
    uint32_t peer = 0;
    if (RARELY(id == 0 || origin->flags & ORIGIN_IS_LOOSE || (notice->side == SIDE_START && is_too_deep(origin))))
        return false;
    origin->raised++;
    unsigned count = fetch(origin, arguments, columns, false, &bytes, &peer);
    if (notice->side == SIDE_START)
        push(notice, id, origin->flags & ORIGIN_IS_LEAN ? OPEN_TRACED | OPEN_LEAN : OPEN_TRACED);
    /* These are worth code without a loop. */
    if (origin->shape == SHAPE_GET || origin->shape == SHAPE_PUT)
        measure_trace_event(origin, id, measure_now(), columns, ACCESS_COLUMNS);
    else if (origin->shape == SHAPE_WORDS)
        measure_trace_event(origin, id, measure_now(), columns, MEASURE_WORDS);
    else
        record(origin, id, measure_now(), columns, count);
    return true;
}

ALWAYS_INLINE bool profile_end(const struct notice *notice)
{
    struct measure_state *state = &measure_state;
    struct measure_open *open = &state->open[state->depth];
    if (RARELY(open->tag != notice->tag || open->flags != OPEN_TIMED))
        return false;
    uint64_t took = measure_now() - open->start;
    if (is_access(notice->tag))
        took = took > state->clock_cost ? took - state->clock_cost : 0;
    else
        settle_scope(notice->tag);
    measure_node_time(open->node, took, open->inside);
    state->depth--;
    open[-1].inside += took;
    return true;
}

ALWAYS_INLINE bool profile_begin(const struct notice *notice, uint32_t id, va_list arguments)
{
    struct measure_origin *origin = &measure_origins[id];
    uint64_t columns[MEASURE_COLUMNS], bytes = 0;
    uint32_t peer = 0;
    if (RARELY(id == 0 || origin->flags & ORIGIN_IS_LOOSE || (notice->side == SIDE_START && is_too_deep(origin))))
        return false;
    origin->raised++;
    fetch(origin, arguments, columns, true, &bytes, &peer);
    settle_scope(notice->tag);
    uint32_t node = node_of(origin, id, peer, bytes, peer != 0 ? address_of(origin, columns) : 0);
    grant_hot(notice, origin, id, peer, bytes);
    if (notice->side == SIDE_START) {
        struct measure_open *open = push(notice, id, OPEN_TIMED);
        open->node = node;
        open->start = measure_now();
    }
    return true;
}

/* ---- Everything ---------------------------------------------------------------------------------------------------- */

/* Whether this event of a hot origin is one of those that are left out. Of accesses those never come here. */
static bool is_sampled_out(const struct notice *notice, struct measure_origin *origin, uint32_t id)
{
    struct measure_state *state = &measure_state;
    if (state->sample <= 1 || origin->raised <= state->hot)
        return false;
    if (origin->raised == (uint64_t)state->hot + 1 && (state->mode & MODE_TRACE) && origin->block == measure_trace.block)
        measure_trace_note(NOTE_WEIGHT, 2, id, state->sample);
    if (is_access(notice->tag))
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
static void push_unseen(const struct notice *notice, uint32_t id)
{
    struct measure_state *state = &measure_state;
    struct measure_open *open = push(notice, id, 0);
    open->node = open[-1].node;
    if (state->counters != 0)
        begin_counters();
}

static void begin_any(const struct notice *notice, uint32_t id, va_list arguments)
{
    struct measure_state *state = &measure_state;
    struct measure_origin *origin = &measure_origins[id];
    uint64_t columns[MEASURE_COLUMNS], bytes = 0;
    uint32_t peer = 0, flags = 0, node = 0;
    bool start = notice->side == SIDE_START, loose = origin->flags & ORIGIN_IS_LOOSE;
    unsigned events = start ? 2 : 1;
    if (start && !loose && is_too_deep(origin)) {
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
    unsigned count = fetch(origin, arguments, columns, true, &bytes, &peer);
    settle_scope(notice->tag);
    grant_hot(notice, origin, id, peer, bytes);
    bool counted = !is_sampled_out(notice, origin, id);
    if (counted && state->counters != 0)
        measure_counters_read(state->now_counters);
    uint64_t now = measure_now();
    if (state->mode & MODE_PROFILE) {
        node = node_of(origin, id, peer, bytes, peer != 0 ? address_of(origin, columns) : 0);
        flags |= counted ? OPEN_TIMED : 0;
    }
    if (state->mode & MEASURE_MODE_TRUNCATED)
        state->dropped_size += events;
    if ((state->mode & MODE_TRACE) && counted && !is_over_rate(events, now))
        flags |= OPEN_TRACED;
    if (start && !loose) {
        struct measure_open *open = push(notice, id, flags | (origin->flags & ORIGIN_IS_LEAN ? OPEN_LEAN : 0));
        open->node = node;
        if (state->counters != 0)
            begin_counters();
    } else if (start && counted && count > 0) {
        begin_flight(notice->tag, columns[0], node, now);
    }
    if (flags & OPEN_TRACED)
        record(origin, id, now, columns, count);
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
    uint64_t took = timed ? now - open->start : open->inside;
    if (timed && is_access(open->tag))
        took = took > state->clock_cost ? took - state->clock_cost : 0;
    if (timed)
        measure_node_time(open->node, took, open->inside);
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
static bool end_loose(const struct notice *notice, uint64_t now, va_list arguments)
{
    struct measure_state *state = &measure_state;
    uint64_t columns[MEASURE_COLUMNS], bytes;
    uint32_t peer;
    if (notice->tag != GASP_UPC_NB_GET_DATA && notice->tag != GASP_UPC_NB_PUT_DATA)
        return false;
    uint32_t id = origin_of(notice, arguments);
    if (id == 0 || !state->on)
        return true;
    struct measure_origin *origin = &measure_origins[id];
    unsigned count = fetch(origin, arguments, columns, false, &bytes, &peer);
    origin->raised++;
    if (state->mode & MODE_PROFILE)
        end_flight(notice->tag, columns[0], now);
    if ((state->mode & MODE_TRACE) && !is_over_rate(1, now))
        record(origin, id, now, columns, count);
    return true;
}

static void end_any(const struct notice *notice, va_list arguments)
{
    struct measure_state *state = &measure_state;
    uint64_t now = measure_now();
    if (was_skipped(notice)) {
        state->skipped--;
        measure_choose_path();
        return;
    }
    if (end_loose(notice, now, arguments))
        return;
    settle_scope(notice->tag);
    uint32_t depth = find_open(notice->tag);
    const struct measure_open *open = &state->open[depth];
    uint32_t flags = open->flags;
    if (depth == 0) {
        /* No start: a mistake of the user's, to be seen in the trace. */
        if (state->on && (state->mode & MODE_TRACE))
            record_end(notice, now, arguments);
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
        record_end(notice, now, arguments);
}

/* What says something of the run, and is no event in the file. */
ALWAYS_INLINE bool is_special(unsigned tag)
{
    return tag == GASP_BUPC_STATIC_SHARED;
}

static __attribute__((__noinline__)) void any(upcr_site *site, unsigned tag, gasp_evttype_t type, const char *file, int line, int column,
                                              va_list arguments)
{
    const struct notice notice = {site, tag, type, file, (unsigned)line, (unsigned)column};
    if (is_special(tag)) {
        measure_state.raised--;
        measure_define_object(arguments);
    } else if (type == GASP_END) {
        end_any(&notice, arguments);
    } else {
        uint32_t id = origin_of(&notice, arguments);
        if (id != 0)
            begin_any(&notice, id, arguments);
    }
}

/* ---- Entry --------------------------------------------------------------------------------------------------------- */

void measure_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments)
{
    (void)context;
    struct measure_state *state = &measure_state;
    const struct notice notice = {upcr_inst_site, tag, type, file, (unsigned)line, (unsigned)column};
    const enum measure_path path = state->path;
    bool done = false;
    if (RARELY(path <= PATH_BUSY)) {
        state->dropped_reentry += path == PATH_BUSY;
        return;
    }
    state->path = PATH_BUSY;
    upcr_compiler_barrier();
    state->raised++;
    if (path == PATH_TRACE && !is_special(tag))
        done = type == GASP_END ? trace_end(&notice, arguments) : trace_begin(&notice, origin_of(&notice, arguments), arguments);
    else if (path == PATH_PROFILE && !is_special(tag))
        done = type == GASP_END ? profile_end(&notice) : profile_begin(&notice, origin_of(&notice, arguments), arguments);
    if (RARELY(!done))
        any(notice.site, tag, type, file, line, column, arguments);
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
