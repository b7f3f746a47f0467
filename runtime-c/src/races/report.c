/* Reports: on standard error like all messages of the runtime, and as JSON. Each pair of lines is reported once in a job. */
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "checks/extent.h"
#include "objects.h"
#include "options.h"
#include "races/detector.h"
#include "races/words.h"
#include "transport/transport.h"

enum { PAIRS = 1 << 13, RECENT = 256, TEXT_CAPACITY = 6000 };

static size_t pairs_offset;
static bool reported;

/* ---- Which pairs of lines have been reported: a set in the side memory of thread 0 -------------------------------------- */

size_t upcr_race_report_bytes(void)
{
    return PAIRS * sizeof(uint64_t);
}

struct claim {
    uint64_t pair;
    bool first;
};

static void answer_claim(void *data)
{
    struct claim *claim = data;
    _Atomic uint64_t *pairs = (_Atomic uint64_t *)(void *)((char *)upcr_tp_side(0) + pairs_offset);
    for (uint64_t i = 0; i < PAIRS; i++) {
        uint64_t old = 0;
        /* The pair publishes nothing else. */
        claim->first =
            atomic_compare_exchange_strong_explicit(&pairs[(claim->pair + i) % PAIRS], &old, claim->pair, memory_order_relaxed, memory_order_relaxed);
        if (claim->first || old == claim->pair)
            return;
    }
}

/* Returns whether nobody has reported this pair before. */
static bool claim_pair(uint64_t pair)
{
    struct claim claim = {.pair = pair | 1};
    if (upcr_tp_side(0) != NULL)
        answer_claim(&claim);
    else
        upcr_tp_call(0, answer_claim, &claim, sizeof claim);
    return claim.first;
}

static uint64_t line_number(const struct upcr_race_place *place)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *c = place->file; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    return (hash ^ (uint64_t)place->line) * 0x100000001b3u;
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------------- */

void upcr_race_report_start(size_t offset)
{
    pairs_offset = offset;
    const char *name = upcr_options.races_json;
    if (name == NULL || upcr_mythread != 0)
        return;
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        upcr_die("UPC_RACES_JSON: cannot write %s: %s", name, strerror(errno));
    close(file);
}

/* Appends a line with one write, so that lines of several threads do not mix. */
static void write_json(const struct upcr_text *line)
{
    int error = errno;
    const char *name = upcr_options.races_json;
    int file = open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || write(file, line->bytes, line->length) != (ssize_t)line->length)
        upcr_log("UPC_RACES_JSON: cannot write %s: %s", name, strerror(errno));
    if (file >= 0)
        close(file);
    errno = error;
}

static void add_place(struct upcr_text *text, const struct upcr_race_place *place)
{
    upcr_text_add(text, "\"file\":");
    upcr_race_add_string(text, place->file);
    upcr_text_add(text, ",\"line\":%d,\"function\":", place->line);
    upcr_race_add_string(text, place->function);
}

static void add_path(struct upcr_text *text, const struct upcr_race_site *site)
{
    upcr_text_add(text, ",\"path\":[");
    for (int i = 0; i < site->calls; i++) {
        upcr_text_add(text, i == 0 ? "{" : ",{");
        add_place(text, &site->call[i]);
        upcr_text_add(text, "}");
    }
    upcr_text_add(text, "]");
}

/* ---- Races --------------------------------------------------------------------------------------------------------------- */

/* One of the two accesses. */
struct side {
    int thread;
    bool agent, writes, ordered;
    uint32_t bytes;
    struct upcr_race_site site;
};

/* both: the bytes that the two accesses have in common. */
static struct side side_of(uint64_t cell, uint64_t both)
{
    uint32_t thread = upcr_cell_thread(cell);
    struct side side = {.agent = thread >= (uint32_t)upcr_threads,
                        .writes = upcr_cell_writes(cell),
                        .ordered = upcr_cell_ordered(cell),
                        .bytes = (uint32_t)__builtin_popcountll(both)};
    side.thread = (int)thread - (side.agent ? upcr_threads : 0);
    upcr_race_describe(upcr_cell_site(cell), &side.site);
    return side;
}

static const char *verb(const struct side *side)
{
    return side->writes ? "writes" : "reads";
}

