/* The current costs of accesses, from windows of samples: the mean if some accesses do work for many; the minimum if a wait for the partner or for a
   processor would be measured instead of the access. The estimates begin with values of the transport, and are updated as long as the program runs,
   because the load of the machine, the network and the partner changes. */
#include "cache/lines.h"

#include "clock.h"

enum {
    FIRST_WINDOW = 16,
    LAST_WINDOW = 256,
    /* A sample counts for at most this multiple of the mean plus a constant: a pause of the whole machine is not a cost of an access. */
    MOST_TIMES = 8,
    MOST_MORE = 4000,
    BEGIN_GUESS = 100,
    IOV_GUESS = 30,
};

/* Opportunities that are skipped after a window, for each of its samples: reading the clock takes as long as the work that is measured. */
static const uint32_t rarity[UPCR_COSTS] = {
    [UPCR_COST_GET] = 8, [UPCR_COST_FILL] = 2, [UPCR_COST_PUT] = 32, [UPCR_COST_BEGIN] = 16, [UPCR_COST_IOV] = 4,
};

static const bool takes_least[UPCR_COSTS] = {[UPCR_COST_GET] = true, [UPCR_COST_FILL] = true, [UPCR_COST_IOV] = true};

static uint32_t reading; /* cost of reading the clock twice */

void upcr_cost_start(struct upcr_distance distance)
{
    reading = UINT32_MAX;
    for (int i = 0; i < 8; i++) {
        uint64_t begin = upcr_clock_system_ns(), took = upcr_clock_system_ns() - begin;
        if (took < reading)
            reading = (uint32_t)took;
    }
    upcr_cache.cost[UPCR_COST_GET].cost_estimate = distance.get;
    upcr_cache.cost[UPCR_COST_FILL].cost_estimate = distance.get + upcr_cache.line_bytes;
    upcr_cache.cost[UPCR_COST_PUT].cost_estimate = distance.put;
    upcr_cache.served = distance.served;
    upcr_cache.cost[UPCR_COST_BEGIN].cost_estimate = BEGIN_GUESS;
    upcr_cache.cost[UPCR_COST_IOV].cost_estimate = IOV_GUESS;
    for (size_t i = 0; i < UPCR_COSTS; i++)
        upcr_cache.cost[i].window = FIRST_WINDOW;
}

uint64_t upcr_cost_now(void)
{
    return upcr_clock_system_ns();
}

void upcr_cost_add(enum upcr_cost what, uint64_t begin, uint64_t count)
{
    struct upcr_measure *cost = &upcr_cache.cost[what];
    uint64_t took = upcr_clock_system_ns() - begin, most = ((uint64_t)cost->cost_estimate * MOST_TIMES + MOST_MORE) * count;
    took = took < reading ? 0 : took - reading;
    if (cost->samples == 0 || took / count < cost->least)
        cost->least = (uint32_t)(took / count);
    cost->sum += (took < most ? took : most) / count;
    if (++cost->samples < cost->window)
        return;
    cost->cost_estimate = takes_least[what] ? cost->least : (uint32_t)(cost->sum / cost->samples);
    cost->skip = cost->window * rarity[what];
    cost->window = cost->window < LAST_WINDOW ? 2 * cost->window : LAST_WINDOW;
    cost->sum = cost->samples = 0;
    cost->windows++;
}
