/* A phase is predicted from its context, the last two phases that read something and the number of those since that did not: a
   table has what followed it the last time. Programs repeat their phases in many patterns: one array, two arrays in turn, the
   levels of a grid, with barriers between. */
#include "cache/phases.h"

#include <string.h>

enum {
    ENTRIES = 256,
    TOO_MANY = UPCR_PHASE_SPANS + 1, /* the count of a phase with more spans: nothing is expected of it */
    SURE = 1,                        /* how often a phase has been right before it is expected */
    EMPTY_MOST = 64,                 /* phases that read nothing, one after the other, that are told apart by their number */
};

struct phase {
    uint32_t count;
    struct upcr_span spans[UPCR_PHASE_SPANS];
};

static struct phase now;
static uint64_t before, last; /* hashes of the last phases that read something */
static uint64_t empty;        /* phases since, at most EMPTY_MOST */
static uint64_t context;      /* of the current phase: a hash of all three */
static struct entry {
    uint64_t context;
    uint32_t right; /* how often the phase has followed the context since something else did */
    struct phase phase;
} table[ENTRIES];

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t mixed = (a ^ (b + UINT64_C(0x9e3779b97f4a7c15) + (a << 6))) * UINT64_C(0xc2b2ae3d27d4eb4f);
    return mixed ^ mixed >> 29;
}

static uint64_t hash_of(const struct phase *phase)
{
    uint64_t hash = phase->count + 1;
    for (uint32_t i = 0; i < phase->count && i < UPCR_PHASE_SPANS; i++)
        hash = mix(hash, mix(phase->spans[i].offset ^ (uint64_t)phase->spans[i].thread << 40, phase->spans[i].n));
    return hash;
}

/* Returns the only entry that may be of the current context. */
static struct entry *current_entry(void)
{
    return &table[context >> 56];
}

static bool starts_at(const struct upcr_span *a, const struct upcr_span *b)
{
    return a->offset == b->offset && a->thread == b->thread;
}

static bool are_same(const struct phase *a, const struct phase *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count && i < UPCR_PHASE_SPANS; i++)
        if (!starts_at(&a->spans[i], &b->spans[i]) || a->spans[i].n != b->spans[i].n)
            return false;
    return true;
}

void upcr_phase_note(struct upcr_span span)
{
    for (uint32_t i = 0; i < now.count && i < UPCR_PHASE_SPANS; i++)
        if (starts_at(&now.spans[i], &span))
            return;
    if (now.count < UPCR_PHASE_SPANS)
        now.spans[now.count] = span;
    if (now.count < TOO_MANY)
        now.count++;
}

/* Replaces what has followed the current context. */
static void learn_phase(struct entry *entry)
{
    uint32_t known = now.count < UPCR_PHASE_SPANS ? now.count : UPCR_PHASE_SPANS;
    entry->context = context;
    entry->right = 0;
    entry->phase.count = now.count;
    memcpy(entry->phase.spans, now.spans, known * sizeof *now.spans);
}

void upcr_phase_end(void)
{
    struct entry *entry = current_entry();
    bool is_current = entry->context == context;
    /* A program that only passes barriers has nothing to learn. */
    if (now.count == 0 && empty == EMPTY_MOST && !is_current)
        return;
    if (is_current && are_same(&entry->phase, &now))
        entry->right++;
    else if (is_current || now.count != 0)
        learn_phase(entry); /* Where nothing was read, no entry says the same. */
    empty += empty < EMPTY_MOST;
    if (now.count != 0) {
        before = last;
        last = hash_of(&now);
        empty = 0;
        now.count = 0;
    }
    context = mix(mix(before, last), empty);
}

uint32_t upcr_phase_expected(const struct upcr_span **spans)
{
    const struct entry *entry = current_entry();
    *spans = entry->phase.spans;
    bool known = entry->context == context && entry->right >= SURE && entry->phase.count <= UPCR_PHASE_SPANS;
    return known ? entry->phase.count : 0;
}
