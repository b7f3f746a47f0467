#include "runtime.h"

#include <gasp_upc.h>
#include <stdlib.h>
#include <string.h>

#include "tools/events.h"
#include "tools/measure/define.h"
#include "tools/measure/memory.h"
#include "tools/measure/event_site.h"
#include "tools/measure/state.h"
#include "tools/measure/user.h"

enum { MOST_EVENT_SITES = 1 << 18, SITE_BUCKETS = 1 << 10 };

/* Event sites of events that came without a site, by their position: chains through `next`. */
static uint32_t site_buckets[SITE_BUCKETS];

static const struct {
    enum upcr_arg_kind kind;
    enum measure_pass pass;
    enum measure_arg code;
} ways[] = {
    {UPCR_ARG_INT, PASS_INT, ARG_INT},         {UPCR_ARG_SIZE, PASS_WORD, ARG_SIZE},          {UPCR_ARG_POINTER, PASS_WORD, ARG_POINTER},
    {UPCR_ARG_SHARED, PASS_SHARED, ARG_PLACE}, {UPCR_ARG_LOCK, PASS_LOCK, ARG_LOCK},          {UPCR_ARG_TEXT, PASS_TEXT, ARG_TEXT},
    {UPCR_ARG_FLAGS, PASS_INT, ARG_FLAGS},     {UPCR_ARG_OPERATION, PASS_INT, ARG_OPERATION}, {UPCR_ARG_REDUCTION, PASS_INT, ARG_REDUCTION},
    {UPCR_ARG_HANDLE, PASS_WORD, ARG_HANDLE},  {UPCR_ARG_FILE_FLAGS, PASS_INT, ARG_INT},      {UPCR_ARG_OFFSET, PASS_WIDE, ARG_INT},
};

size_t measure_event_site_bytes(void)
{
    return MOST_EVENT_SITES * sizeof(struct measure_event_site);
}

bool measure_event_site_start(void)
{
    measure_run->event_sites = measure_memory_reserve(measure_event_site_bytes());
    measure_run->event_site_count = 1;
    return measure_run->event_sites != NULL;
}

/* ---- Arguments ----------------------------------------------------------------------------------------------------- */

static size_t columns_of(enum measure_pass pass)
{
    return pass == PASS_SHARED ? 3 : pass == PASS_LOCK ? 2 : 1;
}

/* Where an argument is among the columns: what it means for the traffic, by its name in GASP's tables. */
static void note_role(struct measure_event_site *event_site, const struct upcr_arg *arg, size_t column)
{
    static const char *const sizes[] = {"n", "nbytes", "size", "bytes", "nelems"};
    bool is_place = arg->kind == UPCR_ARG_SHARED || arg->kind == UPCR_ARG_LOCK;
    if (arg->kind == UPCR_ARG_SIZE && strcmp(arg->name, "nblocks") == 0)
        event_site->factor = (uint8_t)column;
    if (arg->kind == UPCR_ARG_INT && strcmp(arg->name, "peer") == 0)
        event_site->rank = (uint8_t)column;
    if (arg->kind == UPCR_ARG_REDUCTION)
        event_site->reduction = (uint8_t)column;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (arg->kind == UPCR_ARG_SIZE && strcmp(arg->name, sizes[i]) == 0)
            event_site->bytes = (uint8_t)column;
    if (is_place && strcmp(arg->name, "src") == 0 && event_site->place != MEASURE_NO_COLUMN)
        event_site->from = (uint8_t)column;
    else if (is_place && strcmp(arg->name, "newshrd_ptr") != 0 && strcmp(arg->name, "file") != 0)
        event_site->place = (uint8_t)column;
    /* Collective functions, which have no one peer. */
    if (arg->kind == UPCR_ARG_FLAGS)
        event_site->place = event_site->from = MEASURE_NO_COLUMN;
}

