/* Reads a file of the tool measure by docs/trace-format.md, for tests of its writer: every block, check sum and record. Prints a line a
   thread and one for each of its origins; status 1 and a message if anything does not hold. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/measure/crc.h"
#include "tools/measure/format.h"

enum { THREADS = 64, EVENT_SITES = 256, TEXTS = 1024, COLUMNS = 256, MASK = 64, NAME = 64, FIELDS = 64, PAIRS = 512 };

struct event_site {
    const char *symbol;
    unsigned tag, side, flags, line, columns;
    uint64_t raised, traced, seen, last[COLUMNS];
    unsigned block;
};

/* A pthread of a thread, with a stream of events of its own; 0: the thread's first. */
struct pthread {
    unsigned number, open;
    unsigned pair[PAIRS]; /* tags of open pairs */
};

static struct thread {
    bool present;
    unsigned blocks, event_blocks, texts, event_sites, users, objects;
    struct pthread *pthreads, *now; /* the one whose block is read */
    unsigned pthread_count;
    uint64_t starts, ends, atomics, lost, notes, nodes, counted, samples, bytes, deepest, columns;
    uint64_t fields[FIELDS];
    char text[TEXTS][NAME];
    struct event_site event_site[EVENT_SITES];
} threads[THREADS];

static unsigned counters;

static void fail(const char *format, ...) __attribute__((__format__(__printf__, 1, 2), __noreturn__));
static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static uint32_t word(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* A payload that is read. */
struct reader {
    const uint8_t *at, *end;
};

static uint64_t number(struct reader *reader)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (reader->at == reader->end)
            fail("a payload ends within a number");
        uint8_t byte = *reader->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    fail("a number is too long");
}

static uint64_t difference(struct reader *reader)
{
    uint64_t code = number(reader);
    return code >> 1 ^ (uint64_t) - (int64_t)(code & 1);
}

static const char *text_of(const struct thread *thread, uint64_t id)
{
    if (id > thread->texts)
        fail("text %llu of %u", (unsigned long long)id, thread->texts);
    return thread->text[id];
}

static struct event_site *event_site_of(struct thread *thread, uint64_t id)
{
    if (id == 0 || id > thread->event_sites)
        fail("event_site %llu of %u", (unsigned long long)id, thread->event_sites);
    return &thread->event_site[id];
}

static void read_fields(struct thread *thread, struct reader *reader, bool run)
{
    while (reader->at < reader->end) {
        uint64_t field = number(reader), length = number(reader);
        struct reader value = {reader->at, reader->at + length};
        if (field >= FIELDS || length > (uint64_t)(reader->end - reader->at))
            fail("field %llu of %llu bytes", (unsigned long long)field, (unsigned long long)length);
        reader->at += length;
        counters += run && field == FIELD_COUNTER;
        bool is_text = field <= FIELD_ARGUMENT || field == FIELD_VERSION || (field >= FIELD_COUNTER && field <= FIELD_NETWORK) || field == FIELD_HOST;
        if (!is_text)
            thread->fields[field] = number(&value);
    }
}

static void define_event_site(struct thread *thread, struct reader *reader)
{
    struct event_site *event_site = &thread->event_site[++thread->event_sites];
    if (thread->event_sites == EVENT_SITES)
        fail("too many event_sites for this test");
    event_site->tag = (unsigned)number(reader);
    event_site->symbol = text_of(thread, number(reader));
    event_site->side = (unsigned)number(reader);
    event_site->flags = (unsigned)number(reader);
    text_of(thread, number(reader));
    event_site->line = (unsigned)number(reader);
    number(reader);
    text_of(thread, number(reader));
    text_of(thread, number(reader));
    for (uint64_t args = number(reader); args > 0; args--) {
        uint64_t kind = number(reader);
        if (kind < ARG_INT || kind > ARG_ELEMENT)
            fail("kind of argument %llu", (unsigned long long)kind);
        text_of(thread, number(reader));
        event_site->columns += kind >= ARG_PLACE ? 3 : kind == ARG_SHARED || kind == ARG_LOCK ? 2 : 1;
    }
}

