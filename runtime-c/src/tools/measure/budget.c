#include "runtime.h"

#include <gasp_upc.h>

#include "gasp/gasp_runtime.h"
#include "tools/measure/hits.h"
#include "tools/measure/event.h"
#include "tools/measure/profile.h"
#include "tools/measure/budget.h"

/* A place, direction and peer. `granted` is the value that its count in upcr_inst_skip_counts had at the last check. */
struct measure_counting {
    upcr_u32 *left;
    uint32_t granted, event_site, peer;
    uint32_t period; /* one in this number is reported: ROW in a row, then the corresponding number is counted */
    uint32_t row;    /* how many of the row remain */
    uint64_t bytes;
    uint64_t reported_at; /* time of the last report */
    uint64_t leaves;      /* of struct measure_budget, then */
    uint32_t drawn;       /* how many were granted at that time */
    uint32_t hits;        /* the event site of an event of the cache that these accesses raise as well; or 0 */
};

/* This number is reported in a row, and the last of them are samples. The first are not: the processor, which predicted that counting continues, has
   already begun their reads before they are reported, and must fetch the code that reports. */
enum { ROW = 16, SAMPLES = 12 };

/* If the next row comes within the time of this number of clock readings, the cost of reports would show, and fewer are reported from then on. After
   LONG, more are. */
enum { SHORT = 2000 * ROW, LONG = 16 * SHORT, MOST_PERIOD = 1 << 17 };

/* Capacity for all places that count at the same time; only the used part takes memory. A place that finds no free element continues to report. */
enum { MOST_ACTIVE = 1 << 18 };

static const size_t bytes_of_counts = UPCR_MOST_SKIP_COUNTS * sizeof(struct upcr_skip_counts);

size_t measure_budget_bytes(void)
{
    return bytes_of_counts + MOST_ACTIVE * sizeof(struct measure_counting);
}

void measure_budget_start(struct measure_state *state, uint8_t *memory)
{
    struct measure_budget *budget = &state->budget;
    budget->counts = (struct upcr_skip_counts *)(void *)memory;
    budget->active = (struct measure_counting *)(void *)(memory + bytes_of_counts);
    budget->where = &upcr_inst_skip_counts;
    budget->random = 2463534242u + state->number;
    measure_budget_resume(state);
}

void measure_budget_resume(struct measure_state *state)
{
    if (state->budget.counts != NULL)
        __atomic_store_n(state->budget.where, state->budget.counts, __ATOMIC_RELAXED);
}

void measure_budget_hold(struct measure_state *state)
{
    if (state->budget.counts != NULL)
        __atomic_store_n(state->budget.where, NULL, __ATOMIC_RELAXED);
}

/* Returns a number from 0 to 2 * mean: a fixed number would select the same element of a loop's pattern each time. */
static uint32_t draw(struct measure_state *state, uint32_t mean)
{
    uint32_t random = state->budget.random;
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    state->budget.random = random;
    return (uint32_t)((uint64_t)random * (2 * (uint64_t)mean + 1) >> 32);
}

/* Records what has been counted since the last call, below the open pairs. Returns the number. */
static uint32_t take(struct measure_state *state, struct measure_counting *budget)
{
    struct measure_event_site *event_site = &state->event_sites[budget->event_site];
    /* The launcher takes from a thread that was killed before it noted what it had granted. */
    uint32_t counted = budget->granted > *budget->left ? budget->granted - *budget->left : 0;
    budget->granted = *budget->left;
    if (counted == 0)
        return 0;
    event_site->raised += counted;
    state->raised += 2 * (uint64_t)counted;
    state->dropped_sampling += 2 * (uint64_t)counted;
    uint32_t node = 0;
    if (state->mode & MODE_PROFILE) {
        uint32_t parent = state->mode & MODE_FLAT ? 0 : state->open[state->depth].node;
        node = measure_node_find_for(state, event_site, budget->event_site, parent, budget->peer + 1, 0);
        state->tree.nodes[node].count += counted;
        state->tree.nodes[node].bytes += counted * budget->bytes;
    }
    if (budget->hits != 0)
        measure_hits_add(state, budget->hits, node, counted, budget->bytes);
    return counted;
}

/* The position of the element in `active`, plus 1; 0: not in it. */
static upcr_u32 *place_of(upcr_u32 *left)
{
    return left + offsetof(struct upcr_skip_counts, of_get) / sizeof *left;
}

/* The last element replaces one that no longer counts. */
static void forget_counting(struct measure_state *state, struct measure_counting *budget)
{
    *budget->left = 0;
    *place_of(budget->left) = 0;
    struct measure_counting *last = &state->budget.active[--state->budget.count];
    if (last == budget)
        return;
    *budget = *last;
    *place_of(budget->left) = (upcr_u32)(budget - state->budget.active) + 1;
}

