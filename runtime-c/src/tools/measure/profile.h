/* The profile: a calling-context tree of a thread's events. */
#ifndef MEASURE_PROFILE_H
#define MEASURE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/measure/origin.h"

/* Events of one origin, to one peer, below one node. */
struct measure_node {
    uint32_t parent, origin, peer; /* peer: thread plus 1; 0: none */
    uint64_t address;              /* shared address of the first; 0: none */
    uint64_t count;
    uint64_t timed;  /* how many of them the times are of */
    uint64_t total;  /* ticks from start to end */
    uint64_t inside; /* of these in timed pairs inside */
    uint64_t min, max;
    uint64_t bytes, min_bytes, max_bytes;
    /* Of accesses to memory that is not mapped, which are all timed if they take a message: those timed that took none, and their ticks. */
    uint64_t quick, quick_ticks;
};

/* Element 0 is the root, and takes what no node is left for: it is not written. */
extern struct measure_node *measure_nodes UPCR_HIDDEN;

/* Makes room for so many nodes, and for two values of each of `counters` counters a node. False: no memory. */
bool measure_profile_start(uint32_t most, unsigned counters);

/* What the node's pairs counted from start to end, then what was counted in pairs inside of them. */
uint64_t *measure_node_counters(uint32_t node);

/* The node below `parent`, made if need be; 0 if there are too many. */
uint32_t measure_node_find(struct measure_origin *origin, uint32_t id, uint32_t parent, uint32_t peer, uint64_t address);

/* Events that found no node. */
uint64_t measure_nodes_full(void);

/* One event, or the start of a pair, of so many bytes. */
static inline void measure_node_count(uint32_t id, uint64_t bytes)
{
    struct measure_node *node = &measure_nodes[id];
    node->count++;
    if (bytes == 0)
        return;
    node->bytes += bytes;
    if (bytes < node->min_bytes || node->min_bytes == 0)
        node->min_bytes = bytes;
    if (bytes > node->max_bytes)
        node->max_bytes = bytes;
}

/* The end of a pair that took so long. */
static inline void measure_node_time(uint32_t id, uint64_t ticks, uint64_t inside)
{
    struct measure_node *node = &measure_nodes[id];
    node->total += ticks;
    node->inside += inside;
    if (ticks < node->min || node->timed == 0)
        node->min = ticks;
    if (ticks > node->max)
        node->max = ticks;
    node->timed++;
}

/* Writes all nodes. Async-signal-safe. */
void measure_profile_write(void);

#endif
