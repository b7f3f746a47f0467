/* The numbers of sites. The lists of sites and of chains are in the side memory of thread 0, and only grow. Each thread keeps the numbers
   that it has used before. Pointers into the program are kept as distances from an anchor, because processes may have loaded it at
   different addresses. */
#include "runtime.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "races/calls.h"
#include "races/detector.h"
#include "trace/trace.h"
#include "transport/transport.h"

enum { CHAINS = 1 << 17, LONGEST_STACK = 64 };

/* A place is the distance of a upcr_place, or of a program counter. */
struct entry {
    int64_t place;
    int32_t library;     /* distance of the function's name; 0: none */
    uint32_t calls : 31; /* chain */
    uint32_t is_pc : 1;
};

struct chain {
    int64_t pc;
    uint32_t calls; /* the chain without its last call */
};

struct lists {
    _Atomic uint32_t sites, chains;
    struct entry site[UPCR_SITES];
    struct chain chain[CHAINS];
};

static size_t lists_offset;

size_t upcr_race_site_bytes(void)
{
    return sizeof(struct lists);
}

void upcr_race_sites_start(size_t offset)
{
    lists_offset = offset;
}

static int64_t distance(const void *pointer)
{
    return (int64_t)((uintptr_t)pointer - (uintptr_t)&upcr_races);
}

static const void *pointer(int64_t its_distance)
{
    return (const void *)((uintptr_t)&upcr_races + (uintptr_t)its_distance);
}

/* ---- The lists, where they are mapped ----------------------------------------------------------------------------------- */

static struct lists *lists(void)
{
    char *side = upcr_tp_side(0);
    return side == NULL ? NULL : (struct lists *)(void *)(side + lists_offset);
}

struct question {
    enum { ADD_SITE, ADD_CHAIN, GET_SITE, GET_CHAIN } what;
    uint32_t number; /* 0: the list is full */
    struct entry site;
    struct chain chain;
};

/* Returns the next number of a list; number 0 is not used. */
static uint32_t next(_Atomic uint32_t *count, uint32_t most)
{
    if (atomic_load_explicit(count, memory_order_relaxed) + 1 >= most)
        return 0;
    uint32_t number = atomic_fetch_add_explicit(count, 1, memory_order_relaxed) + 1;
    return number < most ? number : 0;
}

static void answer_sites(void *data)
{
    struct question *q = data;
    struct lists *all = lists();
    switch (q->what) {
    case ADD_SITE:
        q->number = next(&all->sites, UPCR_SITES);
        all->site[q->number] = q->number != 0 ? q->site : all->site[0];
        break;
    case ADD_CHAIN:
        q->number = next(&all->chains, CHAINS);
        all->chain[q->number] = q->number != 0 ? q->chain : all->chain[0];
        break;
    case GET_SITE:
        q->site = all->site[q->number];
        break;
    case GET_CHAIN:
        q->chain = all->chain[q->number];
        break;
    }
}

static void ask(struct question *q)
{
    if (lists() != NULL)
        answer_sites(q);
    else
        upcr_tp_call(0, answer_sites, q, sizeof *q);
}

/* ---- The numbers that this thread has used ------------------------------------------------------------------------------ */

/* A table from two words to a number: open addressing, at most half full. Its capacity is a power of two. */
struct known {
    uint64_t a, b;
    uint32_t number; /* + 1; 0: empty */
};

struct table {
    struct known *entries;
    size_t capacity, used;
};

