/* What accesses cost here and now, from windows of samples: the mean where some accesses do work for many, the least where a wait for the partner's
   attention or for a processor would measure these rather than the access. They begin with what the transport says, and go on as long as the program runs, for a
   machine, a network and a partner's attention change. */
#include "cache/lines.h"

#include "clock.h"

enum {
    FIRST_WINDOW = 16,
    LAST_WINDOW = 256,
    /* No sample counts for more than so many times the mean and a little: a rest of the whole machine is no cost of an access. */
    MOST_TIMES = 8,
    MOST_MORE = 4000,
    BEGIN_GUESS = 100,
    IOV_GUESS = 30,
};

/* Occasions that go by after a window, for each sample of it: a few nanoseconds of work bear few readings of the clock. */
static const uint32_t rarity[UPCR_COSTS] = {
    [UPCR_COST_GET] = 8, [UPCR_COST_FILL] = 2, [UPCR_COST_PUT] = 32, [UPCR_COST_BEGIN] = 16, [UPCR_COST_IOV] = 4,
};

static const bool takes_least[UPCR_COSTS] = {[UPCR_COST_GET] = true, [UPCR_COST_FILL] = true, [UPCR_COST_IOV] = true};

static uint32_t reading; /* what reading the clock twice costs */

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