static void read_definitions(struct thread *thread, struct reader *reader)
{
    uint64_t first_text = number(reader), first_event_site = number(reader);
    if (first_text != thread->texts + 1 || first_event_site != thread->event_sites + 1)
        fail("definitions from text %llu and event_site %llu on", (unsigned long long)first_text, (unsigned long long)first_event_site);
    while (reader->at < reader->end) {
        uint64_t kind = number(reader), length;
        switch (kind) {
        case DEFINE_TEXT:
            length = number(reader);
            if (++thread->texts == TEXTS || length > (uint64_t)(reader->end - reader->at))
                fail("text of %llu bytes", (unsigned long long)length);
            snprintf(thread->text[thread->texts], NAME, "%.*s", (int)length, (const char *)reader->at);
            reader->at += length;
            break;
        case DEFINE_EVENT_SITE:
            define_event_site(thread, reader);
            break;
        case DEFINE_USER_EVENT:
            number(reader);
            text_of(thread, number(reader));
            text_of(thread, number(reader));
            thread->users++;
            break;
        case DEFINE_OBJECT:
            for (int i = 0; i < 5; i++)
                number(reader);
            text_of(thread, number(reader));
            text_of(thread, number(reader));
            thread->objects++;
            break;
        default:
            fail("definition %llu", (unsigned long long)kind);
        }
    }
}

static void open_pair(struct thread *thread, unsigned tag)
{
    struct pthread *now = thread->now;
    if (now->open == PAIRS)
        fail("too many open pairs");
    now->pair[now->open++] = tag;
    if (now->open > thread->deepest)
        thread->deepest = now->open;
}

static void close_pair(struct thread *thread, unsigned tag, bool any)
{
    struct pthread *now = thread->now;
    unsigned i = now->open;
    while (i > 0 && !any && now->pair[i - 1] != tag)
        i--;
    if (i == 0)
        fail("end without a start, tag %u", tag);
    memmove(&now->pair[i - 1], &now->pair[i], (now->open - i) * sizeof *now->pair);
    now->open--;
}

static void read_note(struct thread *thread, struct reader *reader)
{
    uint64_t code = number(reader);
    thread->notes++;
    if (code == NOTE_LOST) {
        thread->lost += number(reader);
    } else if (code == NOTE_WEIGHT) {
        event_site_of(thread, number(reader));
        number(reader);
    } else if (code == NOTE_PROCESSOR) {
        number(reader);
        thread->notes--;
    } else if (code != NOTE_ON && code != NOTE_OFF) {
        fail("note %llu", (unsigned long long)code);
    }
}

static void read_event(struct thread *thread, struct reader *reader, uint64_t id)
{
    struct event_site *event_site = event_site_of(thread, id);
    if (event_site->block != thread->event_blocks)
        memset(event_site->last, 0, sizeof event_site->last);
    event_site->block = thread->event_blocks;
    if (event_site->columns > COLUMNS)
        fail("too many columns for this test");
    for (unsigned first = 0; first < event_site->columns; first += MASK) {
        uint64_t mask = number(reader);
        for (unsigned i = 0; i < MASK; i++)
            if (mask >> i & 1)
                event_site->last[first + i] += difference(reader);
    }
    for (unsigned i = 0; i < event_site->columns; i++)
        thread->columns += event_site->last[i];
    event_site->seen++;
    thread->starts += event_site->side == SIDE_START;
    thread->ends += event_site->side == SIDE_END;
    thread->atomics += event_site->side == SIDE_ATOMIC;
    if (event_site->side == SIDE_START && !(event_site->flags & EVENT_SITE_NOT_NESTED))
        open_pair(thread, event_site->tag);
    else if (event_site->side == SIDE_END && !(event_site->flags & EVENT_SITE_NOT_NESTED))
        close_pair(thread, event_site->tag, false);
}

static struct pthread *pthread_of(struct thread *thread, uint64_t wanted)
{
    for (unsigned i = 0; i < thread->pthread_count; i++)
        if (thread->pthreads[i].number == wanted)
            return &thread->pthreads[i];
    thread->pthreads = realloc(thread->pthreads, (thread->pthread_count + 1) * sizeof *thread->pthreads);
    if (thread->pthreads == NULL)
        fail("out of memory");
    struct pthread *fresh = &thread->pthreads[thread->pthread_count++];
    memset(fresh, 0, sizeof *fresh);
    fresh->number = (unsigned)wanted;
    return fresh;
}

