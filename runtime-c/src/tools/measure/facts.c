#include "runtime.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "tools/measure/bytes.h"
#include "tools/measure/clocks.h"
#include "tools/measure/facts.h"
#include "tools/measure/file.h"
#include "tools/measure/processor.h"
#include "tools/measure/profile.h"
#include "tools/measure/trace.h"
#include "tools/tool.h"

/* A block of fields. A field that does not fit is left out. */
struct fields {
    size_t length, capacity;
    uint8_t *bytes; /* preceded by a block's header */
};

enum { FEW_BYTES = 1024, MANY_BYTES = 64 << 10 };

static void put_field(struct fields *fields, enum measure_field field, const void *value, size_t length)
{
    if (fields->length + length + 2 * VARINT_MAX > fields->capacity)
        return;
    uint8_t *start = fields->bytes + MEASURE_BLOCK_HEADER, *at = start + fields->length;
    at = measure_put(at, field);
    at = measure_put(at, length);
    memcpy(at, value, length);
    fields->length = (size_t)(at + length - start);
}

static void put_number(struct fields *fields, enum measure_field field, uint64_t number)
{
    uint8_t value[VARINT_MAX];
    put_field(fields, field, value, (size_t)(measure_put(value, number) - value));
}

static void put_text(struct fields *fields, enum measure_field field, const char *text)
{
    put_field(fields, field, text, strlen(text));
}

/* The difference between thread 0's clock and this machine's. */
static void put_offset(struct fields *fields)
{
    if (!measure_offset.known)
        return;
    put_number(fields, FIELD_OFFSET, measure_zigzag((uint64_t)measure_offset.ns));
    put_number(fields, FIELD_OFFSET_ERROR, measure_offset.error);
}

static void put_clocks(struct fields *fields)
{
    uint64_t ticks = measure_now(), ns = upcr_clock_system_ns();
    put_number(fields, FIELD_TICKS, ticks);
    put_number(fields, FIELD_NS, ns);
}

/* The options of the runtime that were given. */
static void put_settings(struct fields *fields)
{
    static const struct {
        const char *name;
        const uint64_t *number;
    } settings[] = {
#define SETTING(name, option) {name, &upcr_options.option}
        SETTING("UPC_MEASURE_BUFFER", measure_buffer), SETTING("UPC_MEASURE_MAX_FILE", measure_max_file), SETTING("UPC_MEASURE_DEPTH", measure_depth),
        SETTING("UPC_MEASURE_RATE", measure_rate),     SETTING("UPC_MEASURE_SAMPLE", measure_sample),     SETTING("UPC_MEASURE_HOT", measure_hot),
        SETTING("UPC_MEASURE_NODES", measure_nodes),
#undef SETTING
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        char line[80];
        if (*settings[i].number == 0)
            continue;
        snprintf(line, sizeof line, "%s=%llu", settings[i].name, (unsigned long long)*settings[i].number);
        put_text(fields, FIELD_SETTING, line);
    }
}

/* Returns the static number of THREADS, or 0. */
static uint32_t static_threads(void)
{
    extern const upcr_unit first[] __asm__("__start_upcr_units") UPCR_HIDDEN;
    extern const upcr_unit end[] __asm__("__stop_upcr_units") UPCR_HIDDEN;
    uint32_t threads = 0;
    for (const upcr_unit *unit = first; unit < end; unit++)
        if (unit->threads != 0)
            threads = unit->threads;
    return threads;
}

