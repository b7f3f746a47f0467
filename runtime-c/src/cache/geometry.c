/* The size of the cache, and its memory: as the user has set it, or as it suits the transport. It does not depend on THREADS. */
#include "cache/lines.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cgroup.h"
#include "options.h"

enum {
    BUDGET = 1 << 20,       /* bytes of lines of a thread at first, */
    BUDGET_MOST = 64 << 20, /* and when it has grown, */
    BUDGET_SHARE = 64,      /* if all threads of a machine take at most this part of its memory */
    AUTO_LINE = 1024,       /* at the start */
    AUTO_LINE_MIN = 256,
    AUTO_LINES_MIN = 256, /* lines are not made so long that fewer than this number remain */
};

bool upcr_cache_is_on;

/* The user's choice; 0: none. */
static uint32_t choice(uint64_t wanted, uint32_t least, uint32_t most, const char *variable)
{
    if (wanted == 0)
        return 0;
    if (wanted < least || wanted > most || (wanted & (wanted - 1)) != 0)
        upcr_fatal("%s: %llu is not among the powers of two from %u to %u", variable, (unsigned long long)wanted, least, most);
    return (uint32_t)wanted;
}

enum mode { OFF, ON, AUTO, ALL };

static enum mode mode(void)
{
    static const struct {
        const char *word;
        enum mode mode;
    } words[] = {{"off", OFF}, {"no", OFF}, {"0", OFF}, {"on", ON}, {"yes", ON}, {"1", ON}, {"auto", AUTO}, {"all", ALL}};
    if (upcr_options.cache == NULL)
        return AUTO;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(upcr_options.cache, words[i].word) == 0)
            return words[i].mode;
    upcr_fatal("UPC_CACHE: '%s' is neither on, off, auto nor all", upcr_options.cache);
}

void upcr_cache_prepare(void)
{
    upcr_cache.line_bytes = choice(upcr_options.cache_line, UPCR_CACHE_LINE_MIN, UPCR_CACHE_LINE_MAX, "UPC_CACHE_LINE (-cache-line)");
    upcr_cache.lines = choice(upcr_options.cache_lines, UPCR_CACHE_LINES_MIN, UPCR_CACHE_LINES_MAX, "UPC_CACHE_LINES (-cache-lines)");
    upcr_cache.adapts = mode() == AUTO;
    upcr_cache.passes_single = mode() == ON;
    upcr_cache.prefetches = upcr_options.cache_prefetch == NULL || strcmp(upcr_options.cache_prefetch, "off") != 0;
}

/* Returns the bytes of lines for a thread, a power of two: less than wanted only if a machine has many threads and little memory. */
static uint32_t budget_here(uint32_t budget)
{
    uint64_t memory = upcr_usable_memory();
    uint64_t processors = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN), threads = upcr_mapped_count > processors ? upcr_mapped_count : processors;
    if (threads > (uint64_t)upcr_threads)
        threads = (uint64_t)upcr_threads;
    while (budget > AUTO_LINE_MIN * AUTO_LINES_MIN && budget * threads * BUDGET_SHARE > memory)
        budget /= 2;
    return budget;
}

static uint32_t between(uint32_t least, uint32_t n, uint32_t most)
{
    return n < least ? least : n > most ? most : n;
}

/* Sets what the user has not chosen. */
static void choose_shape(void)
{
    uint32_t budget = budget_here(BUDGET);
    if (upcr_cache.line_bytes == 0 && upcr_cache.lines == 0) {
        upcr_cache.budget = budget;
        upcr_cache.budget_most = budget_here(BUDGET_MOST);
    }
    if (upcr_cache.line_bytes == 0)
        upcr_cache.line_bytes = upcr_cache.budget == 0 ? AUTO_LINE : between(AUTO_LINE_MIN, budget / AUTO_LINES_MIN, AUTO_LINE);
    if (upcr_cache.lines == 0)
        upcr_cache.lines = between(UPCR_CACHE_LINES_MIN, budget / upcr_cache.line_bytes, UPCR_CACHE_LINES_MAX);
    upcr_cache.shift = (uint32_t)__builtin_ctz(upcr_cache.line_bytes);
}

/* A tag must hold a thread and the number of a line of any length. */
static bool has_tags(void)
{
    return upcr_threads < 1 << (64 - UPCR_CACHE_THREAD_SHIFT) && upcr_cache.end / UPCR_CACHE_LINE_MIN >> UPCR_CACHE_THREAD_SHIFT == 0;
}

/* Returns the bytes of one array in the cache's memory, a multiple of a line of the processor's cache. */
static size_t capacity(size_t count, size_t size)
{
    return (count * size + UPCR_CACHE_LINE - 1) / UPCR_CACHE_LINE * UPCR_CACHE_LINE;
}

