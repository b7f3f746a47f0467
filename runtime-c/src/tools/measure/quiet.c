#include "runtime.h"

#include <gasp_upc.h>

#include "gasp/gasp_runtime.h"
#include "tools/measure/hits.h"
#include "tools/measure/notice.h"
#include "tools/measure/profile.h"
#include "tools/measure/quiet.h"

/* A place, way and peer: `granted` is what its count in upcr_inst_quiet was when it was last looked at. */
struct measure_counting {
    upcr_u32 *left;
    uint32_t granted, origin, peer;
    uint32_t period; /* one in so many is told: ROW in a row, and then as many times more are counted */
    uint32_t row;    /* how many of these are to come */
    uint64_t bytes;
    uint64_t told;   /* when one was told last */
    uint64_t leaves; /* of struct measure_quiet, then */
    uint32_t drawn;  /* how many were to be counted from then on */
    uint32_t hits; /* what these are as well: the origin of an event of the cache; or 0 */
};

/* Told in a row are so many, of which the last are samples. The first are not: the processor, which expected to go on counting, has begun to read what they
   read before they were told, and has to fetch the code that tells. */
enum { ROW = 8, SAMPLES = 4 };

/* Where the next row comes after less than so many readings of the clock, what telling costs would show: fewer are told from then on. More, after
   LONG. */
enum { SHORT = 2000 * ROW, LONG = 16 * SHORT, MOST_PERIOD = 1 << 17 };

/* Room for all that count at a time; takes memory as far as it is used. A place that finds none goes on being told. */
enum { MOST_ACTIVE = 1 << 18 };

static const size_t bytes_of_counts = UPCR_MOST_QUIET * sizeof(struct upcr_quiet);

size_t measure_quiet_bytes(void)
{
    return bytes_of_counts + MOST_ACTIVE * sizeof(struct measure_counting);
}

void measure_quiet_start(struct measure_state *state, uint8_t *memory)
{
    struct measure_quiet *quiet = &state->quiet;
    quiet->counts = (struct upcr_quiet *)(void *)memory;
    quiet->active = (struct measure_counting *)(void *)(memory + bytes_of_counts);
    quiet->where = &upcr_inst_quiet;
    quiet->random = 2463534242u + state->number;
    measure_quiet_go_on(state);
}

void measure_quiet_go_on(struct measure_state *state)
{
    if (state->quiet.counts != NULL)
        __atomic_store_n(state->quiet.where, state->quiet.counts, __ATOMIC_RELAXED);
}

void measure_quiet_hold(struct measure_state *state)
{
    if (state->quiet.counts != NULL)
        __atomic_store_n(state->quiet.where, NULL, __ATOMIC_RELAXED);
}

/* From 0 to 2 * mean: a fixed number would meet the same element of a loop's pattern again and again. */
static uint32_t draw(struct measure_state *state, uint32_t mean)
{
    uint32_t random = state->quiet.random;
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    state->quiet.random = random;
    return (uint32_t)((uint64_t)random * (2 * (uint64_t)mean + 1) >> 32);
}

/* Takes in what has been counted since the last time, below the pairs that are open. Returns how much. */
static uint32_t take(struct measure_state *state, struct measure_counting *quiet)
{
    struct measure_origin *origin = &state->origins[quiet->origin];
    uint32_t counted = quiet->granted - *quiet->left;
    quiet->granted = *quiet->left;
    if (counted == 0)
        return 0;
    origin->raised += counted;
    state->raised += 2 * (uint64_t)counted;
    state->dropped_sampling += 2 * (uint64_t)counted;
    uint32_t node = 0;
    if (state->mode & MODE_PROFILE) {
        uint32_t parent = state->mode & MODE_FLAT ? 0 : state->open[state->depth].node;
        node = measure_node_find_for(state, origin, quiet->origin, parent, quiet->peer + 1, 0);
        state->tree.nodes[node].count += counted;
        state->tree.nodes[node].bytes += counted * quiet->bytes;
    }
    if (quiet->hits != 0)
        measure_hits_add(state, quiet->hits, node, counted, quiet->bytes);
    return counted;
}

/* Where the element is in `active`, plus 1; 0: nowhere. */
static upcr_u32 *place_of(upcr_u32 *left)
{
    return left + offsetof(struct upcr_quiet, of_get) / sizeof *left;
}

