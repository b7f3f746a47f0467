/* Updates: `*place op= value`. One whose line is in the cache changes the line; others leave as messages like puts, and the thread that has the
   memory makes them. */
#include "cache/access.h"
#include "update.h"

static void send(upcr_pts_t place, enum upcr_update update, const void *value, size_t n)
{
    uint64_t begin = upcr_cost_begin(UPCR_COST_PUT);
    upcr_pending = 1;
    upcr_cache.counts.puts++;
    upcr_tp_update(place, update, value, n);
    upcr_cost_end(UPCR_COST_PUT, begin, 1);
}

void upcr_remote_update(upcr_pts_t place, enum upcr_update update, const void *value, upcr_size n)
{
    uint64_t now;
    if (!upcr_access_update_in_line(place, n)) {
        send(place, update, value, n);
        return;
    }
    upcr_remote_get(&now, place, n);
    upcr_update_apply(update, &now, value, n);
    upcr_remote_put(place, &now, n);
}