/* Returns the bytes of the longest line that upcr_cache_reshape may choose. */
static uint32_t longest_line(void)
{
    return between(AUTO_LINE_MIN, upcr_cache.budget / AUTO_LINES_MIN, UPCR_CACHE_LINE_MAX);
}

/* Returns how many lines of this length the budget allows. */
static uint32_t line_count(uint32_t line_bytes)
{
    return between(UPCR_CACHE_LINES_MIN, upcr_cache.budget / line_bytes, UPCR_CACHE_LINES_MAX);
}

/* The memory of the cache. */
static char *cache_memory;
static size_t cache_memory_bytes;

/* Memory is committed when it is touched. The reservation is enough for every shape that upcr_cache_reshape chooses. */
static bool allocate(void)
{
    uint32_t budget = upcr_cache.budget, longest = budget != 0 ? longest_line() : upcr_cache.line_bytes;
    size_t slots = (budget != 0 ? line_count(AUTO_LINE_MIN) : upcr_cache.lines) + UPCR_CACHE_VICTIMS;
    size_t bytes = (budget != 0 ? budget : (size_t)upcr_cache.lines * upcr_cache.line_bytes) + (size_t)UPCR_CACHE_VICTIMS * longest;
    size_t sizes[] = {
        capacity(bytes + longest, 1), /* the last one is the scratch line */
        capacity(bytes / 8, 1),
        capacity(slots, sizeof(struct upcr_cached)),
        capacity(slots, sizeof(uint32_t)),
        capacity(slots, sizeof(uint32_t)),
        capacity(slots, sizeof(uint32_t)),
    };
    size_t all = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        all += sizes[i];
    char *at = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return false;
    cache_memory = at;
    cache_memory_bytes = all;
    upcr_cache.data = (unsigned char *)at;
    upcr_cache.scratch = upcr_cache.data + bytes;
    upcr_cache.dirty = (uint64_t *)(void *)(at += sizes[0]);
    upcr_cache.line = (struct upcr_cached *)(void *)(at += sizes[1]);
    upcr_cache.listed = (uint32_t *)(void *)(at += sizes[2]);
    upcr_cache.next_listed = (uint32_t *)(void *)(at += sizes[3]);
    upcr_cache.written = (uint32_t *)(void *)(at + sizes[4]);
    return true;
}

/* Half of the time to fetch a line is to be spent on the message and half on the bytes: shorter lines need many messages, and longer ones wait for
   bytes that may not be used. */
void upcr_cache_reshape(void)
{
    struct upcr_measure *fill = &upcr_cache.cost[UPCR_COST_FILL];
    const struct upcr_measure *get = &upcr_cache.cost[UPCR_COST_GET];
    uint32_t line = upcr_cache.line_bytes;
    if (upcr_cache.budget == 0 || fill->windows == 0 || get->windows == 0)
        return;
    uint64_t bytes_cost = fill->cost_estimate > get->cost_estimate ? fill->cost_estimate - get->cost_estimate : 0;
    if (bytes_cost * 2 <= get->cost_estimate && line < longest_line())
        line *= 2;
    else if (bytes_cost >= (uint64_t)get->cost_estimate * 2 && line > AUTO_LINE_MIN)
        line /= 2;
    else
        return;
    fill->cost_estimate = (uint32_t)(get->cost_estimate + bytes_cost * line / upcr_cache.line_bytes);
    fill->windows = fill->samples = 0;
    fill->sum = 0;
    fill->skip = 0;
    upcr_cache.line_bytes = line;
    upcr_cache.lines = line_count(line);
    upcr_cache.shift = (uint32_t)__builtin_ctz(line);
}

void upcr_cache_enlarge(void)
{
    char *before = cache_memory;
    size_t bytes = cache_memory_bytes;
    upcr_cache.budget *= 2;
    if (line_count(upcr_cache.line_bytes) == upcr_cache.lines || !allocate()) {
        upcr_cache.budget /= 2;
        upcr_cache.budget_most = upcr_cache.budget;
        return;
    }
    upcr_cache.lines = line_count(upcr_cache.line_bytes);
    munmap(before, bytes);
}

/* A process that the user forks from a thread must not write back what the thread has written. */
static void forget_in_child(void)
{
    upcr_cache_is_on = false;
    upcr_cache_forget_recent();
}

void upcr_cache_start(void)
{
    enum mode wanted = mode();
    struct upcr_distance distance = upcr_tp_distance();
    upcr_cache.end = upcr_tp_segment_bytes();
    upcr_cache_events_start();
    choose_shape();
    if (wanted == OFF || !has_tags() || upcr_all_mapped() || (wanted == AUTO && distance.get == 0))
        return;
    if (!allocate() || pthread_atfork(NULL, NULL, forget_in_child) != 0) {
        upcr_warn("no memory for a cache of %u lines of %u bytes: the program runs without it", upcr_cache.lines, upcr_cache.line_bytes);
        return;
    }
    upcr_cost_start(distance);
    upcr_region_start();
    upcr_cache_is_on = true;
}