static enum measure_shape shape_of(const struct measure_event_site *event_site)
{
    if (event_site->columns == 0)
        return SHAPE_NONE;
    if (event_site->args > MEASURE_ARGS)
        return SHAPE_WIDE;
    if (event_site->tag == GASP_UPC_GET)
        return SHAPE_GET;
    if (event_site->tag == GASP_UPC_PUT)
        return SHAPE_PUT;
    bool words = MEASURE_HAS_WORDS && event_site->skip == 0 && event_site->args <= MEASURE_WORDS;
    for (size_t i = 0; i < event_site->args; i++)
        words = words && event_site->pass[i] <= PASS_WORD;
    return words ? SHAPE_WORDS : SHAPE_ANY;
}

static bool is_loose(unsigned tag)
{
    return tag == GASP_UPC_NB_GET_DATA || tag == GASP_UPC_NB_PUT_DATA;
}

/* Takes in the arguments of an event of the table, and writes those that records have. */
static void define_known_args(struct measure_event_site *event_site, const struct upcr_event *event)
{
    const struct upcr_arg *args = event_site->side == SIDE_END ? event->end : event->start;
    size_t column = 0;
    /* A function's signature is the type of its event site. */
    for (; event_site->tag != GASP_C_FUNC && args->kind != UPCR_ARG_NONE && event_site->args < MEASURE_ARGS; args++) {
        enum measure_pass pass = ways[args->kind - UPCR_ARG_INT].pass;
        bool skipped = event_site->side == SIDE_END && !is_loose(event_site->tag) && event->start[event_site->args].kind != UPCR_ARG_NONE &&
                       event_site->skip == event_site->args;
        event_site->pass[event_site->args++] = (uint8_t)pass;
        if (skipped) {
            event_site->skip++;
            continue;
        }
        note_role(event_site, args, column);
        column += columns_of(pass);
    }
    event_site->columns = (uint8_t)column;
    measure_define_number(event_site->args - event_site->skip);
}

static enum measure_arg code_of(const struct measure_event_site *event_site, const struct upcr_arg *arg)
{
    bool is_access = event_site->tag == GASP_UPC_GET || event_site->tag == GASP_UPC_PUT;
    return is_access && arg->kind == UPCR_ARG_SHARED ? ARG_ELEMENT : ways[arg->kind - UPCR_ARG_INT].code;
}

static void define_arg(enum measure_arg code, uint32_t name)
{
    measure_define_number(code);
    measure_define_number(name);
}

/* user: NULL where an event of that tag was never created. */
static void define_user_args(struct measure_event_site *event_site, const struct measure_user *user)
{
    event_site->args = event_site->columns = user != NULL ? (uint16_t)user->args : 0;
    measure_define_number(event_site->args);
    for (size_t i = 0; i < event_site->args; i++)
        define_arg((enum measure_arg)user->codes[i], 0);
    for (size_t i = 0; i < event_site->args && i < MEASURE_ARGS; i++)
        event_site->pass[i] = user->pass[i];
}

/* ---- Making event sites ------------------------------------------------------------------------------------------------ */

static uint8_t flags_of(const struct measure_event_site *event_site, const struct upcr_event *event)
{
    unsigned flags = 0;
    if (event_site->tag == GASP_C_FUNC || event_site->tag == GASP_UPC_FORALL || event == NULL)
        flags |= EVENT_SITE_IS_SCOPE;
    if (is_loose(event_site->tag))
        flags |= EVENT_SITE_IS_LOOSE;
    if (event == NULL || event_site->side != SIDE_START)
        return (uint8_t)flags;
    size_t start = 0, end = 0;
    while (event->start[start].kind != UPCR_ARG_NONE)
        start++;
    while (event->end[end].kind != UPCR_ARG_NONE)
        end++;
    if (end <= start && !is_loose(event_site->tag))
        flags |= EVENT_SITE_IS_LEAN;
    return (uint8_t)flags;
}

