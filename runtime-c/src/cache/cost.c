/* What accesses cost here and now: means of windows of samples. They begin with what the transport says, and go on as long as the program runs, for a
   machine, a network and a partner's attention change. */
#include "cache/lines.h"

#ifdef UPCR_REMOTE

#include "clock.h"

enum {
    FIRST_WINDOW = 16, LAST_WINDOW = 256,
    /* No sample counts for more than so many times the mean and a little: a rest of the whole machine is no cost of an access. */
    MOST_TIMES = 16, MOST_MORE = 10000,
    BEGIN_GUESS = 100, PIECE_GUESS = 30,
};

/* Occasions that go by after a window, for each sample of it: a few nanoseconds of work bear few readings of the clock. */
static const uint32_t rarity[UPCR_COSTS] = {
    [UPCR_COST_GET] = 8, [UPCR_COST_FILL] = 2, [UPCR_COST_PUT] = 64, [UPCR_COST_BEGIN] = 16, [UPCR_COST_PIECE] = 4,
};

static uint32_t reading; /* what reading the clock twice costs */

void upcr_cost_start(struct upcr_distance distance)
{
    reading = UINT32_MAX;
    for (int i = 0; i < 8; i++) {
        uint64_t begin = upcr_clock_system_ns(), took = upcr_clock_system_ns() - begin;
        if (took < reading)
            reading = (uint32_t)took;
    }
    upcr_cache.cost[UPCR_COST_GET].mean = distance.get;
    upcr_cache.cost[UPCR_COST_FILL].mean = distance.get + upcr_cache.line_bytes;
    upcr_cache.cost[UPCR_COST_PUT].mean = distance.put;
    upcr_cache.cost[UPCR_COST_BEGIN].mean = BEGIN_GUESS;
    upcr_cache.cost[UPCR_COST_PIECE].mean = PIECE_GUESS;
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
    uint64_t took = upcr_clock_system_ns() - begin, most = ((uint64_t)cost->mean * MOST_TIMES + MOST_MORE) * count;
    took = took < reading ? 0 : took - reading;
    cost->sum += (took < most ? took : most) / count;
    if (++cost->samples < cost->window)
        return;
    cost->mean = (uint32_t)(cost->sum / cost->samples);
    cost->skip = cost->window * rarity[what];
    cost->window = cost->window < LAST_WINDOW ? 2 * cost->window : LAST_WINDOW;
    cost->sum = cost->samples = 0;
    cost->windows++;
}

#endif
