/* The size of the cache, and its memory: what the user asked for, or what suits the transport. It does not depend on THREADS. */
#include "cache/lines.h"

#ifdef UPCR_REMOTE

#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

#include "gasp/hooks.h"
#include "options.h"

enum { AUTO_LINE = 1024, AUTO_LINES = 1024 };

bool upcr_cache_is_on;

static uint32_t choose(uint64_t wanted, uint32_t least, uint32_t most, uint32_t automatic, const char *variable)
{
    if (wanted == 0)
        return automatic;
    if (wanted < least || wanted > most || (wanted & (wanted - 1)) != 0)
        upcr_refuse("%s: %llu is not among the powers of two from %u to %u", variable, (unsigned long long)wanted, least, most);
    return (uint32_t)wanted;
}

enum mode { OFF, ON, AUTO };

static enum mode mode(void)
{
    static const struct {
        const char *word;
        enum mode mode;
    } words[] = {{"off", OFF}, {"no", OFF}, {"0", OFF}, {"on", ON}, {"yes", ON}, {"1", ON}, {"auto", AUTO}};
    if (upcr_options.cache == NULL)
        return AUTO;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(upcr_options.cache, words[i].word) == 0)
            return words[i].mode;
    upcr_refuse("UPC_CACHE: '%s' is neither on, off nor auto", upcr_options.cache);
}

void upcr_cache_prepare(const struct upcr_plan *plan)
{
    upcr_cache.line_bytes =
        choose(upcr_options.cache_line, UPCR_CACHE_LINE_MIN, UPCR_CACHE_LINE_MAX, AUTO_LINE, "UPC_CACHE_LINE (-cache-line)");
    upcr_cache.lines =
        choose(upcr_options.cache_lines, UPCR_CACHE_LINES_MIN, UPCR_CACHE_LINES_MAX, AUTO_LINES, "UPC_CACHE_LINES (-cache-lines)");
    upcr_cache.shift = (uint32_t)__builtin_ctz(upcr_cache.line_bytes);
    upcr_cache.end = plan->static_bytes + plan->heap_bytes;
    upcr_cache.adapts = mode() == AUTO;
    upcr_cache.fetches_ahead = upcr_options.cache_ahead == NULL || strcmp(upcr_options.cache_ahead, "off") != 0;
    /* A name must hold both. */
    if (plan->threads >= 1 << (64 - UPCR_CACHE_THREAD_SHIFT) || upcr_cache.end >> upcr_cache.shift >> UPCR_CACHE_THREAD_SHIFT != 0)
        upcr_cache.lines = 0;
}

/* Bytes of one array among the others in the cache's memory, a multiple of a page of the processor's own cache. */
static size_t room(size_t count, size_t size)
{
    return (count * size + UPCR_CACHE_LINE - 1) / UPCR_CACHE_LINE * UPCR_CACHE_LINE;
}

/* Memory is committed when it is touched. */
static bool allocate(void)
{
    size_t slots = (size_t)upcr_cache.lines + UPCR_CACHE_VICTIMS;
    size_t sizes[] = {
        room(slots + 1, upcr_cache.line_bytes), /* the last one is the scratch line */
        room(slots, upcr_cache.line_bytes / 8),
        room(slots, sizeof(struct upcr_cached)),
        room(slots, sizeof(uint32_t)),
        room(slots, sizeof(uint32_t)),
    };
    size_t all = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        all += sizes[i];
    char *at = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return false;
    upcr_cache.data = (unsigned char *)at;
    upcr_cache.scratch = upcr_cache.data + slots * upcr_cache.line_bytes;
    upcr_cache.dirty = (uint64_t *)(void *)(at += sizes[0]);
    upcr_cache.line = (struct upcr_cached *)(void *)(at += sizes[1]);
    upcr_cache.listed = (uint32_t *)(void *)(at += sizes[2]);
    upcr_cache.next_listed = (uint32_t *)(void *)(at + sizes[3]);
    return true;
}

/* A process that the user forks from a thread must not write back what the thread has written. */
static void forget_in_child(void)
{
    upcr_cache_is_on = false;
}

void upcr_cache_start(void)
{
    enum mode wanted = mode();
    upcr_cache.distance = upcr_tp_distance();
    if (wanted == OFF || upcr_cache.lines == 0 || upcr_all_mapped() || (wanted == AUTO && upcr_cache.distance.get == 0))
        return;
    if (!allocate() || pthread_atfork(NULL, NULL, forget_in_child) != 0) {
        upcr_warn("no memory for a cache of %u lines of %u bytes: the program runs without it", upcr_cache.lines, upcr_cache.line_bytes);
        return;
    }
    upcr_cache.watched = upcr_has_events();
    upcr_cache_is_on = true;
}

#endif