static void read_events(struct thread *thread, struct reader *reader, bool is_first)
{
    thread->now = pthread_of(thread, is_first ? 0 : number(reader));
    thread->event_blocks++;
    number(reader);
    number(reader);
    for (unsigned i = 0; i < counters; i++)
        number(reader);
    uint64_t open = number(reader);
    if (open != thread->now->open)
        fail("%llu pairs are open at the start of a block, not %u", (unsigned long long)open, thread->now->open);
    for (uint64_t i = 0; i < open; i++)
        if (event_site_of(thread, number(reader))->tag != thread->now->pair[i])
            fail("another pair is open");
    while (reader->at < reader->end) {
        bool simple = !(number(reader) & 1);
        uint64_t id = simple ? 0 : number(reader);
        if (simple) {
            close_pair(thread, 0, true);
            thread->ends++;
        } else if (id == 0) {
            read_note(thread, reader);
            continue;
        } else {
            read_event(thread, reader, id);
        }
        for (unsigned i = 0; i < counters; i++)
            number(reader);
    }
}

/* Behind the nodes, in their order: what the hot ones counted, and the classes of those that were timed, the shortest first. */
static void read_samples(struct thread *thread, struct reader *reader)
{
    uint64_t last = 0;
    while (reader->at < reader->end) {
        uint64_t node = number(reader), shortest = 0;
        if (node <= last || node > thread->nodes)
            fail("samples of node %llu", (unsigned long long)node);
        last = node;
        number(reader);
        number(reader);
        for (uint64_t classes = number(reader); classes > 0; classes--) {
            uint64_t count = number(reader), ticks = number(reader);
            if (count == 0 || ticks / count < shortest)
                fail("samples of node %llu: their classes cannot be", (unsigned long long)node);
            shortest = ticks / count;
            thread->samples += count;
        }
    }
}

static void read_profile(struct thread *thread, struct reader *reader)
{
    uint64_t first = number(reader), nodes = number(reader);
    if (first != thread->nodes + 1)
        fail("node %llu follows node %llu", (unsigned long long)first, (unsigned long long)thread->nodes);
    for (uint64_t i = 0; i < nodes; i++) {
        uint64_t values[13];
        for (int k = 0; k < 13; k++)
            values[k] = number(reader);
        event_site_of(thread, values[1]);
        if (values[0] >= first + i || values[5] > values[4] || values[7] > values[6] || values[8] > values[9] || values[11] > values[12])
            fail("node %llu: its numbers cannot be", (unsigned long long)(first + i));
        thread->counted += values[4];
        thread->bytes += values[10];
        for (unsigned k = 0; k < 2 * counters; k++)
            number(reader);
    }
    thread->nodes += nodes;
}

static void read_counts(struct thread *thread, struct reader *reader)
{
    uint64_t first = number(reader), count = number(reader);
    for (uint64_t id = first; id < first + count; id++) {
        struct event_site *event_site = event_site_of(thread, id);
        event_site->raised = number(reader);
        event_site->traced = number(reader);
        /* The event during which a thread is killed is counted before it is written. */
        if (event_site->traced - event_site->seen > 1 || event_site->raised < event_site->seen)
            fail("event_site %llu (%s): %llu in the trace, %llu reported", (unsigned long long)id, event_site->symbol, (unsigned long long)event_site->seen,
                 (unsigned long long)event_site->traced);
    }
}

static void read_block(unsigned kind, struct thread *thread, struct reader *reader)
{
    switch (kind) {
    case BLOCK_RUN:
    case BLOCK_THREAD:
    case BLOCK_END:
        read_fields(thread, reader, kind == BLOCK_RUN);
        break;
    case BLOCK_DEFINE:
        read_definitions(thread, reader);
        break;
    case BLOCK_EVENTS:
    case BLOCK_PTHREAD_EVENTS:
        read_events(thread, reader, kind == BLOCK_EVENTS);
        break;
    case BLOCK_PROFILE:
        read_profile(thread, reader);
        break;
    case BLOCK_SAMPLES:
        read_samples(thread, reader);
        break;
    case BLOCK_COUNTS:
        read_counts(thread, reader);
        break;
    default:
        fail("kind of block %u", kind);
    }
    if (reader->at != reader->end)
        fail("a payload does not end where it should");
}

