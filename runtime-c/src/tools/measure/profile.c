#include "runtime.h"

#include "tools/measure/bytes.h"
#include "tools/measure/file.h"
#include "tools/measure/profile.h"

enum { BLOCK_BYTES = 32 << 10, NODE_NUMBERS = 13 };

static uint32_t slots_of(uint32_t most)
{
    uint32_t slots = 16;
    while (slots < 2 * (uint64_t)most)
        slots *= 2;
    return slots;
}

static size_t node_bytes(uint32_t most)
{
    return ((size_t)most + 1) * sizeof(struct measure_node);
}

static size_t counter_bytes(uint32_t most, unsigned counters)
{
    return ((size_t)most + 1) * 2 * counters * sizeof(uint64_t);
}

size_t measure_tree_bytes(uint32_t most, unsigned counters)
{
    return node_bytes(most) + counter_bytes(most, counters) + slots_of(most) * sizeof(uint32_t);
}

void measure_tree_start(struct measure_tree *tree, uint8_t *memory, uint32_t most, unsigned counters)
{
    tree->nodes = (struct measure_node *)(void *)memory;
    tree->counted = (uint64_t *)(void *)(memory + node_bytes(most));
    tree->table = (uint32_t *)(void *)(memory + node_bytes(most) + counter_bytes(most, counters));
    tree->mask = slots_of(most) - 1;
    tree->used = 1;
}

/* Returns the position of the node in the table, or the position at which it would be inserted. */
static uint32_t slot_of(const struct measure_tree *tree, uint32_t id, uint32_t parent, uint32_t peer)
{
    const uint32_t mask = tree->mask;
    uint64_t key = ((uint64_t)parent << 32 | id) * 0x9e3779b97f4a7c15u + (uint64_t)peer * 0xc2b2ae3d27d4eb4fu;
    uint32_t slot = (uint32_t)(key >> 32) & mask, node;
    for (; (node = tree->table[slot]) != 0; slot = (slot + 1) & mask) {
        const struct measure_node *known = &tree->nodes[node];
        if (known->parent == parent && known->event_site == id && known->peer == peer)
            break;
    }
    return slot;
}

void measure_node_forget(struct measure_tree *tree, uint32_t last)
{
    const struct measure_node *node = &tree->nodes[last];
    tree->used--;
    tree->table[slot_of(tree, node->event_site, node->parent, node->peer)] = 0;
    tree->nodes[last] = (struct measure_node){0};
}

uint32_t measure_node_find(struct measure_tree *tree, uint32_t id, uint32_t parent, uint32_t peer, uint64_t address)
{
    uint32_t slot = slot_of(tree, id, parent, peer), node = tree->table[slot];
    if (node != 0)
        return node;
    if (tree->used > measure_run->most_nodes) {
        tree->full++;
        return 0;
    }
    node = tree->used;
    tree->nodes[node] = (struct measure_node){.parent = parent, .event_site = id, .peer = peer, .address = address};
    tree->table[slot] = node;
    /* Done last, because a signal may come at any time and write the nodes. */
    tree->used++;
    return node;
}

uint32_t measure_node_find_for(struct measure_state *state, struct measure_event_site *event_site, uint32_t id, uint32_t parent, uint32_t peer,
                               uint64_t address)
{
    uint32_t node = measure_node_find(&state->tree, id, parent, peer, address);
    if (node == 0)
        return 0;
    event_site->parent = parent;
    event_site->peer = peer;
    event_site->node = node;
    return node;
}

/* ---- Sums of pthreads ---------------------------------------------------------------------------------------------- */