/* The texts that an entry uses come before it. */
static void define(struct measure_event_site *event_site, const upcr_site *site, const char *signature)
{
    const struct upcr_event *event = upcr_event_of(event_site->tag);
    const char *type = site != NULL && site->type != NULL ? site->type : signature;
    uint32_t texts[] = {measure_text(event != NULL ? event->symbol : NULL), measure_text(event_site->file), measure_text(type),
                        measure_text(site != NULL ? site->name : NULL)};
    uint32_t names[MEASURE_ARGS] = {0};
    const struct upcr_arg *args = event == NULL ? NULL : event_site->side == SIDE_END ? event->end : event->start;
    for (size_t i = 0; args != NULL && i < MEASURE_ARGS && args[i].kind != UPCR_ARG_NONE; i++)
        names[i] = measure_text(args[i].name);
    const struct measure_user *user = event == NULL ? measure_user_event(event_site->tag) : NULL;
    event_site->flags = flags_of(event_site, event);
    measure_define_begin(DEFINE_EVENT_SITE, 10 + 2 * (event != NULL ? MEASURE_ARGS : user != NULL ? user->args : 0));
    measure_define_number(event_site->tag);
    measure_define_number(texts[0]);
    measure_define_number(event_site->side);
    measure_define_number(event_site->flags & EVENT_SITE_IS_LOOSE ? EVENT_SITE_NOT_NESTED : 0);
    measure_define_number(texts[1]);
    measure_define_number(event_site->line);
    measure_define_number(event_site->column);
    measure_define_number(texts[2]);
    measure_define_number(texts[3]);
    if (event != NULL) {
        define_known_args(event_site, event);
        for (size_t i = event_site->skip; i < event_site->args; i++)
            define_arg(code_of(event_site, &args[i]), names[i]);
    } else {
        define_user_args(event_site, user);
    }
    measure_define_end();
    event_site->shape = (uint8_t)shape_of(event_site);
}

static uint32_t *chain_of(upcr_site *site, const char *file, unsigned line, unsigned column)
{
    if (site != NULL)
        return &site->id;
    uintptr_t mixed = ((uintptr_t)file >> 3) * 31 + line * 17u + column;
    return &site_buckets[mixed % SITE_BUCKETS];
}

/* A new one, in the chain of its place; 0: there are too many. */
static uint32_t make_event_site(struct measure_event_site fresh, upcr_site *site, const char *signature, uint32_t *chain)
{
    const uint32_t id = measure_run->event_site_count;
    if (id == MOST_EVENT_SITES)
        return 0;
    struct measure_event_site *event_site = &measure_run->event_sites[id];
    *event_site = fresh;
    event_site->next = *chain;
    event_site->bytes = event_site->factor = event_site->reduction = event_site->place = event_site->from = event_site->rank = MEASURE_NO_COLUMN;
    define(event_site, site, signature);
    /* A rescue in between counts none that is not defined. */
    __atomic_signal_fence(__ATOMIC_RELEASE);
    measure_run->event_site_count++;
    __atomic_store_n(chain, id, __ATOMIC_RELAXED);
    return id;
}

/* Room for what one pthread records of an event site with many arguments. NULL: no memory. */
static struct measure_wide *make_wide(const struct measure_event_site *event_site)
{
    const struct measure_user *user = measure_user_event(event_site->tag);
    struct measure_wide *wide = calloc(1, sizeof *wide + 2 * event_site->columns * sizeof *wide->last);
    if (wide == NULL)
        return NULL;
    wide->pass = user->pass;
    wide->columns = (uint64_t *)(void *)(wide + 1);
    wide->last = wide->columns + event_site->columns;
    return wide;
}

/* This pthread knows the event site from now on. False: no memory. */
static bool take_in(struct measure_state *state, uint32_t id)
{
    struct measure_event_site *event_site = &state->event_sites[id];
    if (id == 0 || event_site->tag != 0)
        return true;
    const struct measure_event_site *known = &measure_run->event_sites[id];
    struct measure_wide *wide = known->shape == SHAPE_WIDE ? make_wide(known) : NULL;
    if (known->shape == SHAPE_WIDE && wide == NULL)
        return false;
    *event_site = *known;
    event_site->wide = wide;
    return true;
}

