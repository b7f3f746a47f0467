/* Prefetching. A miss at the line behind the last one that a stream has brought continues the stream: what follows is fetched as one
   message, a window of lines, while the thread goes on; the use of its first line asks for the next one where that is expected, of its
   middle where it is not. Where misses mostly turn out to begin streams, the first one already asks for a window. A stream brings at once
   what streams have had of late, and no more before that is used up; one that goes on begins again with few and doubles them, so that no more
   is fetched in vain than was of use. Only slots that are free or clean are taken. */
#include "cache/probe.h"

enum {
    STREAMS = 16,
    WINDOW_BYTES = 16384, /* the longest */
    SURE = 4,             /* guesses that came true, on balance: the next one is believed */
    /* What streams usually have: a mean in which the last one weighs one part of WEIGHT, in parts of a line; long ones all alike. */
    WEIGHT = 4,
    PARTS = 16,
    LONG = 8,
    MARK_BYTES = 4096, /* the use of a line is noted each so many bytes */
};

static struct stream {
    uint64_t next;           /* the line behind the last one brought; 0: no stream */
    uint64_t trigger;        /* the line of the last window whose use asks for the next one; 0: none, a miss will */
    struct upcr_batch batch; /* the last window, while flying */
    uint32_t first;          /* slot of the last window */
    uint32_t count;          /* its lines */
    uint32_t brought;        /* lines so far; 1: the stream is but a guess */
    uint32_t used;           /* of these, as far as was noted */
    bool flying;
    bool vain; /* what was fetched on a mere guess has not been used */
} streams[STREAMS];

static unsigned turn, confidence;
static uint32_t mean;  /* of the lines that streams had, in PARTS of one, */
static uint32_t usual; /* and in whole ones */

static void arrive(struct stream *stream)
{
    upcr_tp_batch_wait(&stream->batch);
    stream->flying = false;
    for (uint32_t i = 0; i < stream->count; i++) {
        struct upcr_cached *line = &upcr_cache.line[stream->first + i];
        line->state = (uint8_t)((line->state & ~UPCR_LINE_PREFETCHED) | UPCR_LINE_FULL);
    }
}

void upcr_stream_arrive(uint32_t slot)
{
    arrive(&streams[upcr_cache.line[slot].stream]);
}

static uint32_t longest(void)
{
    uint32_t most = upcr_cache.lines / 4, few = WINDOW_BYTES >> upcr_cache.shift;
    return few < most ? few : most;
}

/* How many of `wanted` lines from this one on can be had as one piece: in the segment, in slots next to each other that nobody needs. */
static uint32_t clip(uint64_t tag, uint32_t wanted)
{
    uint32_t first = upcr_cached_set(tag), count = 0;
    if (wanted > upcr_cache.lines - first)
        wanted = upcr_cache.lines - first;
    while (count < wanted && upcr_cached_offset(tag + count) < upcr_cache.end &&
           (upcr_cache.line[first + count].state & (UPCR_LINE_DIRTY | UPCR_LINE_PREFETCHED)) == 0 && upcr_probe_slot(tag + count) == UPCR_NO_SLOT)
        count++;
    return count;
}

/* Takes the slots for the next window of count lines, which begins at stream->next. */
static void take_slots(struct stream *stream, uint32_t count)
{
    uint32_t step = MARK_BYTES >> upcr_cache.shift;
    for (uint32_t i = 0; i < count; i++) {
        struct upcr_cached *line = &upcr_cache.line[stream->first + i];
        bool marked = i + 1 == count || step <= 1 || i % step == step - 1 || stream->next + i == stream->trigger;
        upcr_cached_drop(stream->first + i);
        upcr_cached_list(stream->first + i);
        line->stream = (uint8_t)(stream - streams);
        line->state |= UPCR_LINE_PREFETCHED | (marked ? UPCR_LINE_TRIGGER : 0);
        upcr_cached_call(stream->first + i, stream->next + i, upcr_region_of(stream->next + i));
    }
}

/* Starts to fetch the next window. Pre: not flying. */
static void start(struct stream *stream)
{
    uint32_t left = usual > stream->brought ? usual - stream->brought : 0, most = longest();
    uint32_t wanted = left != 0 ? left : stream->brought - usual + 1, count = clip(stream->next, wanted < most ? wanted : most);
    uint64_t tag = stream->next, last = tag + count - 1;
    if (count == 0)
        return;
    stream->first = upcr_cached_set(tag);
    stream->count = count;
    stream->brought += count;
    stream->trigger = left == 0 ? tag + count / 2 : left == count ? 0 : tag;
    stream->flying = true;
    take_slots(stream, count);
    stream->next = tag + count;
    size_t bytes = (size_t)(upcr_cached_offset(last) + upcr_cached_extent(last) - upcr_cached_offset(tag));
    upcr_tp_start_get(upcr_cached_data(stream->first), upcr_cached_place(tag), bytes, &stream->batch);
    upcr_cache.counts.gets++;
    upcr_cache.counts.lines_in += count;
    upcr_cache.counts.prefetch_lines += count;
    upcr_cache.counts.bytes_in += bytes;
}

static void go_on(struct stream *stream)
{
    if (stream->flying)
        arrive(stream);
    start(stream);
}

/* Threads that go through one another's memory wait for each other's attention, so this one looks up at each mark. */
void upcr_stream_advance(uint32_t slot)
{
    struct upcr_cached *line = &upcr_cache.line[slot];
    struct stream *stream = &streams[line->stream];
    uint64_t behind = stream->next - line->tag;
    line->state &= (uint8_t)~UPCR_LINE_TRIGGER;
    if (behind != 0 && behind < stream->brought) {
        uint32_t used = stream->brought - (uint32_t)behind + 1;
        stream->vain = false;
        stream->used = used > stream->used ? used : stream->used;
    }
    if (stream->trigger == line->tag)
        go_on(stream);
    upcr_tp_look();
}

static void learn(const struct stream *stream)
{
    uint32_t most = longest() * LONG, lines = stream->used < most ? stream->used : most;
    mean = (mean * (WEIGHT - 1) + lines * PARTS) / WEIGHT;
    usual = (mean + PARTS - 1) / PARTS;
}

/* What was a guess and stayed one makes the next guess less sure. */
static void end(struct stream *stream)
{
    if (stream->flying)
        arrive(stream);
    if (stream->next != 0 && (stream->brought == 1 || stream->vain) && confidence != 0)
        confidence--;
    if (stream->brought > 1)
        learn(stream);
    *stream = (struct stream){0};
}

static void continue_by_miss(struct stream *stream)
{
    if (stream->brought == 1 && confidence < SURE)
        confidence++;
    stream->vain = false;
    stream->used = ++stream->brought;
    stream->next++;
    go_on(stream);
}

void upcr_stream_miss(uint64_t tag)
{
    struct stream *stream = streams, *last = streams + STREAMS;
    if (!upcr_cache.prefetches)
        return;
    while (stream < last && stream->next != tag)
        stream++;
    if (stream < last) {
        continue_by_miss(stream);
        return;
    }
    stream = &streams[turn++ % STREAMS];
    end(stream);
    stream->next = tag + 1;
    stream->used = stream->brought = 1;
    stream->vain = confidence == SURE;
    if (stream->vain)
        go_on(stream);
}

void upcr_stream_stop(void)
{
    for (struct stream *stream = streams; stream < streams + STREAMS; stream++)
        end(stream);
}
