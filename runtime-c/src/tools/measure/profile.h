/* The profile: a calling-context tree of a pthread's events, and at the end of the thread's events. */
#ifndef MEASURE_PROFILE_H
#define MEASURE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/measure/event_site.h"
#include "tools/measure/state.h"

/* The data about the events of a hot place that are counted and not timed. For each class of duration (0: no tick; n: from 2^(n-1) ticks; the last one
   has all longer ones): the events that were timed as samples, and their ticks without nested pairs. And an upper bound for the time of `counted`:
   the ticks during which they were counted, less those of other pairs that were timed. */
enum { MEASURE_CLASSES = 20 };
struct measure_samples {
    uint32_t count[MEASURE_CLASSES];
    uint64_t ticks[MEASURE_CLASSES];
    uint64_t counted, passed;
};

/* The events of one event site, to one peer, below one node. */
struct measure_node {
    uint32_t parent, event_site, peer; /* peer: thread plus 1; 0: none */
    uint32_t merged;                   /* the node of another tree to which this one is added */
    uint64_t address;                  /* shared address of the first; 0: none */
    uint64_t count;
    uint64_t timed;  /* how many of them were timed */
    uint64_t total;  /* ticks from start to end */
    uint64_t inside; /* of these, in nested timed pairs */
    int64_t rest;    /* what the pairs took beyond their noted durations, in parts of a tick; may be negative: measure_took */
    uint64_t min, max;
    uint64_t bytes, min_bytes, max_bytes;
    struct measure_samples samples;
};

/* The number of bytes for a tree of this number of nodes, each with two values for each of `counters` counters; and its initialisation. Element 0 of the
   nodes is the root, which also receives the events for which no node is left; it is not written. */
size_t measure_tree_bytes(uint32_t most, unsigned counters);
void measure_tree_start(struct measure_tree *tree, uint8_t *memory, uint32_t most, unsigned counters);

/* The counts of the node's pairs from start to end, then the counts in nested pairs. */
static inline uint64_t *measure_node_counters(const struct measure_state *state, uint32_t node)
{
    return state->tree.counted + (size_t)node * 2 * state->counters;
}

/* Returns the node below `parent`, created if necessary; 0 if there are too many. The second function stores it in the event site. */
uint32_t measure_node_find(struct measure_tree *tree, uint32_t id, uint32_t parent, uint32_t peer, uint64_t address);
uint32_t measure_node_find_for(struct measure_state *state, struct measure_event_site *event_site, uint32_t id, uint32_t parent, uint32_t peer,
                               uint64_t address);

/* Removes the last node that was created. */
void measure_node_forget(struct measure_tree *tree, uint32_t last);

/* Adds all of the other tree. */
void measure_tree_add(struct measure_state *to, struct measure_state *from);

/* Counts one event, or the start of a pair, of this number of bytes. */
static inline void measure_node_count(struct measure_node *node, uint64_t bytes)
{
    node->count++;
    if (bytes == 0)
        return;
    node->bytes += bytes;
    if (bytes < node->min_bytes || node->min_bytes == 0)
        node->min_bytes = bytes;
    if (bytes > node->max_bytes)
        node->max_bytes = bytes;
}

/* Counts the end of a pair with this duration. */
static inline void measure_node_time(struct measure_node *node, uint64_t ticks, uint64_t inside)
{
    node->total += ticks;
    node->inside += inside;
    if (ticks < node->min || node->timed == 0)
        node->min = ticks;
    if (ticks > node->max)
        node->max = ticks;
    node->timed++;
}

/* Counts an event that was timed as a sample of others that were only counted. */
static inline void measure_node_sample(struct measure_node *node, uint64_t ticks)
{
    struct measure_samples *samples = &node->samples;
    unsigned class = ticks == 0 ? 0 : 64 - (unsigned)__builtin_clzll(ticks);
    class = class < MEASURE_CLASSES ? class : MEASURE_CLASSES - 1;
    samples->count[class]++;
    samples->ticks[class] += ticks;
}

/* Writes all nodes of a tree that is not written yet. Async-signal-safe. */
void measure_profile_write(struct measure_state *state);

#endif
