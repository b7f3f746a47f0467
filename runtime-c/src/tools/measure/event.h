/* An event on its way into the trace and the profile: the parts that fast_path.c and slow_path.c share. */
#ifndef MEASURE_EVENT_H
#define MEASURE_EVENT_H

#include "runtime.h"

#include <gasp_upc.h>

#include "tools/measure/hits.h"
#include "tools/measure/profile.h"
#include "tools/measure/budget.h"
#include "tools/measure/trace.h"
#include "tools/tool.h"

#define MEASURE_INLINE            static inline __attribute__((__always_inline__))
#define MEASURE_RARELY(condition) __builtin_expect(!!(condition), 0)

/* An event with the arguments of its report. */
struct measure_event {
    upcr_site *site;
    unsigned tag;
    unsigned side;
    const char *file;
    unsigned line, column;
};

/* Handles every event that has no fast path. The event's parts are separate arguments, so that they stay in registers. */
void measure_any(struct measure_state *state, upcr_site *site, unsigned tag, unsigned side, const char *file, unsigned line, unsigned column,
                 va_list arguments);

/* Handles reports about the run, which are not events in the file. */
MEASURE_INLINE bool measure_is_special(unsigned tag)
{
    return tag == GASP_BUPC_STATIC_SHARED;
}

/* ---- Reading ------------------------------------------------------------------------------------------------------- */

/* Returns the text that a function's event has as an argument if no site has it. */
static inline const char *measure_signature_of(const struct measure_event *event, va_list arguments)
{
    bool has = event->tag == GASP_C_FUNC && (event->site == NULL || event->site->type == NULL);
    return has ? va_arg(arguments, const char *) : NULL;
}

MEASURE_INLINE uint32_t measure_event_site_of(struct measure_state *state, const struct measure_event *event, va_list arguments)
{
    if (!MEASURE_RARELY(event->site == NULL)) {
        /* This pthread has recorded nothing of another pthread's event site. */
        uint32_t id = __atomic_load_n(&event->site->id, __ATOMIC_RELAXED);
        const struct measure_event_site *event_site = &state->event_sites[id];
        if (!MEASURE_RARELY(event_site->tag != event->tag || event_site->side != event->side || id == 0))
            return id;
    }
    return measure_event_site_find(state, event->site, event->tag, event->side, event->file, event->line, event->column,
                                   measure_signature_of(event, arguments));
}

/* Reads an argument of this kind that fills the whole `word`. */
MEASURE_INLINE uint64_t measure_narrowed(uint64_t word, enum measure_pass pass)
{
    static const struct {
        uint64_t bits, sign;
    } kinds[] = {
        [PASS_INT] = {UINT32_MAX, 1u << 31},
        [PASS_UNSIGNED] = {UINT32_MAX, 0},
        [PASS_LONG] = {UINT64_MAX, 0},
        [PASS_WORD] = {UINT64_MAX, 0},
    };
    return ((word & kinds[pass].bits) ^ kinds[pass].sign) - kinds[pass].sign;
}

/* For reads and writes of shared objects. Their address is that of phase 0 (ARG_ELEMENT): along a block one number changes, not two. */
enum { MEASURE_ACCESS_COLUMNS = 6 };

/* Fills in the columns of an event and, through the pointers, its traffic. Returns the number of columns. */
MEASURE_INLINE unsigned measure_event_fetch(const struct measure_event_site *event_site, va_list arguments, uint64_t *columns, bool traffic, uint64_t *bytes,
                                            uint32_t *peer)
{
    const upcr_pts_t *place;
    switch ((enum measure_shape)event_site->shape) {
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
        return MEASURE_ACCESS_COLUMNS;
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
        return MEASURE_ACCESS_COLUMNS;
    case SHAPE_WORDS:
        /* The number of iterations is a constant for the compiler. */
        for (unsigned i = 0; i < MEASURE_WORDS; i++)
            columns[i] = i < event_site->columns ? measure_narrowed(va_arg(arguments, uint64_t), event_site->pass[i]) : 0;
        break;
    case SHAPE_ANY:
        measure_fetch(event_site, arguments, columns);
        break;
    case SHAPE_WIDE:
        measure_fetch(event_site, arguments, event_site->wide->columns);
        return event_site->columns;
    }
    if (traffic) {
        *bytes = measure_bytes_of(event_site, columns);
        *peer = measure_peer_of(event_site, columns);
    }
    return event_site->columns;
}