uint32_t measure_event_site_find(struct measure_state *state, upcr_site *site, unsigned tag, unsigned side, const char *file, unsigned line, unsigned column,
                                 const char *signature)
{
    uint32_t *chain = chain_of(site, file, line, column);
    bool taken = measure_lock();
    uint32_t id = *chain;
    for (; id != 0; id = measure_run->event_sites[id].next) {
        const struct measure_event_site *event_site = &measure_run->event_sites[id];
        bool here = site != NULL || (event_site->file == file && event_site->line == line && event_site->column == column);
        if (here && event_site->tag == tag && event_site->side == side)
            break;
    }
    if (id == 0) {
        const struct measure_event_site fresh = {.tag = tag, .side = (uint8_t)side, .file = file, .line = line, .column = column};
        id = make_event_site(fresh, site, signature, chain);
    }
    if (!take_in(state, id))
        id = 0;
    measure_unlock(taken);
    return id;
}

/* ---- Values -------------------------------------------------------------------------------------------------------- */

void measure_fetch(const struct measure_event_site *event_site, va_list arguments, uint64_t *columns)
{
    const size_t args = event_site->args, skip = event_site->skip;
    const uint8_t *passes = event_site->wide != NULL ? event_site->wide->pass : event_site->pass;
    for (size_t i = 0; i < args; i++) {
        const enum measure_pass pass = (enum measure_pass)passes[i];
        uint64_t value = 0, address = 0, phase = 0;
        /* Most are whole numbers. */
        if (pass <= PASS_WORD) {
            value = pass == PASS_INT        ? (uint64_t)va_arg(arguments, int)
                    : pass == PASS_UNSIGNED ? va_arg(arguments, unsigned)
                    : pass == PASS_LONG     ? (uint64_t)va_arg(arguments, long)
                                            : va_arg(arguments, uintptr_t);
            if (i >= skip)
                *columns++ = value;
            continue;
        }
        switch (pass) {
        case PASS_INT:
        case PASS_UNSIGNED:
        case PASS_LONG:
        case PASS_WORD:
            break;
        case PASS_WIDE:
            value = va_arg(arguments, uint64_t);
            break;
        case PASS_SHARED:
        case PASS_LOCK: {
            const upcr_pts_t *place = va_arg(arguments, void *);
            value = place != NULL ? upcr_threadof(*place) : 0;
            address = place != NULL ? upcr_addrfield(*place) : 0;
            phase = place != NULL ? upcr_phaseof(*place) : 0;
            break;
        }
        case PASS_TEXT:
            value = measure_text(va_arg(arguments, char *));
            break;
        case PASS_DOUBLE: {
            double real = va_arg(arguments, double);
            memcpy(&value, &real, sizeof value);
            break;
        }
        case PASS_LONG_DOUBLE: {
            double real = (double)va_arg(arguments, long double);
            memcpy(&value, &real, sizeof value);
            break;
        }
        }
        if (i < skip)
            continue;
        *columns++ = value;
        if (pass == PASS_SHARED || pass == PASS_LOCK)
            *columns++ = address;
        if (pass == PASS_SHARED)
            *columns++ = phase;
    }
}

uint64_t measure_bytes_of(const struct measure_event_site *event_site, const uint64_t *columns)
{
    /* Of each gasp_upc_reduction_t. */
    static const uint8_t widths[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 16};
    if (event_site->bytes == MEASURE_NO_COLUMN)
        return 0;
    uint64_t bytes = columns[event_site->bytes];
    if (event_site->factor != MEASURE_NO_COLUMN)
        bytes *= columns[event_site->factor];
    if (event_site->reduction != MEASURE_NO_COLUMN && columns[event_site->reduction] < sizeof widths)
        bytes *= widths[columns[event_site->reduction]];
    return bytes;
}

uint32_t measure_peer_of(const struct measure_event_site *event_site, const uint64_t *columns)
{
    if (event_site->rank != MEASURE_NO_COLUMN)
        return (uint32_t)columns[event_site->rank] + 1;
    if (event_site->place == MEASURE_NO_COLUMN)
        return 0;
    uint64_t peer = columns[event_site->place];
    if (peer == (uint64_t)upcr_mythread && event_site->from != MEASURE_NO_COLUMN)
        peer = columns[event_site->from];
    return (uint32_t)peer + 1;
}