/* Returns how many accesses to count next, from the time that the last ones took. */
static uint32_t next_period(const struct measure_state *state, const struct measure_counting *budget, uint64_t now, uint32_t least)
{
    uint64_t passed = now - budget->reported_at;
    if (!state->adapts_sample)
        return least;
    if (passed < (uint64_t)SHORT * state->clock_cost && budget->period < MOST_PERIOD)
        return 2 * budget->period;
    return passed > (uint64_t)LONG * state->clock_cost && budget->period / 2 > least ? budget->period / 2 : budget->period;
}

/* All others since the last report were counted: together they took at most the time since then. */
static void note_passed(struct measure_state *state, const struct measure_counting *budget, uint64_t now)
{
    const uint64_t passed = now - budget->reported_at, others = state->budget.leaves - budget->leaves;
    if (!(state->mode & MODE_PROFILE))
        return;
    const uint32_t parent = state->mode & MODE_FLAT ? 0 : state->open[state->depth].node;
    const uint32_t node = measure_node_find_for(state, &state->event_sites[budget->event_site], budget->event_site, parent, budget->peer + 1, 0);
    struct measure_samples *samples = &state->tree.nodes[node].samples;
    samples->counted += budget->drawn;
    samples->passed += passed > others ? passed - others : 0;
}

/* Adds an element of `active` for this count. The launcher reads them all when the thread is killed, so the element is complete before it is
   one of them. */
static void activate(struct measure_budget *budget, const struct measure_counting *element)
{
    budget->active[budget->count] = *element;
    __atomic_signal_fence(__ATOMIC_RELEASE);
    *place_of(element->left) = budget->count + 1;
    __atomic_store_n(&budget->count, budget->count + 1, __ATOMIC_RELAXED);
}

/* Returns whether the access that is reported now, the next of a row, is a sample. */
static bool is_in_row(struct measure_counting *budget)
{
    if (budget->row == 0)
        budget->row = ROW;
    budget->row--;
    return budget->row < SAMPLES;
}

bool measure_budget_grant(struct measure_state *state, upcr_site *site, const struct measure_event_site *event_site, uint32_t id, uint32_t peer, uint64_t bytes,
                          uint32_t period)
{
    uint32_t first = state->budget.counts != NULL ? upcr_inst_skip_place(site) : 0;
    if (first == 0)
        return true;
    struct upcr_skip_counts *counts = &state->budget.counts[first + peer];
    upcr_u32 *left = event_site->tag == GASP_UPC_PUT ? &counts->put : &counts->get, *place = place_of(left);
    struct measure_counting *budget = *place != 0 ? &state->budget.active[*place - 1] : NULL;
    uint64_t now = measure_now();
    bool is_sample = *left == 0;
    if (!is_sample && measure_is_access(event_site->tag))
        return true;
    if (budget != NULL && is_sample) {
        if (budget->row == 0) {
            note_passed(state, budget, now);
            budget->period = next_period(state, budget, now, period);
        }
        take(state, budget);
        is_sample = is_in_row(budget);
        if (budget->row > 0)
            return is_sample;
        period = budget->period;
    } else if (budget == NULL) {
        if (state->budget.count == MOST_ACTIVE)
            return true;
    } else {
        take(state, budget);
        period = budget->period;
    }
    *left = draw(state, ROW * (period - 1));
    if (!measure_is_access(event_site->tag))
        counts->put = (upcr_u32)bytes;
    __atomic_signal_fence(__ATOMIC_RELEASE);
    const struct measure_counting element = {
        .left = left,
        .granted = *left,
        .event_site = id,
        .peer = peer,
        .period = period,
        .bytes = bytes,
        .reported_at = now,
        .leaves = state->budget.leaves,
        .drawn = *left,
        .hits = measure_hits_event_site(state, site, event_site, peer),
    };
    if (budget != NULL)
        *budget = element;
    else
        activate(&state->budget, &element);
    return is_sample;
}

void measure_budget_settle(struct measure_state *state)
{
    struct measure_counting *active = state->budget.active;
    for (uint32_t i = state->budget.count; i-- > 0;)
        if (take(state, &active[i]) == 0 || *active[i].left == 0)
            forget_counting(state, &active[i]);
}

void measure_budget_end(struct measure_state *state)
{
    for (uint32_t i = state->budget.count; i-- > 0;) {
        take(state, &state->budget.active[i]);
        forget_counting(state, &state->budget.active[i]);
    }
}