/* The words for what the two accesses lack. */
static const char *missing(const struct side *mine, const struct side *other)
{
    const char *by = mine->agent ? mine->site.library : other->agent ? other->site.library : NULL;
    if (by != NULL && strstr(by, "_all_") != NULL)
        return "a collective function with UPC_IN_NOSYNC or UPC_OUT_NOSYNC touches its data at any time from the last barrier to the next: "
               "put a upc_barrier between them, or give the call flags that synchronize";
    if (by != NULL)
        return "a non-blocking transfer lasts until it is synchronized: call upc_sync or upc_synci before the other access";
    if (mine->ordered || other->ordered)
        return "only one of them is strict or atomic, so it does not order them: make both so, or put a barrier between them";
    if (upcr_is_notified())
        return "between upc_notify and upc_wait nothing is ordered with other threads: move the access in front of upc_notify or behind upc_wait";
    if (upcr_race_holds_lock())
        return "this thread holds a lock, but the other access was made without it: hold the same lock at both";
    return "no barrier, lock, semaphore or strict access orders them: put a upc_barrier between them, hold one lock at both, or use atomic operations";
}

/* Names the bytes: "element 5 of `a` (shared [2] int [10])". */
static void name_object(upcr_pts_t p, struct upcr_text *object, struct upcr_text *element)
{
    int thread = (int)upcr_threadof(p);
    uint64_t offset = upcr_addrfield(p), index;
    const upcr_object *found = offset < upcr_static_bytes() ? upcr_object_at(thread, offset, &index) : NULL;
    struct upcr_extent extent;
    char name[UPCR_NAME_CAPACITY];
    if (found != NULL) {
        upcr_text_add(object, "%s", found->name);
        if (found->count > 1 || found->per_thread)
            upcr_text_add(element, "element %llu of ", (unsigned long long)index);
        upcr_text_add(element, "`%s` (%s)", found->name, found->type);
    } else if (upcr_extent_before(thread, offset, &extent) && offset < extent.high) {
        upcr_extent_name(&extent, name, sizeof name);
        upcr_text_add(object, "%s", name);
        upcr_text_add(element, "byte %llu of %s%s", (unsigned long long)(offset - extent.low), upcr_extent_is_dealt_out(&extent) ? "its part of " : "", name);
    } else {
        upcr_text_add(object, "shared memory");
        upcr_text_add(element, "shared memory");
    }
    upcr_text_add(element, " on thread %d", thread);
}

static void add_calls(struct upcr_text *text, const struct side *side)
{
    upcr_text_add(text, "\n    thread %d %s %u byte%s at ", side->thread, verb(side), side->bytes, side->bytes == 1 ? "" : "s");
    upcr_race_add_place(text, &side->site.place);
    if (side->ordered)
        upcr_text_add(text, ", %s", side->site.library == NULL ? "strict" : "atomic");
    if (side->site.library != NULL)
        upcr_text_add(text, ", by %s", side->site.library);
    for (int i = 0; i < side->site.calls; i++) {
        upcr_text_add(text, i == 0 ? ", called at " : ", at ");
        upcr_race_add_place(text, &side->site.call[i]);
    }
}

static void add_side(struct upcr_text *text, const struct side *side)
{
    upcr_text_add(text, "{\"thread\":%d,\"access\":\"%s\",\"bytes\":%u,", side->thread, side->writes ? "write" : "read", side->bytes);
    upcr_text_add(text, "\"order\":\"%s\",", !side->ordered ? "relaxed" : side->site.library == NULL ? "strict" : "atomic");
    if (side->site.library != NULL)
        upcr_text_add(text, "\"by\":\"%s\",", side->site.library);
    add_place(text, &side->site.place);
    add_path(text, &side->site);
    upcr_text_add(text, "}");
}