/* ---- Pairs --------------------------------------------------------------------------------------------------------- */

MEASURE_INLINE struct measure_open *measure_push(struct measure_state *state, const struct measure_event *event, uint32_t id, uint32_t flags)
{
    struct measure_open *open = &state->open[state->depth + 1];
    open->site = event->site;
    open->tag = event->tag;
    open->flags = flags;
    open->event_site = id;
    open->inside = 0;
    open->slow = upcr_inst_slow;
    state->depth++;
    return open;
}

/* Returns the node of an event below the open pairs. */
MEASURE_INLINE uint32_t measure_node_of(struct measure_state *state, struct measure_event_site *event_site, uint32_t id, uint32_t peer, uint64_t bytes,
                                        uint64_t address)
{
    uint32_t parent = state->mode & MODE_FLAT ? 0 : state->open[state->depth].node;
    uint32_t node = event_site->node;
    if (MEASURE_RARELY(node == 0 || event_site->parent != parent || event_site->peer != peer))
        node = measure_node_find_for(state, event_site, id, parent, peer, address);
    measure_node_count(&state->tree.nodes[node], bytes);
    return node;
}

static inline uint64_t measure_address_of(const struct measure_event_site *event_site, const uint64_t *columns)
{
    if (event_site->place == MEASURE_NO_COLUMN)
        return 0;
    const uint64_t *place = columns + event_site->place;
    bool is_element = event_site->shape == SHAPE_GET || event_site->shape == SHAPE_PUT;
    return place[1] + (is_element ? place[2] * columns[event_site->bytes] : 0);
}

/* A pair that other events can be nested in. */
MEASURE_INLINE bool measure_is_scope(unsigned tag)
{
    return tag == GASP_C_FUNC || tag == GASP_UPC_FORALL || tag >= GASP_UPC_USEREVT_START;
}

/* A call or construct that would exceed the largest number of open pairs. */
MEASURE_INLINE bool measure_is_too_deep(const struct measure_state *state, const struct measure_event_site *event_site)
{
    return MEASURE_RARELY(state->depth >= state->deepest && ((event_site->flags & EVENT_SITE_IS_SCOPE) || state->depth + 1 >= state->capacity));
}

/* ---- Hot accesses -------------------------------------------------------------------------------------------------- */

MEASURE_INLINE bool measure_is_access(unsigned tag)
{
    return tag == GASP_UPC_GET || tag == GASP_UPC_PUT;
}

/* A call or construct begins or ends: what has been counted belongs to the one that was open until now. */
MEASURE_INLINE void measure_settle_scope(struct measure_state *state, unsigned tag)
{
    if (MEASURE_RARELY(state->budget.count != 0) && measure_is_scope(tag))
        measure_budget_settle(state);
}

/* Library calls that may take less time than their report. Reading the clock is a visible part of their time. */
MEASURE_INLINE bool measure_is_small_call(unsigned tag)
{
    return tag == GASP_UPC_LOCK || tag == GASP_UPC_UNLOCK || tag == GASP_UPC_MEMGET || tag == GASP_UPC_MEMPUT || tag == GASP_UPC_MEMSET;
}

/* Returns the duration of the pair that ends now. For a read that the cache has answered, the clock was read at the answer.

   A pair can be shorter than the mean cost of a pair. Then its duration is 0, and the difference shortens the next pairs of the node, so that the sum of
   all durations is exact. */
