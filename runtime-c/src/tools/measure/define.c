#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include "tools/measure/bytes.h"
#include "tools/measure/define.h"
#include "tools/measure/file.h"

enum {
    LONGEST_TEXT = 4096,
    STAGE_BYTES = 16 << 10,
    ENTRY_BYTES = 64 * VARINT_MAX,
    MAX_TEXTS = 1 << 16, /* in all; each is kept, to tell whether another one equals it */
    BUCKETS = 1 << 12,
};

struct text {
    struct text *next; /* of the same bucket */
    uint32_t id;
    uint32_t length;
    char bytes[];
};

static struct text *buckets[BUCKETS];
static uint32_t texts, origins; /* how many have an id */

/* A block on its way into the file: from stage + MEASURE_BLOCK_HEADER up to `end`, its entries from `first` on; the entry in work is
   behind that. */
static uint8_t *stage, *first, *end, *at;
static bool is_origin; /* the entry in work */

/* A block says first which ids its own texts and origins will have. */
static void begin_block(void)
{
    first = measure_put(stage + MEASURE_BLOCK_HEADER, texts + 1);
    first = measure_put(first, origins + 1);
    end = at = first;
}

bool measure_define_start(void)
{
    stage = malloc(MEASURE_BLOCK_HEADER + STAGE_BYTES);
    if (stage == NULL)
        return false;
    begin_block();
    return true;
}

void measure_define_flush(void)
{
    sigset_t before;
    if (end == first)
        return;
    size_t length = (size_t)(end - stage) - MEASURE_BLOCK_HEADER;
    measure_file_hold(&before);
    measure_file_append(BLOCK_DEFINE, stage, length);
    begin_block();
    measure_file_release(&before);
}

static void make_room(size_t bytes)
{
    if ((size_t)(end - stage) + bytes > MEASURE_BLOCK_HEADER + STAGE_BYTES)
        measure_define_flush();
}

void measure_define_begin(enum measure_definition kind)
{
    make_room(ENTRY_BYTES);
    at = end;
    *at++ = (uint8_t)kind;
    is_origin = kind == DEFINE_ORIGIN;
}

void measure_define_number(uint64_t number)
{
    at = measure_put(at, number);
}

void measure_define_end(void)
{
    end = at;
    origins += is_origin;
}

static uint32_t hash(const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)text[i]) * 16777619u;
    return hash ^ hash >> 16;
}

uint32_t measure_text(const char *text)
{
    if (text == NULL)
        return 0;
    size_t length = strnlen(text, LONGEST_TEXT);
    struct text **bucket = &buckets[hash(text, length) % BUCKETS];
    for (struct text *known = *bucket; known != NULL; known = known->next)
        if (known->length == length && memcmp(known->bytes, text, length) == 0)
            return known->id;
    struct text *fresh = texts < MAX_TEXTS ? malloc(sizeof *fresh + length) : NULL;
    if (fresh == NULL)
        return 0;
    memcpy(fresh->bytes, text, length);
    make_room(1 + VARINT_MAX + length);
    *end = DEFINE_TEXT;
    at = measure_put(end + 1, length);
    memcpy(at, text, length);
    end = at + length;
    fresh->length = (uint32_t)length;
    fresh->id = ++texts;
    fresh->next = *bucket;
    *bucket = fresh;
    return fresh->id;
}

void measure_define_object(va_list arguments)
{
    uint64_t blocks = va_arg(arguments, size_t), bytes = va_arg(arguments, size_t);
    const upcr_pts_t *place = va_arg(arguments, void *);
    (void)va_arg(arguments, void *); /* its private address */
    uint64_t element = va_arg(arguments, size_t);
    uint32_t name = measure_text(va_arg(arguments, char *)), type = measure_text(va_arg(arguments, char *));
    const uint64_t numbers[] = {blocks, bytes, upcr_threadof(*place), upcr_addrfield(*place), element, name, type};
    measure_define_begin(DEFINE_OBJECT);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        measure_define_number(numbers[i]);
    measure_define_end();
}
