#include "runtime.h"

#include <gasp_upc.h>

#include "remote/remote.h"
#include "tools/measure/hits.h"
#include "tools/tool.h"

/* Strict ones go by the cache, and so do all reads without it: each takes a message. */
bool measure_hits_may_count(unsigned tag, bool relaxed)
{
    return relaxed && upcr_remote_may_count(tag == GASP_UPC_PUT);
}

uint32_t measure_hits_event_site(struct measure_state *state, upcr_site *site, const struct measure_event_site *event_site, uint32_t peer)
{
    if (event_site->tag != GASP_UPC_GET || upcr_mapped(peer) || !upcr_inst_is_wanted(UPCR_EVENT_UPC_CACHE_HIT))
        return 0;
    return measure_event_site_find(state, site, GASP_UPC_CACHE_HIT, SIDE_ATOMIC, site->file, site->line, site->column, NULL);
}

void measure_hits_add(struct measure_state *state, uint32_t id, uint32_t read, uint32_t count, uint64_t bytes)
{
    struct measure_event_site *event_site = &state->event_sites[id];
    event_site->raised += count;
    state->raised += count;
    state->dropped_sampling += count;
    if (!(state->mode & MODE_PROFILE))
        return;
    uint32_t found = measure_node_find_for(state, event_site, id, state->mode & MODE_FLAT ? 0 : read, 0, 0);
    struct measure_node *node = &state->tree.nodes[found];
    node->count += count;
    node->bytes += count * bytes;
    if (bytes < node->min_bytes || node->min_bytes == 0)
        node->min_bytes = bytes;
    if (bytes > node->max_bytes)
        node->max_bytes = bytes;
}

bool measure_hits_report_late(upcr_site *site, bool is_write, size_t thread)
{
    struct upcr_skip_counts *counts = upcr_inst_counts(site, thread);
    if (counts == NULL || site->skip_index == 0 || (is_write ? counts->of_put : counts->of_get) == 0)
        return false;
    ++*(is_write ? &counts->put : &counts->get);
    return true;
}