static void read_file(const uint8_t *bytes, size_t length)
{
    if (length < MEASURE_FILE_HEADER || memcmp(bytes, MEASURE_SIGNATURE, 8) != 0 || bytes[8] != MEASURE_MAJOR)
        fail("no header");
    for (size_t at = MEASURE_FILE_HEADER; at < length;) {
        const uint8_t *head = bytes + at;
        if (length - at < MEASURE_BLOCK_HEADER || word(head) != MEASURE_BLOCK_MAGIC)
            fail("no block at %zu", at);
        uint32_t number_of_thread = word(head + 8), payload = word(head + 16);
        const uint8_t *start = head + MEASURE_BLOCK_HEADER;
        if (payload > length - at - MEASURE_BLOCK_HEADER || number_of_thread >= THREADS)
            fail("the block at %zu is cut", at);
        if (measure_crc(measure_crc(0, head, MEASURE_BLOCK_HEADER - 4), start, payload) != word(head + 20))
            fail("check sum of the block at %zu", at);
        struct thread *thread = &threads[number_of_thread];
        thread->present = true;
        if (word(head + 12) != thread->blocks++)
            fail("block %u of thread %u is not the next", word(head + 12), number_of_thread);
        struct reader reader = {start, start + payload};
        read_block(head[4], thread, &reader);
        at += MEASURE_BLOCK_HEADER + payload;
    }
}

static void show(unsigned t)
{
    static const char *const sides[] = {"start", "end", "atomic"};
    const struct thread *thread = &threads[t];
    const uint64_t *f = thread->fields;
    uint64_t unwritten = 0, open = 0;
    for (unsigned i = 0; i < thread->pthread_count; i++)
        open += thread->pthreads[i].open;
    for (unsigned i = 1; i <= thread->event_sites; i++)
        unwritten += thread->event_site[i].traced - thread->event_site[i].seen;
    if (thread->fields[FIELD_RAISED] != 0 && unwritten > (f[FIELD_HOW] >= HOW_SIGNAL))
        fail("thread %u: %llu events are reported and not written", t, (unsigned long long)unwritten);
    if (thread->lost != 0 && thread->lost > f[FIELD_DROPPED_RATE])
        fail("%llu events are missing, but only %llu were dropped", (unsigned long long)thread->lost, (unsigned long long)f[FIELD_DROPPED_RATE]);
    const uint64_t found = thread->starts + thread->ends + thread->atomics;
    /* A signal may come between an event's record and its count. */
    if (found != f[FIELD_EVENTS] && !(f[FIELD_HOW] >= HOW_SIGNAL && found + 1 == f[FIELD_EVENTS]))
        fail("thread %u: %llu events are in the trace, not %llu", t, (unsigned long long)found, (unsigned long long)f[FIELD_EVENTS]);
    printf("thread %u: how %d status %d, trace %d starts %d ends %d atomics %d open %d deep, profile %d nodes %d events %d bytes, "
           "%d users %d objects, %d pthreads, columns %d, raised %d, salvaged %d, dropped sampling %d rate %d size %d depth %d control %d\n",
           t, (int)f[FIELD_HOW], (int)f[FIELD_STATUS], (int)thread->starts, (int)thread->ends, (int)thread->atomics, (int)open, (int)thread->deepest,
           (int)thread->nodes, (int)thread->counted, (int)thread->bytes, (int)thread->users, (int)thread->objects, (int)f[FIELD_PTHREADS], (int)thread->columns,
           (int)f[FIELD_RAISED], (int)f[FIELD_SALVAGED], (int)f[FIELD_DROPPED_SAMPLING], (int)f[FIELD_DROPPED_RATE], (int)f[FIELD_DROPPED_SIZE],
           (int)f[FIELD_DROPPED_DEPTH], (int)f[FIELD_DROPPED_CONTROL]);
    for (unsigned i = 1; i <= thread->event_sites; i++)
        printf("  %u %s line %u %s: raised %d, traced %d\n", t, thread->event_site[i].symbol, thread->event_site[i].line, sides[thread->event_site[i].side % 3],
               (int)thread->event_site[i].raised, (int)thread->event_site[i].traced);
}

int main(int argc, char **argv)
{
    size_t length = 0, capacity = 1 << 20;
    uint8_t *bytes = malloc(capacity);
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL || bytes == NULL)
        fail("usage: recording FILE");
    for (size_t n; (n = fread(bytes + length, 1, capacity - length, file)) > 0;) {
        length += n;
        if (length == capacity && (bytes = realloc(bytes, capacity *= 2)) == NULL)
            fail("out of memory");
    }
    measure_crc_prepare();
    read_file(bytes, length);
    for (unsigned t = 0; t < THREADS; t++)
        if (threads[t].present)
            show(t);
    return 0;
}
