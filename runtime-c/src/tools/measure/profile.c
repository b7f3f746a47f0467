#include "runtime.h"

#include <sys/mman.h>

#include "tools/measure/bytes.h"
#include "tools/measure/file.h"
#include "tools/measure/profile.h"

enum { BLOCK_BYTES = 32 << 10, NODE_NUMBERS = 13 };

struct measure_node *measure_nodes;
static uint32_t used, most;
static uint64_t full;

/* Open addressing: numbers of nodes, 0 where there is none; at most half full. */
static uint32_t *table;
static uint32_t table_mask;

static uint64_t *counted;
static unsigned counters;

static void *reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

bool measure_profile_start(uint32_t limit, unsigned counter_count)
{
    uint32_t slots = 16;
    while (slots < 2 * (uint64_t)limit)
        slots *= 2;
    most = limit;
    counters = counter_count;
    table_mask = slots - 1;
    measure_nodes = reserve(((size_t)limit + 1) * sizeof *measure_nodes);
    table = reserve((size_t)slots * sizeof *table);
    counted = reserve(((size_t)limit + 1) * (2 * counters + 1) * sizeof *counted);
    used = 1;
    return measure_nodes != NULL && table != NULL && counted != NULL;
}

uint64_t *measure_node_counters(uint32_t node)
{
    return counted + (size_t)node * 2 * counters;
}

uint64_t measure_nodes_full(void)
{
    return full;
}

/* Where the table has the node, or would have it. */
static uint32_t slot_of(uint32_t id, uint32_t parent, uint32_t peer)
{
    uint64_t key = ((uint64_t)parent << 32 | id) * 0x9e3779b97f4a7c15u + (uint64_t)peer * 0xc2b2ae3d27d4eb4fu;
    uint32_t slot = (uint32_t)(key >> 32) & table_mask, node;
    for (; (node = table[slot]) != 0; slot = (slot + 1) & table_mask) {
        const struct measure_node *known = &measure_nodes[node];
        if (known->parent == parent && known->origin == id && known->peer == peer)
            break;
    }
    return slot;
}

void measure_node_forget(uint32_t last)
{
    const struct measure_node *node = &measure_nodes[last];
    used--;
    table[slot_of(node->origin, node->parent, node->peer)] = 0;
    measure_nodes[last] = (struct measure_node){0};
}

uint32_t measure_node_find(struct measure_origin *origin, uint32_t id, uint32_t parent, uint32_t peer, uint64_t address)
{
    uint32_t slot = slot_of(id, parent, peer), node = table[slot];
    if (node == 0) {
        if (used > most) {
            full++;
            return 0;
        }
        node = used;
        measure_nodes[node] = (struct measure_node){.parent = parent, .origin = id, .peer = peer, .address = address};
        table[slot] = node;
        /* Last: a signal may come at any time and write the nodes. */
        used++;
    }
    origin->parent = parent;
    origin->peer = peer;
    origin->node = node;
    return node;
}

static uint8_t *put_node(uint8_t *at, uint32_t id)
{
    const struct measure_node *node = &measure_nodes[id];
    const uint64_t *sums = measure_node_counters(id);
    const uint64_t own = node->total > node->inside ? node->total - node->inside : 0;
    const uint64_t numbers[] = {node->parent, node->origin, node->peer, node->address, node->count,     node->timed,
                                node->total,  own,          node->min,  node->max,     node->bytes,     node->min_bytes,
                                node->max_bytes};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        at = measure_put(at, numbers[i]);
    for (unsigned i = 0; i < counters; i++) {
        uint64_t total = sums[i], inside = sums[counters + i];
        at = measure_put(at, total);
        at = measure_put(at, total > inside ? total - inside : 0);
    }
    return at;
}

static uint8_t *put_samples(uint8_t *at, uint32_t id)
{
    const struct measure_samples *samples = &measure_nodes[id].samples;
    uint32_t classes = 0;
    for (uint32_t i = 0; i < MEASURE_CLASSES; i++)
        classes += samples->count[i] != 0;
    if (classes == 0 && samples->counted == 0)
        return at;
    at = measure_put(at, id);
    at = measure_put(at, samples->counted);
    at = measure_put(at, samples->passed);
    at = measure_put(at, classes);
    for (uint32_t i = 0; i < MEASURE_CLASSES; i++) {
        if (samples->count[i] == 0)
            continue;
        at = measure_put(at, samples->count[i]);
        at = measure_put(at, samples->ticks[i]);
    }
    return at;
}

static void write_samples(uint8_t *block)
{
    enum { MOST = (4 + 2 * MEASURE_CLASSES) * VARINT_MAX };
    uint8_t *const start = block + MEASURE_BLOCK_HEADER, *at = start;
    for (uint32_t id = 1; id < used; id++) {
        at = put_samples(at, id);
        if (at == start || (at < start + BLOCK_BYTES - MOST && id + 1 < used))
            continue;
        measure_file_append(BLOCK_SAMPLES, block, (size_t)(at - start));
        at = start;
    }
}

void measure_profile_write(void)
{
    static uint8_t block[MEASURE_BLOCK_HEADER + BLOCK_BYTES];
    const size_t node_bytes = (NODE_NUMBERS + 2 * (size_t)counters) * VARINT_MAX;
    const uint32_t in_block = (uint32_t)((BLOCK_BYTES - 2 * VARINT_MAX) / node_bytes);
    for (uint32_t first = 1; first < used; first += in_block) {
        uint32_t number = used - first < in_block ? used - first : in_block;
        uint8_t *at = measure_put(block + MEASURE_BLOCK_HEADER, first);
        at = measure_put(at, number);
        for (uint32_t id = first; id < first + number; id++)
            at = put_node(at, id);
        measure_file_append(BLOCK_PROFILE, block, (size_t)(at - block) - MEASURE_BLOCK_HEADER);
    }
    write_samples(block);
}