static void print_race(upcr_pts_t p, const struct side *mine, const struct side *other)
{
    char parts[5][TEXT_CAPACITY] = {"", "", "", "", ""};
    struct upcr_text object = UPCR_TEXT_IN(parts[0]), element = UPCR_TEXT_IN(parts[1]), message = UPCR_TEXT_IN(parts[2]);
    struct upcr_text place = UPCR_TEXT_IN(parts[3]), line = UPCR_TEXT_IN(parts[4]);
    name_object(p, &object, &element);
    upcr_race_add_place(&place, &mine->site.place);
    upcr_text_add(&message, "data race on %s: this thread %s it, and thread %d %s it at ", element.bytes, verb(mine), other->thread, verb(other));
    upcr_race_add_place(&message, &other->site.place);
    upcr_text_add(&message, "; %s", missing(mine, other));
    if (upcr_options.races_json != NULL) {
        upcr_text_add(&line, "{\"kind\":\"race\",\"message\":");
        upcr_race_add_string(&line, message.bytes);
        upcr_text_add(&line, ",\"object\":");
        upcr_race_add_string(&line, object.bytes);
        upcr_text_add(&line, ",\"element\":");
        upcr_race_add_string(&line, element.bytes);
        upcr_text_add(&line, ",\"accesses\":[");
        add_side(&line, mine);
        upcr_text_add(&line, ",");
        add_side(&line, other);
        upcr_text_add(&line, "]}\n");
        write_json(&line);
    }
    add_calls(&message, mine);
    add_calls(&message, other);
    upcr_report_at(place.bytes, "%s", message.bytes);
}

void upcr_race_report(upcr_pts_t granule, uint64_t mine, uint64_t other)
{
    static uint64_t recent[RECENT];
    uint64_t sites = (uint64_t)upcr_cell_site(mine) << 32 | upcr_cell_site(other), both = (mine & other) >> UPCR_CELL_BYTES;
    uint64_t *last = &recent[(sites ^ sites >> 32) % RECENT];
    if (*last == sites)
        return;
    *last = sites;
    struct side here = side_of(mine, both), there = side_of(other, both);
    uint64_t a = line_number(&here.site.place), b = line_number(&there.site.place);
    reported = true;
    if (claim_pair((a < b ? a : b) * 31 + (a < b ? b : a)))
        print_race(upcr_field(granule, (upcr_size)__builtin_ctzll(both)), &here, &there);
}

/* ---- Locks --------------------------------------------------------------------------------------------------------------- */

void upcr_race_report_locks(const struct upcr_lock_step *steps, int count)
{
    char parts[4][TEXT_CAPACITY] = {"", "", "", ""};
    struct upcr_text message = UPCR_TEXT_IN(parts[0]), place = UPCR_TEXT_IN(parts[1]);
    struct upcr_text line = UPCR_TEXT_IN(parts[2]), accesses = UPCR_TEXT_IN(parts[3]);
    uint64_t lines = 0;
    for (int i = 0; i < count; i++) {
        struct upcr_race_site taken, held;
        upcr_race_describe(steps[i].site, &taken);
        upcr_race_describe(steps[i].held_since, &held);
        lines += line_number(&taken.place);
        if (i == 0)
            upcr_race_add_place(&place, &taken.place);
        upcr_text_add(&message, "\n    thread %d acquires a lock at ", steps[i].thread);
        upcr_race_add_place(&message, &taken.place);
        upcr_text_add(&message, " while it holds the one that it acquired at ");
        upcr_race_add_place(&message, &held.place);
        upcr_text_add(&accesses, "%s{\"thread\":%d,", i == 0 ? "" : ",", steps[i].thread);
        add_place(&accesses, &taken.place);
        add_path(&accesses, &taken);
        upcr_text_add(&accesses, "}");
    }
    reported = true;
    if (!claim_pair(lines))
        return;
    static const char what[] = "locks are acquired in different orders, so threads may wait for one another for ever; acquire them in the same order "
                               "everywhere, or hold one more lock around both";
    if (upcr_options.races_json != NULL) {
        upcr_text_add(&line, "{\"kind\":\"lock-order\",\"message\":");
        upcr_race_add_string(&line, what);
        upcr_text_add(&line, ",\"accesses\":[%s]}\n", accesses.bytes);
        write_json(&line);
    }
    upcr_report_at(place.bytes, "%s%s", what, message.bytes);
}

static void look_for_any(void *data)
{
    bool *any = data;
    const _Atomic uint64_t *pairs = (const _Atomic uint64_t *)(const void *)((char *)upcr_tp_side(0) + pairs_offset);
    for (int i = 0; i < PAIRS && !*any; i++)
        *any = atomic_load_explicit(&pairs[i], memory_order_relaxed) != 0;
}

bool upcr_race_has_reported(bool others_run)
{
    bool any = reported;
    if (any)
        return true;
    if (upcr_tp_side(0) != NULL)
        look_for_any(&any);
    else if (others_run)
        upcr_tp_call(0, look_for_any, &any, sizeof any);
    return any;
}
