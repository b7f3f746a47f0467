#include "tools/measure/event.h"

#include <stdlib.h>

#include "tools/measure/calibrate.h"

enum { PAIRS = 400, ROOT_OF_PAIRS = 20 };

/* Returns the ticks of the pairs at this place in the profile so far. */
static uint64_t ticks_of(const struct measure_state *state, const upcr_site *site)
{
    return state->tree.nodes != NULL ? state->tree.nodes[state->event_sites[site->id].node].total : 0;
}

/* Raises a pair as an instrumented unit does. Returns its ticks in the profile, and through `traced` those in the trace. */
static uint32_t measure_pair(const struct measure_state *state, upcr_site *site, uint32_t *traced)
{
    static volatile int value;
    int copy;
    upcr_pts_t place = upcr_make((upcr_size)upcr_mythread, 0, 0);
    const uint64_t before = ticks_of(state, site);
    upcr_inst_start(site, UPCR_EVENT_UPC_GET, 1, (void *)&copy, &place, sizeof copy);
    const uint64_t started = state->trace.time;
    copy = value;
    upcr_inst_end(site, UPCR_EVENT_UPC_GET, 1, (void *)&copy, &place, sizeof copy);
    *traced = (uint32_t)(state->trace.time - started);
    return (uint32_t)(ticks_of(state, site) - before);
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The parts of a tick that a read takes which waits for the one before and finds its data in the nearest cache. */
static uint32_t cost_of_read(void)
{
    enum { TRIES = 20, READS = 256 };
    void *first = &first, *volatile start = first;
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        const uint64_t before = measure_now_done();
        void **at = start;
        for (int j = 0; j < READS; j++)
            at = *(void *volatile *)at;
        const uint64_t passed = measure_now_done() - before;
        least = passed < least ? passed : least;
        start = at;
    }
    return (uint32_t)(least * MEASURE_TICK / READS);
}

/* The mean of those that were not interrupted, and its error: the mean deviation of a pair by the root of their number. The read inside took its time,
   too. */
static struct measure_pair_cost cost_of(uint32_t *ticks, uint32_t of_read)
{
    qsort(ticks, PAIRS, sizeof *ticks, compare);
    const uint32_t longest = 2 * ticks[PAIRS / 2];
    uint32_t counted = 0;
    double sum = 0, deviations = 0;
    for (; counted < PAIRS && ticks[counted] <= longest; counted++)
        sum += ticks[counted];
    const double mean = sum / counted, parts = mean * MEASURE_TICK - of_read;
    for (uint32_t i = 0; i < counted; i++)
        deviations += ticks[i] > mean ? ticks[i] - mean : mean - ticks[i];
    return (struct measure_pair_cost){parts > 0 ? (uint32_t)parts : 0, 1 + (uint32_t)(deviations / counted / ROOT_OF_PAIRS)};
}

/* The clock may advance in large steps: pairs at regular intervals could all begin at the same distance from a step. The interval changes after every
   few pairs only, because the processor predicts the branches of a pair by those before it. */
static void wait_before(int pair)
{
    enum { GROUPS = 16 };
    for (volatile int left = pair / (PAIRS / GROUPS); left > 0;)
        left = left - 1;
}

static void forget_event_site(struct measure_state *state, struct measure_event_site *event_site)
{
    if (event_site->node != 0)
        measure_node_forget(&state->tree, event_site->node);
    event_site->raised = event_site->traced = event_site->traced_before = event_site->node = 0;
}

void measure_calibrate(struct measure_state *state)
{
    static upcr_site site;
    const struct measure_state before = *state;
    uint32_t by_profile[PAIRS], by_trace[PAIRS];
    /* Makes each one reported, timed and traced. */
    state->sample = state->access_sample = 1;
    state->rate = 0;
    measure_choose_path(state);
    state->path = state->calm;
    /* The first ones create the event site and the node, and load the code into the caches. */
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < PAIRS; i++) {
            wait_before(i);
            by_profile[i] = measure_pair(state, &site, &by_trace[i]);
            state->trace = before.trace;
        }
    forget_event_site(state, &state->event_sites[site.id]);
    *state = before;
    const uint32_t of_read = cost_of_read();
    state->profile_pair = cost_of(by_profile, of_read);
    state->trace_pair = cost_of(by_trace, of_read);
    measure_run->calibrated = true;
}

void measure_calibrate_forget(struct measure_state *state)
{
    for (uint32_t id = 1; id < measure_run->event_site_count; id++)
        forget_event_site(state, &state->event_sites[id]);
    state->depth = 0;
    state->trace.at = state->trace.records;
}
