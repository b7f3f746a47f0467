#include "tools/measure/event.h"

#include <stdlib.h>

#include "tools/measure/calibrate.h"

enum { PAIRS = 101 };

/* Raises a pair as an instrumented unit does. Returns its ticks in the profile, and through `traced` those in the trace. */
static uint32_t measure_pair(const struct measure_state *state, upcr_site *site, uint32_t *traced)
{
    static volatile int value;
    const struct measure_node *nodes = state->tree.nodes;
    int copy;
    upcr_pts_t place = upcr_make((upcr_size)upcr_mythread, 0, 0);
    upcr_inst_start(site, UPCR_EVENT_UPC_GET, 1, (void *)&copy, &place, sizeof copy);
    const uint64_t started = state->trace.time;
    const uint32_t node = state->open[state->depth].node;
    const uint64_t before = nodes != NULL ? nodes[node].total : 0;
    copy = value;
    upcr_inst_end(site, UPCR_EVENT_UPC_GET, 1, (void *)&copy, &place, sizeof copy);
    *traced = (uint32_t)(state->trace.time - started);
    return nodes != NULL ? (uint32_t)(nodes[node].total - before) : 0;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The median, and half of the interquartile range. */
static struct measure_pair_cost cost_of(uint32_t *ticks)
{
    qsort(ticks, PAIRS, sizeof *ticks, compare);
    return (struct measure_pair_cost){ticks[PAIRS / 2], (ticks[PAIRS * 3 / 4] - ticks[PAIRS / 4] + 1) / 2};
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
            by_profile[i] = measure_pair(state, &site, &by_trace[i]);
            state->trace = before.trace;
        }
    struct measure_event_site *event_site = &state->event_sites[site.id];
    if (state->mode & MODE_PROFILE)
        measure_node_forget(&state->tree, event_site->node);
    event_site->raised = event_site->traced = event_site->traced_before = event_site->node = 0;
    *state = before;
    state->profile_pair = cost_of(by_profile);
    state->trace_pair = cost_of(by_trace);
}