MEASURE_INLINE uint64_t measure_took(const struct measure_state *state, const struct measure_open *open, uint64_t now)
{
    uint64_t cost = state->profile_pair.parts, ticks = now - open->start;
    if (open->tag == GASP_UPC_GET) {
        uint64_t answered = measure_ticks(upcr_inst_answered);
        if (answered > open->start) {
            ticks = answered - open->start;
            cost = (uint64_t)state->clock_cost * MEASURE_TICK;
        }
    }
    int64_t *rest = &state->tree.nodes[open->node].rest;
    const int64_t parts = (int64_t)(ticks * MEASURE_TICK - cost) + *rest, took = parts > 0 ? parts / MEASURE_TICK : 0;
    *rest = parts - took * MEASURE_TICK;
    return (uint64_t)took;
}

/* Handles the end of a pair with this duration in the profile. */
MEASURE_INLINE void measure_note_time(struct measure_state *state, const struct measure_open *open, uint64_t took)
{
    struct measure_node *node = &state->tree.nodes[open->node];
    const uint64_t own = took > open->inside ? took - open->inside : 0;
    measure_node_time(node, took, open->inside);
    if (MEASURE_RARELY(state->event_sites[open->event_site].raised > state->hot) && open->slow == upcr_inst_slow)
        measure_node_sample(node, own);
    if (MEASURE_RARELY(state->budget.count != 0) && !measure_is_scope(open->tag))
        state->budget.leaves += own;
}

/* Copying more bytes takes longer than a report. */
enum { MEASURE_FEW_BYTES = 1024 };

/* Returns whether events of a hot place that need no message may be counted. Events that need one are always reported: they include the cache's events,
   and the cost of the report is small beside theirs. The same holds for the effects of a lock, or of its release, on a cache. */
MEASURE_INLINE bool measure_may_be_counted(const struct measure_state *state, unsigned tag, uint32_t thread, uint64_t bytes)
{
    if (measure_is_access(tag))
        return upcr_mapped(thread);
    if (state->mode & MODE_TRACE) /* shows which thread held a lock at what time */
        return false;
    if (tag == GASP_UPC_LOCK || tag == GASP_UPC_UNLOCK)
        return upcr_all_mapped();
    return measure_is_small_call(tag) && bytes <= MEASURE_FEW_BYTES && upcr_mapped(thread);
}

/* Called after an event was counted; the first column of an access says whether it is relaxed. Returns whether the event represents those that will
   only be counted. */
MEASURE_INLINE bool measure_grant_hot(struct measure_state *state, const struct measure_event *event, const struct measure_event_site *event_site, uint32_t id,
                                      uint32_t peer, uint64_t bytes, const uint64_t *columns)
{
    if (MEASURE_RARELY(event_site->raised > state->hot && state->access_sample > 1 && event->site != NULL &&
                       (measure_may_be_counted(state, event->tag, peer - 1, bytes) ||
                        (measure_is_access(event->tag) && measure_hits_may_count(event->tag, columns[0] != 0)))))
        return measure_budget_grant(state, event->site, event_site, id, peer - 1, bytes, state->access_sample);
    return true;
}

/* ---- Records ------------------------------------------------------------------------------------------------------- */

/* Writes an event of the trace and, before it, how many were left out. */
void measure_record(struct measure_state *state, struct measure_event_site *event_site, uint32_t id, uint64_t now, const uint64_t *columns, unsigned count);

/* Writes the end as an event with an event site: it has values or a place of its own, or does not end the innermost pair. */
MEASURE_INLINE void measure_record_end(struct measure_state *state, const struct measure_event *event, uint64_t now, va_list arguments)
{
    uint64_t columns[MEASURE_COLUMNS], bytes;
    uint32_t peer, id = measure_event_site_of(state, event, arguments);
    if (id == 0)
        return;
    struct measure_event_site *event_site = &state->event_sites[id];
    unsigned count = measure_event_fetch(event_site, arguments, columns, false, &bytes, &peer);
    event_site->raised++;
    measure_record(state, event_site, id, now, columns, count);
}

#endif
