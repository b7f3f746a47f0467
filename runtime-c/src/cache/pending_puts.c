/* Puts that were started and are not done. A line that is fetched meanwhile may hold the bytes as they were before. So the line
   is dropped when the put is known to be done. */
#include "cache/cache.h"

enum { MOST_PENDING = 64 };

static struct pending_put {
    const struct upcr_batch *batch;
    upcr_pts_t place;
    size_t n;
} pending_puts[MOST_PENDING];
static size_t pending_count;

void upcr_cache_track_put(upcr_pts_t place, size_t n, struct upcr_batch *batch)
{
    if (pending_count == MOST_PENDING) {
        upcr_tp_batch_wait(batch);
        return;
    }
    pending_puts[pending_count++] = (struct pending_put){batch, place, n};
}

void upcr_cache_puts_done(const struct upcr_batch *batch)
{
    for (size_t i = 0; i < pending_count;) {
        struct pending_put put = pending_puts[i];
        if (put.batch != batch) {
            i++;
            continue;
        }
        pending_puts[i] = pending_puts[--pending_count];
        upcr_cache_release(put.place, put.n);
    }
}
