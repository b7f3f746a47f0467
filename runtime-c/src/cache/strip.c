/* Strips: the parts of an array that a loop reads at once (upcr_strip_get). A strip that is read for the second time since the
   last flush is fetched into lines, where it is found the next time. So is one that follows the strip before it, together with
   what follows, because a message costs more than many bytes. Any other strip evicts nothing. */
#include "cache/bulk.h"
#include "cache/phases.h"
#include "cache/probe.h"

enum {
    MARKS = 4096,
    SERIES = 8,             /* series of strips that are followed at the same time */
    PREFETCH_BYTES = 65536, /* fetched in advance, at most */
    FILLINGS = 2,           /* how often strips fill the cache before they are judged by how many lines of strips were found in it */
    PAUSE_FIRST = 512,      /* strips that are read without lines after a bad judgement, twice as many after each further one */
    PAUSE_MOST = 16384,
};

/* Strips that were read since the last flush: each mark is computed from a strip's first line and the number of the flush. */
static uint32_t marks[MARKS], strip_era;
static uint32_t strip_pause, next_pause = PAUSE_FIRST;
static uint64_t fetched, found; /* lines, since the last judgement */

/* The lines of a strip. */
struct strip {
    struct upcr_span span;
    uint64_t first;
    uint32_t count;
};

/* Strips that follow one another in memory. */
static struct series {
    uint64_t next;   /* the line after those that were fetched; 0: no series */
    uint32_t window; /* lines to fetch in advance */
} series[SERIES];
static unsigned turn;

void upcr_strip_forget(void)
{
    strip_era++;
    memset(series, 0, sizeof series);
}

/* Returns the series that a missing strip continues; NULL if it may begin one. */
static struct series *series_of(const struct strip *strip)
{
    for (struct series *it = series; it < series + SERIES; it++)
        if (it->next >= strip->first && it->next <= strip->first + strip->count)
            return it;
    series[turn++ % SERIES] = (struct series){strip->first + strip->count, strip->count};
    return NULL;
}

/* Returns whether the strip was read before, and remembers that it is now. */
static bool is_repeated(const struct strip *strip)
{
    uint64_t mixed = (strip->first ^ (uint64_t)strip_era << 32) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t now = (uint32_t)(mixed >> 16) | 1, *mark = &marks[mixed >> 52]; /* the upper bits depend on all */
    bool repeated = *mark == now;
    *mark = now;
    return repeated;
}

/* Copies the strip from its lines. False: some of its bytes are not in the cache. */
static bool copy_from_lines(const struct strip *strip, unsigned char *buffer)
{
    uint64_t start = strip->span.offset, end = start + strip->span.n;
    for (uint32_t i = 0; i < strip->count; i++) {
        uint64_t tag = strip->first + i, at = upcr_cached_offset(tag);
        size_t from = start > at ? (size_t)(start - at) : 0;
        size_t to = end - at < upcr_cache.line_bytes ? (size_t)(end - at) : upcr_cache.line_bytes;
        uint32_t slot = upcr_probe_slot(tag);
        if (slot == UPCR_NO_SLOT)
            return false;
        if ((upcr_cache.line[slot].state & UPCR_LINE_PREFETCHED) != 0)
            upcr_stream_arrive(slot);
        if ((upcr_cache.line[slot].state & UPCR_LINE_FULL) == 0)
            return false;
        upcr_cache.line[slot].state &= (uint8_t)~UPCR_LINE_EXPECTED;
        memcpy(buffer + (at + from - start), upcr_cached_data(slot) + from, to - from);
    }
    return true;
}

/* Frees a slot. Clean lines do not become victims: a strip has more lines than there are victims' slots. */
static void free_slot(uint64_t tag)
{
    uint32_t slot = upcr_cached_set(tag);
    if ((upcr_cache.line[slot].state & (UPCR_LINE_DIRTY | UPCR_LINE_PREFETCHED)) == 0)
        upcr_cached_drop(slot);
    (void)upcr_cached_claim(tag);
}

/* Returns whether a line is in the cache; it is then full. */
static bool is_full(uint64_t tag)
{
    uint32_t slot = upcr_probe_slot(tag);
    if (slot == UPCR_NO_SLOT)
        return false;
    if ((upcr_cache.line[slot].state & UPCR_LINE_PREFETCHED) != 0)
        upcr_stream_arrive(slot);
    if ((upcr_cache.line[slot].state & UPCR_LINE_FULL) == 0)
        upcr_cached_complete(slot);
    return true;
}