void measure_write_run(int argc, char *const *argv, uint64_t start, const struct measure_state *settings)
{
    struct fields fields = {0, MANY_BYTES, malloc(MEASURE_BLOCK_HEADER + MANY_BYTES)};
    if (fields.bytes == NULL)
        return;
    put_text(&fields, FIELD_PROGRAM, argc > 0 ? argv[0] : "");
    put_number(&fields, FIELD_THREADS, (uint64_t)upcr_threads);
    put_number(&fields, FIELD_STATIC_THREADS, static_threads());
    put_text(&fields, FIELD_VERSION, "abi=" UPCR_STRING(UPCR_ABI));
    put_text(&fields, FIELD_NETWORK, UPCR_NETWORK);
    put_number(&fields, FIELD_START, start);
    put_clocks(&fields);
    put_number(&fields, FIELD_MODE, measure_run->mode | (upcr_inst_reports_local() ? MODE_LOCAL : 0) | (settings->processor.account >= 0 ? MODE_PROCESSOR : 0));
    for (unsigned i = 0; i < settings->counters; i++)
        put_text(&fields, FIELD_COUNTER, measure_counter_name(i));
    put_settings(&fields);
    for (int i = 1; i < argc; i++)
        put_text(&fields, FIELD_ARGUMENT, argv[i]);
    measure_file_append(BLOCK_RUN, fields.bytes, fields.length);
    free(fields.bytes);
}

/* A block of entries, each for a place in a file. */
struct places {
    enum measure_block kind;
    uint8_t *block, *at, *end;
    const char *file; /* of the last entry; NULL: there is none */
};

static void append_places(struct places *to)
{
    uint8_t *const start = to->block + MEASURE_BLOCK_HEADER;
    if (to->at > start)
        measure_file_append(to->kind, to->block, (size_t)(to->at - start));
    to->at = start;
    to->file = NULL;
}

static void put_bytes(struct places *to, const char *text, size_t length)
{
    to->at = measure_put(to->at, length);
    to->at = (uint8_t *)memcpy(to->at, text, length) + length;
}

/* Makes room for so many bytes about a place in a file, and for its name. False: no block has so much. */
static bool make_room(struct places *to, const char *file, size_t bytes)
{
    const size_t needed = 1 + VARINT_MAX + strlen(file) + bytes;
    if (needed > MANY_BYTES)
        return false;
    if ((size_t)(to->end - to->at) < needed)
        append_places(to);
    return true;
}

/* Returns whether an entry must name its file, as the first of each block must. */
static bool is_new(struct places *to, const char *file)
{
    const bool is_same = to->file != NULL && strcmp(file, to->file) == 0;
    to->file = file;
    return !is_same;
}

static void put_numbers(struct places *to, const uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to->at = measure_put(to->at, numbers[i]);
}

_Static_assert((int)LOOP_FOR == UPCR_LOOP_FOR && (int)LOOP_WHILE == UPCR_LOOP_WHILE && (int)LOOP_DO == UPCR_LOOP_DO,
               "the file has the kinds of loops of upcr/inst.h");

static void write_loops(struct places *to)
{
    size_t count;
    const upcr_inst_loop *loops = upcr_inst_all_loops(&count);
    for (const upcr_inst_loop *loop = loops; loop < loops + count; loop++) {
        const uint32_t numbers[] = {loop->line, loop->column, loop->last_line, loop->last_column};
        if (loop->kind == 0 || !make_room(to, loop->file, 1 + 4 * VARINT_MAX))
            continue;
        if (is_new(to, loop->file)) {
            *to->at++ = LOOP_FILE;
            put_bytes(to, loop->file, strlen(loop->file));
        }
        *to->at++ = (uint8_t)loop->kind;
        put_numbers(to, numbers, 4);
    }
    append_places(to);
}

static void write_remarks(struct places *to)
{
    size_t count;
    const upcr_inst_reference *references = upcr_inst_all_references(&count);
    for (const upcr_inst_reference *reference = references; reference < references + count; reference++) {
        const uint32_t numbers[] = {reference->line, reference->column};
        if (reference->file == NULL || !make_room(to, reference->file, 3 * VARINT_MAX + strlen(reference->remark)))
            continue;
        put_bytes(to, reference->file, is_new(to, reference->file) ? strlen(reference->file) : 0);
        put_numbers(to, numbers, 2);
        put_bytes(to, reference->remark, strlen(reference->remark));
    }
    append_places(to);
}

