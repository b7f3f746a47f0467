/* Prefetching. A miss at the line after the last one that a stream has fetched continues the stream: a window of the following lines is fetched by
   one message while the thread continues. The use of the window's first line requests the next window if one is expected, otherwise the use of its
   middle line does. If most misses turn out to begin streams, the first miss already requests a window. A stream first fetches as many lines as
   streams have used recently. If it goes on, it restarts with few lines and doubles their number, so that at most as many lines are fetched in
   vain as were used. Only free or clean slots are used. */
#include "cache/probe.h"

enum {
    STREAMS = 16,
    WINDOW_BYTES = 16384, /* the longest */
    TRUSTED = 4,          /* surplus of right guesses at which the next guess is trusted */
    /* The usual length of streams: a mean in which the last one has the weight 1 / WEIGHT, in parts of a line; all long streams count the same. */
    WEIGHT = 4,
    PARTS = 16,
    LONG = 8,
    MARK_BYTES = 4096, /* the use of a line is recorded at every multiple of this number of bytes */
};

static struct stream {
    uint64_t next;           /* the line after the last one fetched; 0: no stream */
    uint64_t trigger;        /* the line of the last window whose use requests the next window; 0: none, a miss does */
    struct upcr_batch batch; /* the last window, while it is in flight */
    uint32_t first;          /* slot of the last window */
    uint32_t count;          /* its lines */
    uint32_t brought;        /* lines so far; 1: the stream is only a guess */
    uint32_t used;           /* of these, the recorded ones */
    bool flying;
    bool vain; /* lines fetched on a guess have not been used */
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

/* Returns how many of `wanted` lines from this one on can be fetched as one contiguous block: inside the segment, into adjacent slots that are not in use. */
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

/* Reserves the slots for the next window of `count` lines, which begins at stream->next. */
static void take_slots(struct stream *stream, uint32_t count)
{
    uint32_t step = MARK_BYTES >> upcr_cache.shift;
    for (uint32_t i = 0; i < count; i++) {
        struct upcr_cached *line = &upcr_cache.line[stream->first + i];
        bool marked = i + 1 == count || step <= 1 || i % step == step - 1 || stream->next + i == stream->trigger;
        upcr_growth_note(stream->next + i);
        upcr_cached_drop(stream->first + i);
        upcr_cached_list(stream->first + i);
        line->stream = (uint8_t)(stream - streams);
        line->state |= UPCR_LINE_PREFETCHED | (marked ? UPCR_LINE_TRIGGER : 0);
        upcr_cached_call(stream->first + i, stream->next + i, upcr_region_of(stream->next + i));
    }
}

/* Starts to fetch the next window. Pre: none is in flight. */
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

/* Threads that walk through one another's memory wait for each other's service, so this thread polls at each mark. */
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

/* A guess that was not confirmed makes the next guess less certain. */
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
    if (stream->brought == 1 && confidence < TRUSTED)
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
    stream->vain = confidence == TRUSTED;
    if (stream->vain)
        go_on(stream);
}

void upcr_stream_stop(void)
{
    for (struct stream *stream = streams; stream < streams + STREAMS; stream++)
        end(stream);
}