/* Lines that follow one another. */
struct lines {
    uint64_t first; /* tag */
    uint32_t count;
};

/* Starts to fetch lines by one message. Pre: none of them is in the cache, and their slots are adjacent. */
static void start_missing(struct lines lines, struct upcr_batch *batch)
{
    uint64_t last = lines.first + lines.count - 1;
    for (uint32_t i = 0; i < lines.count; i++) {
        upcr_growth_note(lines.first + i);
        free_slot(lines.first + i);
    }
    size_t bytes = (size_t)(upcr_cached_offset(last) + upcr_cached_extent(last) - upcr_cached_offset(lines.first));
    upcr_tp_start_get(upcr_cached_data(upcr_cached_set(lines.first)), upcr_cached_place(lines.first), bytes, batch);
    upcr_cache.counts.gets++;
    upcr_cache.counts.lines_in += lines.count;
    upcr_cache.counts.bytes_in += bytes;
}

/* Lines that start_missing has fetched are in the cache from now on. */
static void finish_missing(struct lines lines)
{
    uint32_t set = upcr_cached_set(lines.first);
    for (uint32_t i = 0; i < lines.count; i++) {
        upcr_cache.line[set + i].state |= UPCR_LINE_FULL;
        upcr_cached_call(set + i, lines.first + i, upcr_region_of(lines.first + i));
    }
    fetched += lines.count;
}

static void fetch_missing(struct lines lines)
{
    struct upcr_batch batch = {0};
    start_missing(lines, &batch);
    upcr_tp_batch_wait(&batch);
    finish_missing(lines);
}

/* Returns the end of the lines from `first` on that can be fetched as one block: up to `end`, inside the segment, into adjacent
   slots, and missing. */
static uint64_t end_of_block(uint64_t first, uint64_t end)
{
    uint64_t most = first + (upcr_cache.lines - upcr_cached_set(first)), at = first;
    if (most > first + upcr_cache.lines / 4)
        most = first + upcr_cache.lines / 4;
    while (at < end && at < most && upcr_cached_offset(at) < upcr_cache.end && upcr_probe_slot(at) == UPCR_NO_SLOT)
        at++;
    return at;
}

/* Fetches the missing lines of the strip, and lines after them. False: the missing lines are not one block. */
static bool fetch_lines(const struct strip *strip, struct series *series)
{
    uint64_t first = strip->first, end = first + strip->count, stop;
    upcr_writeback_enlarge();
    while (first < end && is_full(first))
        first++;
    while (first < end && is_full(end - 1))
        end--;
    stop = first == end ? end : end_of_block(first, end + (series == NULL || end < strip->first + strip->count ? 0 : series->window));
    if (stop < end)
        return false;
    if (first < end)
        fetch_missing((struct lines){first, (uint32_t)(stop - first)});
    if (series != NULL) {
        uint32_t most = PREFETCH_BYTES >> upcr_cache.shift;
        series->next = stop > strip->first + strip->count ? stop : strip->first + strip->count;
        series->window = 2 * series->window < most ? 2 * series->window : most;
    }
    upcr_cache.counts.strips_in++;
    return true;
}

/* Judges whether fetching strips into lines pays: if few of their lines were found again, strips are read without lines for a while. */
static void judge(void)
{
    if (fetched < FILLINGS * (uint64_t)upcr_cache.lines)
        return;
    if (found >= fetched) {
        next_pause = PAUSE_FIRST;
    } else if (upcr_cache.adapts) {
        strip_pause = next_pause;
        next_pause = 2 * next_pause < PAUSE_MOST ? 2 * next_pause : PAUSE_MOST;
    }
    fetched = found = 0;
}

/* Returns the place of the strip in adjacent lines; NULL if its lines are not adjacent, or not there. */
static const void *place_in_lines(const struct strip *strip)
{
    uint32_t set = upcr_cached_set(strip->first);
    if (strip->count > upcr_cache.lines - set)
        return NULL;
    for (uint32_t i = 0; i < strip->count; i++) {
        struct upcr_cached *line = &upcr_cache.line[set + i];
        if (line->tag != strip->first + i || (line->state & (UPCR_LINE_FULL | UPCR_LINE_PREFETCHED)) != UPCR_LINE_FULL)
            return NULL;
        line->state &= (uint8_t)~UPCR_LINE_EXPECTED;
    }
    return upcr_cached_data(set) + (strip->span.offset & (upcr_cache.line_bytes - 1));
}