void measure_write_static(void)
{
    uint8_t *block = malloc(MEASURE_BLOCK_HEADER + MANY_BYTES);
    if (block == NULL)
        return;
    struct places to = {BLOCK_LOOPS, block, block + MEASURE_BLOCK_HEADER, block + MEASURE_BLOCK_HEADER + MANY_BYTES, NULL};
    write_loops(&to);
    to.kind = BLOCK_REMARKS;
    write_remarks(&to);
    free(block);
}

void measure_write_thread(const struct measure_state *state)
{
    static uint8_t block[MEASURE_BLOCK_HEADER + FEW_BYTES];
    struct fields fields = {0, FEW_BYTES, block};
    char host[HOST_NAME_MAX + 1] = "", processors[FEW_BYTES / 4];
    gethostname(host, sizeof host - 1);
    put_text(&fields, FIELD_HOST, host);
    put_number(&fields, FIELD_PROCESS, (uint64_t)getpid());
    put_clocks(&fields);
    put_offset(&fields);
    put_number(&fields, FIELD_PAIR_COST, (state->trace_pair.parts + MEASURE_TICK / 2) / MEASURE_TICK);
    measure_processor_print(processors, sizeof processors);
    put_text(&fields, FIELD_PROCESSORS, processors);
    put_number(&fields, FIELD_PAIR_ERROR, state->mode & MODE_PROFILE ? state->profile_pair.error : state->trace_pair.error);
    measure_file_append(BLOCK_THREAD, block, fields.length);
}

void measure_write_counts(const struct measure_state *state)
{
    enum { NUMBERS = 2 * VARINT_MAX, IN_BLOCK = 512 };
    static uint8_t block[MEASURE_BLOCK_HEADER + (IN_BLOCK + 1) * NUMBERS];
    for (uint32_t first = measure_run->counts_written + 1; first < measure_run->event_site_count; first += IN_BLOCK) {
        uint32_t left = measure_run->event_site_count - first, number = left < IN_BLOCK ? left : IN_BLOCK;
        uint8_t *at = measure_put(block + MEASURE_BLOCK_HEADER, first);
        at = measure_put(at, number);
        for (uint32_t id = first; id < first + number; id++) {
            at = measure_put(at, state->event_sites[id].raised);
            at = measure_put(at, state->event_sites[id].traced);
        }
        measure_file_append(BLOCK_COUNTS, block, (size_t)(at - block) - MEASURE_BLOCK_HEADER);
        measure_run->counts_written += number;
    }
}

void measure_write_end(const struct measure_state *state, enum measure_how how, int status)
{
    static uint8_t block[MEASURE_BLOCK_HEADER + FEW_BYTES];
    struct fields fields = {0, FEW_BYTES, block};
    put_number(&fields, FIELD_HOW, how);
    put_number(&fields, FIELD_STATUS, (uint64_t)(unsigned)status);
    put_clocks(&fields);
    put_offset(&fields);
    if (measure_run->began != 0)
        put_number(&fields, FIELD_BEGAN, measure_run->began);
    put_number(&fields, FIELD_EVENTS, state->trace.events);
    put_number(&fields, FIELD_RAISED, state->raised);
    put_number(&fields, FIELD_DROPPED_SAMPLING, state->dropped_sampling);
    put_number(&fields, FIELD_DROPPED_RATE, state->dropped_rate);
    put_number(&fields, FIELD_DROPPED_SIZE, state->dropped_size);
    put_number(&fields, FIELD_DROPPED_DEPTH, state->dropped_depth);
    put_number(&fields, FIELD_DROPPED_CONTROL, state->dropped_control);
    put_number(&fields, FIELD_DROPPED_REENTRY, state->dropped_reentry);
    put_number(&fields, FIELD_NODES_FULL, state->tree.full);
    if (measure_run->salvaged)
        put_number(&fields, FIELD_SALVAGED, 1);
    if (measure_run->pthreads > 0) {
        put_number(&fields, FIELD_PTHREADS, measure_run->pthreads);
        put_number(&fields, FIELD_PTHREAD_TICKS, measure_run->pthread_ticks);
    }
    measure_file_append(BLOCK_END, block, fields.length);
}
