#include "runtime.h"

#include <gasp_upc.h>
#include <sys/mman.h>

#include "gasp/gasp_runtime.h"
#include "tools/measure/hits.h"
#include "tools/measure/notice.h"
#include "tools/measure/profile.h"
#include "tools/measure/quiet.h"

/* A place, way and peer: `granted` is what its count in upcr_inst_quiet was when it was last looked at. */
struct quiet {
    upcr_u32 *left;
    uint32_t granted, origin, peer;
    uint32_t period; /* one in so many is told: MEASURE_ROW in a row, and then as many times more are counted */
    uint32_t row;    /* how many of these are to come */
    uint64_t bytes;
    uint64_t told;   /* when one was told last */
    uint64_t leaves; /* measure_state.leaves then */
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
static struct quiet *active;
uint32_t measure_quiet_active;

bool measure_quiet_start(void)
{
    void *memory = mmap(NULL, MOST_ACTIVE * sizeof *active, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    active = memory;
    return memory != MAP_FAILED;
}

/* From 0 to 2 * mean: a fixed number would meet the same element of a loop's pattern again and again. */
static uint32_t draw(uint32_t mean)
{
    static uint32_t random = 2463534242u;
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    return (uint32_t)((uint64_t)random * (2 * (uint64_t)mean + 1) >> 32);
}

/* Takes in what has been counted since the last time, below the pairs that are open. Returns how much. */
static uint32_t take(struct quiet *quiet)
{
    struct measure_state *state = &measure_state;
    struct measure_origin *origin = &measure_origins[quiet->origin];
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
        node = measure_node_find(origin, quiet->origin, parent, quiet->peer + 1, 0);
        measure_nodes[node].count += counted;
        measure_nodes[node].bytes += counted * quiet->bytes;
    }
    if (quiet->hits != 0)
        measure_hits_add(quiet->hits, node, counted, quiet->bytes);
    return counted;
}

/* Where the element is in `active`, plus 1; 0: nowhere. */
static upcr_u32 *place_of(upcr_u32 *left)
{
    return left + offsetof(struct upcr_quiet, of_get) / sizeof *left;
}

/* The last takes the place of one that counts no more. */
static void forget(struct quiet *quiet)
{
    *quiet->left = 0;
    *place_of(quiet->left) = 0;
    struct quiet *last = &active[--measure_quiet_active];
    if (last == quiet)
        return;
    *quiet = *last;
    *place_of(quiet->left) = (upcr_u32)(quiet - active) + 1;
}

/* How many are to pass by, from how long the last ones took. */
static uint32_t next_period(const struct quiet *quiet, uint64_t now, uint32_t least)
{
    const struct measure_state *state = &measure_state;
    uint64_t passed = now - quiet->told;
    if (!state->adapts_sample)
        return least;
    if (passed < (uint64_t)SHORT * state->clock_cost && quiet->period < MOST_PERIOD)
        return 2 * quiet->period;
    return passed > (uint64_t)LONG * state->clock_cost && quiet->period / 2 > least ? quiet->period / 2 : quiet->period;
}

/* Since one was told last all the others were counted: together they took no longer than has passed. */
static void note_passed(const struct quiet *quiet, uint64_t now)
{
    const struct measure_state *state = &measure_state;
    const uint64_t passed = now - quiet->told, others = state->leaves - quiet->leaves;
    if (!(state->mode & MODE_PROFILE))
        return;
    const uint32_t parent = state->mode & MODE_FLAT ? 0 : state->open[state->depth].node;
    const uint32_t node = measure_node_find(&measure_origins[quiet->origin], quiet->origin, parent, quiet->peer + 1, 0);
    struct measure_samples *samples = &measure_nodes[node].samples;
    samples->counted += quiet->drawn;
    samples->passed += passed > others ? passed - others : 0;
}

/* The element of `active` for this count; NULL: there is no room. */
static struct quiet *activate(upcr_u32 *left)
{
    if (measure_quiet_active == MOST_ACTIVE)
        return NULL;
    *place_of(left) = ++measure_quiet_active;
    return &active[measure_quiet_active - 1];
}

/* Whether the one that is told now, the next of a row, is a sample. */
static bool is_in_row(struct quiet *quiet)
{
    if (quiet->row == 0)
        quiet->row = ROW;
    quiet->row--;
    return quiet->row < SAMPLES;
}

bool measure_quiet_grant(upcr_site *site, const struct measure_origin *origin, uint32_t id, uint32_t peer, uint64_t bytes, uint32_t period)
{
    if (site->quiet == 0)
        site->quiet = upcr_inst_quiet_room();
    if (site->quiet == 0)
        return true;
    struct upcr_quiet *counts = &upcr_inst_quiet[site->quiet + peer];
    upcr_u32 *left = origin->tag == GASP_UPC_PUT ? &counts->put : &counts->get, *place = place_of(left);
    struct quiet *quiet = *place != 0 ? &active[*place - 1] : NULL;
    uint64_t now = measure_now();
    bool is_sample = *left == 0;
    if (!is_sample && measure_is_access(origin->tag))
        return true;
    if (quiet != NULL && is_sample) {
        if (quiet->row == 0) {
            note_passed(quiet, now);
            quiet->period = next_period(quiet, now, period);
        }
        take(quiet);
        is_sample = is_in_row(quiet);
        if (quiet->row > 0)
            return is_sample;
        period = quiet->period;
    } else if (quiet == NULL) {
        quiet = activate(left);
        if (quiet == NULL)
            return true;
    } else {
        take(quiet);
        period = quiet->period;
    }
    *left = draw(ROW * (period - 1));
    if (!measure_is_access(origin->tag))
        counts->put = (upcr_u32)bytes;
    *quiet = (struct quiet){
        .left = left,
        .granted = *left,
        .origin = id,
        .peer = peer,
        .period = period,
        .bytes = bytes,
        .told = now,
        .leaves = measure_state.leaves,
        .drawn = *left,
        .hits = measure_hits_origin(site, origin, peer),
    };
    return is_sample;
}

void measure_quiet_settle(void)
{
    for (uint32_t i = measure_quiet_active; i-- > 0;)
        if (take(&active[i]) == 0 || *active[i].left == 0)
            forget(&active[i]);
}

void measure_quiet_end(void)
{
    for (uint32_t i = measure_quiet_active; i-- > 0;) {
        take(&active[i]);
        forget(&active[i]);
    }
}
