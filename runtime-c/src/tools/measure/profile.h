/* The profile: a calling-context tree of a thread's events. */
#ifndef MEASURE_PROFILE_H
#define MEASURE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/measure/origin.h"

/* What is known of the events of a hot place that are counted and not timed. Of each class (0: no tick; n: 2^(n-1) ticks and more; the last has all
   that are longer) the events that were timed in their place, and their ticks without pairs inside. And the ticks in which `counted` were
   counted, less those in other pairs that were timed: they took no longer. */
enum { MEASURE_CLASSES = 20 };
struct measure_samples {
    uint32_t count[MEASURE_CLASSES];
    uint64_t ticks[MEASURE_CLASSES];
    uint64_t counted, passed;
};

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
    struct measure_samples samples;
};

/* Element 0 is the root, and takes what no node is left for: it is not written. */
extern struct measure_node *measure_nodes UPCR_HIDDEN;

/* Makes room for so many nodes, and for two values of each of `counters` counters a node. False: no memory. */
bool measure_profile_start(uint32_t most, unsigned counters);

/* What the node's pairs counted from start to end, then what was counted in pairs inside of them. */
uint64_t *measure_node_counters(uint32_t node);

/* The node below `parent`, made if need be; 0 if there are too many. */
uint32_t measure_node_find(struct measure_origin *origin, uint32_t id, uint32_t parent, uint32_t peer, uint64_t address);

/* The last node that was made was not to be. */
void measure_node_forget(uint32_t last);

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

/* One that was timed in place of others that were only counted. */
static inline void measure_node_sample(uint32_t id, uint64_t ticks)
{
    struct measure_samples *samples = &measure_nodes[id].samples;
    unsigned class = ticks == 0 ? 0 : 64 - (unsigned)__builtin_clzll(ticks);
    class = class < MEASURE_CLASSES ? class : MEASURE_CLASSES - 1;
    samples->count[class]++;
    samples->ticks[class] += ticks;
}

/* Writes all nodes. Async-signal-safe. */
void measure_profile_write(void);

#endif