static struct known *find(const struct table *table, uint64_t a, uint64_t b)
{
    size_t at = (size_t)(((a ^ b * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu) >> 20);
    for (;; at++) {
        struct known *entry = &table->entries[at & (table->capacity - 1)];
        if (entry->number == 0 || (entry->a == a && entry->b == b))
            return entry;
    }
}

static void grow(struct table *table)
{
    struct table larger = {.capacity = table->capacity != 0 ? 2 * table->capacity : 1024};
    larger.entries = upcr_race_memory(larger.capacity * sizeof *larger.entries);
    for (size_t i = 0; i < table->capacity; i++)
        if (table->entries[i].number != 0)
            *find(&larger, table->entries[i].a, table->entries[i].b) = table->entries[i];
    larger.used = table->used;
    if (table->entries != NULL)
        munmap(table->entries, table->capacity * sizeof *table->entries);
    *table = larger;
}

/* Returns the entry for the two words, which the caller fills in if it is empty. */
static struct known *entry_for(struct table *table, uint64_t a, uint64_t b)
{
    if (2 * (table->used + 1) > table->capacity)
        grow(table);
    struct known *entry = find(table, a, b);
    if (entry->number == 0) {
        entry->a = a;
        entry->b = b;
        table->used++;
    }
    return entry;
}

static struct table sites, chains, callers;

/* The tables are being read or changed. A signal handler that interrupts this leaves them alone: its own accesses have no place then. */
static volatile sig_atomic_t busy;

static void begin_work(void)
{
    busy = 1;
    atomic_signal_fence(memory_order_seq_cst);
}

static void end_work(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    busy = 0;
}

static uint32_t number_of(const void *place, const char *library, bool is_pc)
{
    uint64_t name = (uint64_t)(library == NULL ? 0 : distance(library));
    struct known *entry = entry_for(&sites, (uint64_t)distance(place) * 2 + is_pc, name << 32 | upcr_race_calls);
    if (entry->number == 0) {
        struct question q = {.what = ADD_SITE,
                             .site = {.place = distance(place), .library = (int32_t)name, .calls = upcr_race_calls & 0x7fffffff, .is_pc = is_pc}};
        ask(&q);
        entry->number = q.number + 1;
    }
    return entry->number - 1;
}

/* A site that was used lately. */
struct recent {
    const void *place;
    const char *library;
    uint32_t calls, number;
};

/* Returns where such a site is if it is one of those. */
static inline struct recent *recent_at(const void *place)
{
    enum { RECENT = 512 };
    static struct recent recent[RECENT];
    return &recent[((uintptr_t)place / 4 + upcr_race_calls * 31u) % RECENT];
}

static inline bool is_recent(const struct recent *recent, const void *place, const char *library)
{
    return __builtin_expect(recent->place == place && recent->library == library && recent->calls == upcr_race_calls, 1);
}

/* Keeps the number of a site with the present calls. The entry is invalid while it is written. */
static void keep_recent(struct recent *recent, const void *place, const char *library, uint32_t number)
{
    recent->place = NULL;
    atomic_signal_fence(memory_order_seq_cst);
    recent->library = library;
    recent->calls = upcr_race_calls;
    recent->number = number;
    atomic_signal_fence(memory_order_seq_cst);
    recent->place = place;
}

/* The same as number_of with a look at the places of the last accesses first. */
static inline uint32_t number_of_recent(const void *place, bool is_pc)
{
    struct recent *recent = recent_at(place);
    if (is_recent(recent, place, NULL))
        return recent->number;
    if (busy)
        return 0;
    begin_work();
    uint32_t number = number_of(place, NULL, is_pc);
    keep_recent(recent, place, NULL, number);
    end_work();
    return number;
}

uint32_t upcr_race_site(const upcr_place *here)
{
    return number_of_recent(here, false);
}

uint32_t upcr_race_site_of_pc(const void *pc)
{
    return number_of_recent((const char *)pc - 1, true);
}

uint32_t upcr_race_chain(uint32_t calls, const void *pc)
{
    static uint64_t last;
    static uint32_t last_call; /* the chain whose last call is `last` */
    uint64_t at = (uint64_t)distance(pc) - 1;
    /* Recursion counts once, and so does a function that the compiler has inlined into another one. */
    if (busy || (calls != 0 && calls == last_call && at == last))
        return calls;
    begin_work();
    struct known *entry = entry_for(&chains, at, calls);
    if (entry->number == 0) {
        struct question q = {.what = ADD_CHAIN, .chain = {(int64_t)at, calls}};
        ask(&q);
        entry->number = (q.number != 0 ? q.number : calls) + 1;
    }
    uint32_t number = entry->number - 1;
    last = at;
    last_call = number;
    end_work();
    return number;
}

/* Returns whether the line at pc is the user's own. */
static bool is_users(uintptr_t pc, struct upcr_level *level)
{
    struct upcr_level levels[UPCR_TRACE_MOST_LEVELS];
    int count = upcr_trace_levels(pc, levels, UPCR_TRACE_MOST_LEVELS);
    for (int i = 0; i < count; i++) {
        if (!levels[i].user)
            continue;
        *level = levels[i];
        return true;
    }
    return false;
}

/* Returns whether pc is in the user's code. The answer is kept. */
static bool is_users_pc(uintptr_t pc)
{
    struct known *entry = entry_for(&callers, pc, 0);
    struct upcr_level level;
    if (entry->number == 0)
        entry->number = is_users(pc, &level) ? 2 : 1;
    return entry->number == 2;
}

static uint32_t number_of_call(const void *pc, const char *function)
{
    uintptr_t stack[LONGEST_STACK], at = (uintptr_t)pc - 1;
    if (pc != NULL && is_users_pc(at)) {
        uint32_t number = number_of((const void *)at, function, true);
        keep_recent(recent_at((const void *)at), (const void *)at, function, number);
        return number;
    }
    int count = upcr_trace_stack(stack, LONGEST_STACK, NULL);
    for (int i = 0; i < count; i++)
        if (is_users_pc(stack[i]))
            return number_of((const void *)stack[i], function, true);
    return number_of((const void *)at, function, true);
}

uint32_t upcr_race_site_of_call(const void *pc, const char *function)
{
    const void *at = (const char *)pc - (pc != NULL);
    const struct recent *recent = recent_at(at);
    if (pc != NULL && is_recent(recent, at, function))
        return recent->number;
    if (busy)
        return 0;
    begin_work();
    uint32_t number = number_of_call(pc, function);
    end_work();
    return number;
}

/* ---- Descriptions ------------------------------------------------------------------------------------------------------- */

static void set(struct upcr_race_place *place, const char *folder, const char *file, unsigned line, const char *function)
{
    if (file != NULL)
        snprintf(place->file, sizeof place->file, "%s%s%s", folder != NULL ? folder : "", folder != NULL ? "/" : "", file);
    place->line = (int)line;
    /* The names of functions that the translator generated mean nothing to the user. */
    if (function != NULL && strncmp(function, "upcc_", 5) != 0)
        snprintf(place->function, sizeof place->function, "%.*s", (int)strcspn(function, "."), function);
}

static void describe_pc(const void *pc, struct upcr_race_place *place)
{
    struct upcr_level level;
    if (is_users((uintptr_t)pc, &level))
        set(place, level.folder, level.file, level.line, level.function);
}

void upcr_race_describe(uint32_t site, struct upcr_race_site *description)
{
    struct question q = {.what = GET_SITE, .number = site};
    memset(description, 0, sizeof *description);
    ask(&q);
    if (site == 0)
        return;
    if (q.site.library != 0)
        description->library = pointer(q.site.library);
    const void *place = pointer(q.site.place);
    if (q.site.is_pc) {
        describe_pc(place, &description->place);
    } else {
        const upcr_place *here = place;
        set(&description->place, NULL, here->file, (unsigned)here->line, here->function);
    }
    uint32_t calls = q.site.calls;
    while (calls != 0 && description->calls < UPCR_SITE_CALLS) {
        struct upcr_race_place *call = &description->call[description->calls];
        q = (struct question){.what = GET_CHAIN, .number = calls};
        ask(&q);
        describe_pc(pointer(q.chain.pc), call);
        description->calls += call->line != 0;
        calls = q.chain.calls;
    }
}
