/* When the cache becomes larger. If a good part of the lines fetched since the last flush was fetched before, and has been evicted since, the program
   reads more bytes again and again than the cache holds. A larger cache then saves messages; for data that is read once it would save nothing. */
#include "cache/lines.h"

enum {
    GROWTH_MARKS = 8192,
};

/* Observed lines that were fetched since the last flush: each mark is computed from a line and the number of the flush. */
static uint32_t growth_marks[GROWTH_MARKS], growth_era;
static uint32_t read_in, read_again; /* observed lines fetched since the last judgement, and those that had been fetched before */

void upcr_growth_forget(void)
{
    growth_era++;
    read_in = read_again = 0;
}

void upcr_growth_note(uint64_t tag)
{
    if (!upcr_region_samples(tag))
        return;
    uint64_t mixed = (tag ^ (uint64_t)growth_era << 32) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t now = (uint32_t)(mixed >> 16) | 1, *mark = &growth_marks[mixed >> 51]; /* the upper bits depend on all */
    read_in++;
    read_again += *mark == now;
    *mark = now;
}

/* Judges each time that as many lines were fetched as the cache has. */
bool upcr_growth_due(void)
{
    if (read_in < upcr_cache.lines / UPCR_SAMPLED_ONE_IN)
        return false;
    bool due = read_again > read_in / 2;
    read_in = read_again = 0;
    return due && upcr_cache.budget != 0 && upcr_cache.budget < upcr_cache.budget_most;
}
