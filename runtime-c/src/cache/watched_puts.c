/* Puts that were started and are not done. A line that is fetched meanwhile may hold the bytes as they were before. So the line
   is dropped when the put is known to be done. */
#include "cache/cache.h"

enum { WATCHED_PUTS = 64 };

static struct watched_put {
    const struct upcr_batch *batch;
    upcr_pts_t place;
    size_t n;
} watched_puts[WATCHED_PUTS];
static size_t watched_count;

void upcr_cache_watch_put(upcr_pts_t place, size_t n, struct upcr_batch *batch)
{
    if (watched_count == WATCHED_PUTS) {
        upcr_tp_batch_wait(batch);
        return;
    }
    watched_puts[watched_count++] = (struct watched_put){batch, place, n};
}

void upcr_cache_puts_done(const struct upcr_batch *batch)
{
    for (size_t i = 0; i < watched_count;) {
        struct watched_put put = watched_puts[i];
        if (put.batch != batch) {
            i++;
            continue;
        }
        watched_puts[i] = watched_puts[--watched_count];
        upcr_cache_release(put.place, put.n);
    }
}