static void add_node(struct measure_node *to, const struct measure_node *from)
{
    if (from->timed != 0 && (to->timed == 0 || from->min < to->min))
        to->min = from->min;
    if (from->max > to->max)
        to->max = from->max;
    if (from->min_bytes != 0 && (to->min_bytes == 0 || from->min_bytes < to->min_bytes))
        to->min_bytes = from->min_bytes;
    if (from->max_bytes > to->max_bytes)
        to->max_bytes = from->max_bytes;
    to->count += from->count;
    to->timed += from->timed;
    to->total += from->total;
    to->inside += from->inside;
    to->rest += from->rest;
    to->bytes += from->bytes;
    for (unsigned i = 0; i < MEASURE_CLASSES; i++) {
        to->samples.count[i] += from->samples.count[i];
        to->samples.ticks[i] += from->samples.ticks[i];
    }
    to->samples.counted += from->samples.counted;
    to->samples.passed += from->samples.passed;
}

void measure_tree_add(struct measure_state *to, struct measure_state *from)
{
    to->tree.full += from->tree.full;
    for (uint32_t id = 1; id < from->tree.used; id++) {
        struct measure_node *node = &from->tree.nodes[id];
        /* A parent comes before its children. */
        uint32_t parent = from->tree.nodes[node->parent].merged;
        node->merged = measure_node_find(&to->tree, node->event_site, parent, node->peer, node->address);
        add_node(&to->tree.nodes[node->merged], node);
        for (unsigned i = 0; i < 2 * to->counters; i++)
            measure_node_counters(to, node->merged)[i] += measure_node_counters(from, id)[i];
    }
}

/* ---- The file ------------------------------------------------------------------------------------------------------ */

static uint8_t *put_node(uint8_t *at, const struct measure_state *state, uint32_t id)
{
    const struct measure_node *node = &state->tree.nodes[id];
    const uint64_t *sums = measure_node_counters(state, id);
    const uint64_t own = node->total > node->inside ? node->total - node->inside : 0;
    const uint64_t numbers[] = {node->parent, node->event_site, node->peer, node->address, node->count,     node->timed,    node->total,
                                own,          node->min,        node->max,  node->bytes,   node->min_bytes, node->max_bytes};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        at = measure_put(at, numbers[i]);
    for (unsigned i = 0; i < state->counters; i++) {
        uint64_t total = sums[i], inside = sums[state->counters + i];
        at = measure_put(at, total);
        at = measure_put(at, total > inside ? total - inside : 0);
    }
    return at;
}

static uint8_t *put_samples(uint8_t *at, const struct measure_state *state, uint32_t id)
{
    const struct measure_samples *samples = &state->tree.nodes[id].samples;
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

static void write_samples(const struct measure_state *state, uint8_t *block)
{
    enum { MOST = (4 + 2 * MEASURE_CLASSES) * VARINT_MAX };
    uint8_t *const start = block + MEASURE_BLOCK_HEADER, *at = start;
    const uint32_t used = state->tree.used;
    for (uint32_t id = measure_run->samples_written + 1; id < used; id++) {
        at = put_samples(at, state, id);
        if (at == start || (at < start + BLOCK_BYTES - MOST && id + 1 < used))
            continue;
        measure_file_append(BLOCK_SAMPLES, block, (size_t)(at - start));
        measure_run->samples_written = id;
        at = start;
    }
}

void measure_profile_write(struct measure_state *state)
{
    static uint8_t block[MEASURE_BLOCK_HEADER + BLOCK_BYTES];
    const size_t bytes = (NODE_NUMBERS + 2 * (size_t)state->counters) * VARINT_MAX;
    const uint32_t in_block = (uint32_t)((BLOCK_BYTES - 2 * VARINT_MAX) / bytes), used = state->tree.used;
    for (uint32_t first = measure_run->nodes_written + 1; first < used; first += in_block) {
        uint32_t number = used - first < in_block ? used - first : in_block;
        uint8_t *at = measure_put(block + MEASURE_BLOCK_HEADER, first);
        at = measure_put(at, number);
        for (uint32_t id = first; id < first + number; id++)
            at = put_node(at, state, id);
        measure_file_append(BLOCK_PROFILE, block, (size_t)(at - block) - MEASURE_BLOCK_HEADER);
        measure_run->nodes_written += number;
    }
    write_samples(state, block);
}
