#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include "tools/measure/bytes.h"
#include "tools/measure/define.h"
#include "tools/measure/file.h"
#include "tools/measure/memory.h"
#include "tools/measure/state.h"

enum {
    LONGEST_TEXT = 4096,
    STAGE_BYTES = 32 << 10,
    MAX_TEXTS = 1 << 16, /* in all; each is kept, so that equal ones are found */
    TEXT_BUCKETS = 1 << 12,
};

struct text {
    struct text *next; /* of the same bucket */
    uint32_t id;
    uint32_t length;
    char bytes[];
};

/* The texts that have ids. Definitions that are not yet in the file are in measure_run->define: from `stage` + MEASURE_BLOCK_HEADER up to `end`, with
   the entries from `first` on; the entry that is being written follows. All under measure_run->lock. */
static struct text *text_buckets[TEXT_BUCKETS];

/* A block begins with the ids that its own texts and event sites will have. */
static void begin_definitions(struct measure_definitions *define)
{
    /* Nothing may be written while these are incomplete. */
    define->end = define->first;
    uint8_t *first = measure_put(define->stage + MEASURE_BLOCK_HEADER, define->texts + 1);
    first = measure_put(first, define->event_sites + 1);
    define->first = define->end = define->at = first;
}

bool measure_define_start(void)
{
    struct measure_definitions *define = &measure_run->define;
    define->stage = measure_memory_reserve(MEASURE_BLOCK_HEADER + STAGE_BYTES);
    if (define->stage == NULL)
        return false;
    begin_definitions(define);
    return true;
}

void measure_define_flush(void)
{
    struct measure_definitions *define = &measure_run->define;
    sigset_t before;
    if (define->end == define->first)
        return;
    size_t length = (size_t)(define->end - define->stage) - MEASURE_BLOCK_HEADER;
    measure_file_hold(&before);
    /* If the file had no space, for example while another thread tries a large block, there may be space later. */
    if (measure_file_append(BLOCK_DEFINE, define->stage, length)) {
        begin_definitions(define);
        if (!define->dropped)
            measure_run->file.lost &= ~(1u << BLOCK_DEFINE);
    }
    measure_file_release(&before);
}

static bool has_space(size_t bytes)
{
    const struct measure_definitions *define = &measure_run->define;
    return (size_t)(define->end - define->stage) + bytes <= MEASURE_BLOCK_HEADER + STAGE_BYTES;
}

static void reserve_definition(size_t bytes)
{
    struct measure_definitions *define = &measure_run->define;
    if (has_space(bytes))
        return;
    measure_define_flush();
    if (has_space(bytes))
        return;
    begin_definitions(define);
    define->dropped = true;
}

void measure_define_begin(enum measure_definition kind, unsigned numbers)
{
    struct measure_definitions *define = &measure_run->define;
    reserve_definition(1 + (size_t)numbers * VARINT_MAX);
    define->at = define->end;
    *define->at++ = (uint8_t)kind;
    define->is_event_site = kind == DEFINE_EVENT_SITE;
}

void measure_define_number(uint64_t number)
{
    measure_run->define.at = measure_put(measure_run->define.at, number);
}

void measure_define_end(void)
{
    struct measure_definitions *define = &measure_run->define;
    define->end = define->at;
    define->event_sites += define->is_event_site;
}

static uint32_t hash(const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)text[i]) * 16777619u;
    return hash ^ hash >> 16;
}

/* Adds a text that has no id yet. */
static uint32_t define_text(const char *text, size_t length, struct text **bucket)
{
    struct measure_definitions *define = &measure_run->define;
    struct text *fresh = define->texts < MAX_TEXTS ? malloc(sizeof *fresh + length) : NULL;
    if (fresh == NULL)
        return 0;
    memcpy(fresh->bytes, text, length);
    reserve_definition(1 + VARINT_MAX + length);
    *define->end = DEFINE_TEXT;
    define->at = measure_put(define->end + 1, length);
    memcpy(define->at, text, length);
    define->end = define->at + length;
    fresh->length = (uint32_t)length;
    fresh->id = ++define->texts;
    fresh->next = *bucket;
    *bucket = fresh;
    return fresh->id;
}

uint32_t measure_text(const char *text)
{
    if (text == NULL)
        return 0;
    size_t length = strnlen(text, LONGEST_TEXT);
    struct text **bucket = &text_buckets[hash(text, length) % TEXT_BUCKETS];
    bool taken = measure_lock();
    const struct text *known = *bucket;
    while (known != NULL && (known->length != length || memcmp(known->bytes, text, length) != 0))
        known = known->next;
    uint32_t id = known != NULL ? known->id : define_text(text, length, bucket);
    measure_unlock(taken);
    return id;
}

void measure_define_object(va_list arguments)
{
    uint64_t blocks = va_arg(arguments, size_t), bytes = va_arg(arguments, size_t);
    const upcr_pts_t *place = va_arg(arguments, void *);
    (void)va_arg(arguments, void *); /* its private address */
    uint64_t element = va_arg(arguments, size_t);
    uint32_t name = measure_text(va_arg(arguments, char *)), type = measure_text(va_arg(arguments, char *));
    const uint64_t numbers[] = {blocks, bytes, upcr_threadof(*place), upcr_addrfield(*place), element, name, type};
    bool taken = measure_lock();
    measure_define_begin(DEFINE_OBJECT, sizeof numbers / sizeof *numbers);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        measure_define_number(numbers[i]);
    measure_define_end();
    measure_unlock(taken);
}
