/* Puts that were started and are not done. A line that is fetched meanwhile may hold the bytes as they were before. So the line
   is dropped when the put is known to be done. */
#include "cache/cache.h"

#include <stdlib.h>

/* A program may start any number of puts. */
enum { CHAINS = 256 };

static struct pending_put {
    struct pending_put *next;
    const struct upcr_batch *batch;
    upcr_pts_t place;
    size_t n;
} * pending_puts[CHAINS];

static struct pending_put **chain_of(const struct upcr_batch *batch)
{
    return &pending_puts[(uintptr_t)batch / sizeof *batch % CHAINS];
}

void upcr_cache_track_put(upcr_pts_t place, size_t n, const struct upcr_batch *batch)
{
    struct pending_put **chain = chain_of(batch), *put = malloc(sizeof *put);
    if (put == NULL)
        upcr_die("out of private memory for a non-blocking transfer");
    *put = (struct pending_put){*chain, batch, place, n};
    *chain = put;
}

void upcr_cache_puts_done(const struct upcr_batch *batch)
{
    for (struct pending_put **at = chain_of(batch), *put; (put = *at) != NULL;) {
        if (put->batch != batch) {
            at = &put->next;
            continue;
        }
        *at = put->next;
        upcr_cache_release(put->place, put->n);
        free(put);
    }
}