/* The last takes the place of one that counts no more. */
static void forget(struct measure_state *state, struct measure_counting *quiet)
{
    *quiet->left = 0;
    *place_of(quiet->left) = 0;
    struct measure_counting *last = &state->quiet.active[--state->quiet.count];
    if (last == quiet)
        return;
    *quiet = *last;
    *place_of(quiet->left) = (upcr_u32)(quiet - state->quiet.active) + 1;
}

/* How many are to pass by, from how long the last ones took. */
static uint32_t next_period(const struct measure_state *state, const struct measure_counting *quiet, uint64_t now, uint32_t least)
{
    uint64_t passed = now - quiet->told;
    if (!state->adapts_sample)
        return least;
    if (passed < (uint64_t)SHORT * state->clock_cost && quiet->period < MOST_PERIOD)
        return 2 * quiet->period;
    return passed > (uint64_t)LONG * state->clock_cost && quiet->period / 2 > least ? quiet->period / 2 : quiet->period;
}

/* Since one was told last all the others were counted: together they took no longer than has passed. */
static void note_passed(struct measure_state *state, const struct measure_counting *quiet, uint64_t now)
{
    const uint64_t passed = now - quiet->told, others = state->quiet.leaves - quiet->leaves;
    if (!(state->mode & MODE_PROFILE))
        return;
    const uint32_t parent = state->mode & MODE_FLAT ? 0 : state->open[state->depth].node;
    const uint32_t node = measure_node_find_for(state, &state->origins[quiet->origin], quiet->origin, parent, quiet->peer + 1, 0);
    struct measure_samples *samples = &state->tree.nodes[node].samples;
    samples->counted += quiet->drawn;
    samples->passed += passed > others ? passed - others : 0;
}

/* The element of `active` for this count; NULL: there is no room. */
static struct measure_counting *activate(struct measure_quiet *quiet, upcr_u32 *left)
{
    if (quiet->count == MOST_ACTIVE)
        return NULL;
    *place_of(left) = ++quiet->count;
    return &quiet->active[quiet->count - 1];
}

/* Whether the one that is told now, the next of a row, is a sample. */
static bool is_in_row(struct measure_counting *quiet)
{
    if (quiet->row == 0)
        quiet->row = ROW;
    quiet->row--;
    return quiet->row < SAMPLES;
}

bool measure_quiet_grant(struct measure_state *state, upcr_site *site, const struct measure_origin *origin, uint32_t id, uint32_t peer, uint64_t bytes,
                         uint32_t period)
{
    uint32_t first = state->quiet.counts != NULL ? upcr_inst_quiet_place(site) : 0;
    if (first == 0)
        return true;
    struct upcr_quiet *counts = &state->quiet.counts[first + peer];
    upcr_u32 *left = origin->tag == GASP_UPC_PUT ? &counts->put : &counts->get, *place = place_of(left);
    struct measure_counting *quiet = *place != 0 ? &state->quiet.active[*place - 1] : NULL;
    uint64_t now = measure_now();
    bool is_sample = *left == 0;
    if (!is_sample && measure_is_access(origin->tag))
        return true;
    if (quiet != NULL && is_sample) {
        if (quiet->row == 0) {
            note_passed(state, quiet, now);
            quiet->period = next_period(state, quiet, now, period);
        }
        take(state, quiet);
        is_sample = is_in_row(quiet);
        if (quiet->row > 0)
            return is_sample;
        period = quiet->period;
    } else if (quiet == NULL) {
        quiet = activate(&state->quiet, left);
        if (quiet == NULL)
            return true;
    } else {
        take(state, quiet);
        period = quiet->period;
    }
    *left = draw(state, ROW * (period - 1));
    if (!measure_is_access(origin->tag))
        counts->put = (upcr_u32)bytes;
    *quiet = (struct measure_counting){
        .left = left,
        .granted = *left,
        .origin = id,
        .peer = peer,
        .period = period,
        .bytes = bytes,
        .told = now,
        .leaves = state->quiet.leaves,
        .drawn = *left,
        .hits = measure_hits_origin(state, site, origin, peer),
    };
    return is_sample;
}

void measure_quiet_settle(struct measure_state *state)
{
    struct measure_counting *active = state->quiet.active;
    for (uint32_t i = state->quiet.count; i-- > 0;)
        if (take(state, &active[i]) == 0 || *active[i].left == 0)
            forget(state, &active[i]);
}

void measure_quiet_end(struct measure_state *state)
{
    for (uint32_t i = state->quiet.count; i-- > 0;) {
        take(state, &state->quiet.active[i]);
        forget(state, &state->quiet.active[i]);
    }
}