/* Returns where the strip can be read: in its lines if `in_place` and they are adjacent, else in the buffer; NULL if it is not in
   lines. */
static const void *find_in_lines(const struct strip *strip, unsigned char *buffer, bool in_place)
{
    const void *at = in_place ? place_in_lines(strip) : NULL;
    if (at == NULL && copy_from_lines(strip, buffer))
        at = buffer;
    return at;
}

/* The same, and fetches the strip's lines if that will probably pay. */
static const void *read_from_lines(const struct strip *strip, unsigned char *buffer, bool in_place)
{
    if (strip_pause != 0) {
        strip_pause--;
        return NULL;
    }
    const void *at = find_in_lines(strip, buffer, in_place);
    if (at != NULL) {
        found += strip->count;
        upcr_cache.counts.strip_hits++;
        return at;
    }
    struct series *follows = series_of(strip);
    if ((!is_repeated(strip) && follows == NULL) || !fetch_lines(strip, follows))
        return NULL;
    judge();
    return find_in_lines(strip, buffer, in_place);
}

/* Returns whether lines can be fetched together with others, whose slots must not be theirs. */
static bool can_be_fetched(struct lines lines, const struct lines *others, uint32_t count)
{
    uint32_t set = upcr_cached_set(lines.first);
    if (end_of_block(lines.first, lines.first + lines.count) != lines.first + lines.count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = upcr_cached_set(others[i].first);
        if (set < other + others[i].count && other < set + lines.count)
            return false;
    }
    return true;
}

static struct lines lines_of(struct upcr_span span)
{
    uint64_t first = upcr_cached_tag(span.thread, span.offset), last = upcr_cached_tag(span.thread, span.offset + span.n - 1);
    return (struct lines){first, (uint32_t)(last - first) + 1};
}

static void finish_expected(struct lines lines)
{
    finish_missing(lines);
    for (uint32_t i = 0; i < lines.count; i++)
        upcr_cache.line[upcr_cached_set(lines.first) + i].state |= UPCR_LINE_EXPECTED;
}

/* After a barrier, all threads send requests at the same time, and answer those of others while they wait. */
void upcr_cache_expect(void)
{
    const struct upcr_span *expected;
    struct lines fetching[UPCR_PHASE_SPANS];
    struct upcr_batch batch = {0};
    upcr_phase_end();
    uint32_t count = upcr_phase_expected(&expected), started = 0;
    if (count == 0 || strip_pause != 0 || upcr_cache.busy || !upcr_cache.prefetches)
        return;
    uint32_t before = upcr_cache_enter();
    upcr_pending = 1;
    for (uint32_t i = 0; i < count; i++) {
        struct lines lines = lines_of(expected[i]);
        if (can_be_fetched(lines, fetching, started)) {
            start_missing(lines, &batch);
            fetching[started++] = lines;
        }
    }
    upcr_tp_batch_wait(&batch);
    upcr_cache.counts.expected += started;
    for (uint32_t i = 0; i < started; i++)
        finish_expected(fetching[i]);
    upcr_cache_leave(before);
}

/* Returns where the strip can be read: in the buffer, or if `in_place` in lines, until the next access. */
static const void *read_strip(void *buffer, upcr_pts_t src, size_t n, bool in_place)
{
    struct upcr_span span = upcr_span_of(src, n);
    if (n == 0)
        return buffer;
    if (!upcr_cache_is_on || upcr_cache.busy || !upcr_span_is_cacheable(span))
        return upcr_remote_read(upcr_recent, buffer, src, n);
    struct lines lines = lines_of(span);
    struct strip strip = {span, lines.first, lines.count};
    upcr_phase_note(span);
    if (n <= upcr_cache.line_bytes)
        return upcr_remote_read(upcr_recent, buffer, src, n);
    uint32_t before = upcr_cache_enter();
    upcr_pending = 1;
    const void *at = read_from_lines(&strip, buffer, in_place);
    if (at == NULL) {
        upcr_bulk_read(buffer, src, n);
        at = buffer;
    }
    upcr_cache_leave(before);
    return at;
}

void upcr_remote_get_strip(void *buffer, upcr_pts_t src, upcr_size n)
{
    const void *at = read_strip(buffer, src, n, false);
    if (at != buffer)
        memcpy(buffer, at, n);
}

const void *upcr_remote_see_strip(void *buffer, upcr_pts_t src, upcr_size n)
{
    return read_strip(buffer, src, n, true);
}
