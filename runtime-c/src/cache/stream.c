/* Fetching ahead. A miss at the line behind the last one that a stream has brought continues the stream: what follows is fetched as one
   message, a stretch of lines, while the thread goes on; the use of its middle asks for the next one, longer up to a limit. Where misses mostly
   turn out to begin streams, the first one already asks for a stretch. Only slots that are free or clean are taken. */
#include "cache/lines.h"

#ifdef UPCR_REMOTE

enum {
    STREAMS = 16,
    STRETCH_FIRST = 2,     /* lines of a stream's first stretch */
    STRETCH_GROWS = 2,     /* times: the next one, so that no more is fetched in vain than was of use */
    STRETCH_BYTES = 16384, /* the longest */
    SURE = 4,              /* guesses that came true, on balance: the next one is believed */
};

static struct stream {
    uint64_t next;    /* the line behind the last one brought; 0: no stream */
    uint64_t trigger; /* the first line of the last stretch */
    struct upcr_batch batch; /* the last stretch, while flying */
    uint32_t first;   /* slot of the last stretch */
    uint32_t count;   /* its lines */
    uint32_t length;  /* lines of the next stretch; 0: the stream is but a guess */
    bool flying;
    bool vain;        /* what was fetched on a mere guess has not been used */
} streams[STREAMS];

static unsigned turn, confidence;

static void arrive(struct stream *stream)
{
    upcr_tp_batch_wait(&stream->batch);
    stream->flying = false;
    for (uint32_t i = 0; i < stream->count; i++) {
        struct upcr_cached *line = &upcr_cache.line[stream->first + i];
        line->state = (uint8_t)((line->state & ~UPCR_LINE_AHEAD) | UPCR_LINE_FULL);
    }
}

void upcr_stream_arrive(uint32_t slot)
{
    arrive(&streams[upcr_cache.line[slot].stream]);
}

static uint32_t longest(void)
{
    uint32_t most = upcr_cache.lines / 4, few = STRETCH_BYTES >> upcr_cache.shift;
    return few < most ? few : most;
}

/* How many of `wanted` lines from this one on can be had as one piece: in the segment, in slots next to each other that nobody needs. */
static uint32_t clip(uint64_t name, uint32_t wanted)
{
    uint32_t first = upcr_cached_home(name), count = 0;
    if (wanted > upcr_cache.lines - first)
        wanted = upcr_cache.lines - first;
    while (count < wanted && upcr_cached_offset(name + count) < upcr_cache.end &&
           (upcr_cache.line[first + count].state & (UPCR_LINE_DIRTY | UPCR_LINE_AHEAD)) == 0 && upcr_cached_find(name + count) == UPCR_NO_SLOT)
        count++;
    return count;
}

/* Starts to fetch the stretch that begins at stream->next. Pre: not flying. */
static void start(struct stream *stream)
{
    uint64_t name = stream->next, end;
    uint32_t count = clip(name, stream->length);
    if (count == 0)
        return;
    stream->first = upcr_cached_home(name);
    stream->count = count;
    stream->trigger = name + count / 2;
    stream->next = name + count;
    stream->flying = true;
    for (uint32_t i = 0; i < count; i++) {
        struct upcr_cached *line = &upcr_cache.line[stream->first + i];
        upcr_cached_drop(stream->first + i);
        upcr_cached_list(stream->first + i);
        line->region = upcr_region_of(name + i);
        line->stream = (uint8_t)(stream - streams);
        line->state |= UPCR_LINE_AHEAD | (i == count / 2 ? UPCR_LINE_TRIGGER : 0);
        line->name = name + i;
    }
    end = upcr_cached_offset(name + count - 1) + upcr_cached_extent(name + count - 1);
    size_t bytes = (size_t)(end - upcr_cached_offset(name));
    upcr_tp_start_get(upcr_cached_data(stream->first), upcr_cached_place(name), bytes, &stream->batch);
    upcr_cache.counts.gets++;
    upcr_cache.counts.lines_in += count;
    upcr_cache.counts.lines_ahead += count;
    upcr_cache.counts.bytes_in += bytes;
}

static void go_on(struct stream *stream)
{
    if (stream->flying)
        arrive(stream);
    stream->length = stream->length == 0 ? STRETCH_FIRST : stream->length * STRETCH_GROWS;
    if (stream->length > longest())
        stream->length = longest();
    start(stream);
}

void upcr_stream_advance(uint32_t slot)
{
    struct upcr_cached *line = &upcr_cache.line[slot];
    struct stream *stream = &streams[line->stream];
    line->state &= (uint8_t)~UPCR_LINE_TRIGGER;
    stream->vain = false;
    if (stream->trigger == line->name)
        go_on(stream);
}

/* What was a guess and stayed one makes the next guess less sure. */
static void end(struct stream *stream)
{
    if (stream->flying)
        arrive(stream);
    if (stream->next != 0 && (stream->length == 0 || stream->vain) && confidence != 0)
        confidence--;
    *stream = (struct stream){0};
}

void upcr_stream_miss(uint64_t name)
{
    struct stream *stream = streams, *last = streams + STREAMS;
    if (!upcr_cache.fetches_ahead)
        return;
    while (stream < last && stream->next != name)
        stream++;
    if (stream < last) {
        if (stream->length == 0 && confidence < SURE)
            confidence++;
        stream->next = name + 1;
        go_on(stream);
        return;
    }
    stream = &streams[turn++ % STREAMS];
    end(stream);
    stream->next = name + 1;
    stream->vain = confidence == SURE;
    if (stream->vain)
        go_on(stream);
}

void upcr_stream_stop(void)
{
    for (struct stream *stream = streams; stream < streams + STREAMS; stream++)
        end(stream);
}

#endif
