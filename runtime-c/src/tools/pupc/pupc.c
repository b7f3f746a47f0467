/* The adapter for tools of PUPC 1.1. The runtime calls it as it calls the bundled tools, and it calls a PUPC tool as the PUPC paper specifies. */
#include "runtime.h"

#include <string.h>

#include <gasp_upc.h>

#include "tools/events.h"
#include "tools/tool.h"
#include "upcr/pupc_tool.h"

/* These two functions of the tool may be missing. */
unsigned pupc_create_event(const char *name) __attribute__((__weak__));
void pupc_control(int on) __attribute__((__weak__));

static struct {
    int enabled;
    unsigned created; /* number of events, if the tool does not number them */
} state = {.enabled = 1};

int upcr_tool_pupc_present(void)
{
    return &upcr_pupc_dummy == NULL || (void (*)(void))pupc_event_notify != (void (*)(void))upcr_pupc_dummy;
}

static gasp_context_t pupc_init(int *argc, char ***argv)
{
    pupc_event_notify(PUPC_INIT, NULL, argc, argv);
    return (gasp_context_t)&state;
}

static pupc_location *place(void)
{
    return (pupc_location *)(void *)upcr_inst_site;
}

/* An argument. PUPC passes pointers-to-shared by value, GASP passes their addresses. */
union value {
    int i;
    size_t z;
    void *p;
    upcr_pts_t s;
    int64_t o;
};

enum { MOST_ARGUMENTS = 8 };

/* Reads the arguments of a system event; letters: their kinds as members of the union. */
static void read_arguments(const struct upcr_arg *arg, va_list arguments, union value *values, char *letters)
{
    for (; arg->kind != UPCR_ARG_NONE; arg++, values++, letters++) {
        switch (arg->kind) {
        case UPCR_ARG_NONE:
            break;
        case UPCR_ARG_INT:
        case UPCR_ARG_FLAGS:
        case UPCR_ARG_FILE_FLAGS:
        case UPCR_ARG_OPERATION:
        case UPCR_ARG_REDUCTION:
            values->i = va_arg(arguments, int);
            *letters = 'i';
            break;
        case UPCR_ARG_SIZE:
            values->z = va_arg(arguments, size_t);
            *letters = 'z';
            break;
        case UPCR_ARG_POINTER:
        case UPCR_ARG_TEXT:
        case UPCR_ARG_HANDLE:
            values->p = va_arg(arguments, void *);
            *letters = 'p';
            break;
        case UPCR_ARG_OFFSET: /* of no event of PUPC */
            values->o = va_arg(arguments, int64_t);
            *letters = 'o';
            break;
        case UPCR_ARG_SHARED:
        case UPCR_ARG_LOCK:
            values->s = *va_arg(arguments, upcr_pts_t *);
            *letters = 's';
            break;
        }
    }
    *letters = '\0';
}

static void report_none(unsigned id, pupc_location *at, const union value *v)
{
    (void)v;
    pupc_event_notify(id, at);
}
static void report_i(unsigned id, pupc_location *at, const union value *v)
{
    pupc_event_notify(id, at, v[0].i);
}
static void report_ii(unsigned id, pupc_location *at, const union value *v)
{
    pupc_event_notify(id, at, v[0].i, v[1].i);
}
static void report_z(unsigned id, pupc_location *at, const union value *v)
{
    pupc_event_notify(id, at, v[0].z);
}
static void report_p(unsigned id, pupc_location *at, const union value *v)
{
    pupc_event_notify(id, at, v[0].p);
}
static void report_s(unsigned id, pupc_location *at, const union value *v)
{
    pupc_event_notify(id, at, v[0].s);
}
static void report_ssz(unsigned id, pupc_location *at, const union value *v)
{
    pupc_event_notify(id, at, v[0].s, v[1].s, v[2].z);
}
static void report_psz(unsigned id, pupc_location *at, const union value *v)
{
    pupc_event_notify(id, at, v[0].p, v[1].s, v[2].z);
}
static void report_spz(unsigned id, pupc_location *at, const union value *v)
{
    pupc_event_notify(id, at, v[0].s, v[1].p, v[2].z);
}
static void report_siz(unsigned id, pupc_location *at, const union value *v)
{
    pupc_event_notify(id, at, v[0].s, v[1].i, v[2].z);
}

static const struct {
    const char *letters;
    void (*report)(unsigned id, pupc_location *at, const union value *v);
} signatures[] = {
    {"", report_none}, {"i", report_i},     {"ii", report_ii},   {"z", report_z},     {"p", report_p},
    {"s", report_s},   {"ssz", report_ssz}, {"psz", report_psz}, {"spz", report_spz}, {"siz", report_siz},
};

static void report(unsigned id, pupc_location *at, const char *letters, const union value *values)
{
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (strcmp(signatures[i].letters, letters) == 0)
            signatures[i].report(id, at, values);
}

/* Reports reads and writes: strict and relaxed ones are different events, and the type and name of the accessed object come last. */
static void report_access(unsigned id, const union value *values, const char *letters)
{
    const upcr_site *site = upcr_inst_site;
    const char *type = site == NULL || site->type == NULL ? "" : site->type, *name = site == NULL || site->name == NULL ? "" : site->name;
    if (letters[1] == 'p')
        pupc_event_notify(id, place(), values[1].p, values[2].s, values[3].z, type, name);
    else
        pupc_event_notify(id, place(), values[1].s, values[2].p, values[3].z, type, name);
}

/* Sets the id of a start. False: the event is not in PUPC 1.1. */
static bool find_id(unsigned tag, bool relaxed, unsigned *id)
{
    static const struct {
        unsigned tag, id;
    } ids[] = {
#define PUPC_EVENT(name, id, symbol) {symbol, id},
#include "gasp/events.def"
#undef PUPC_EVENT
        {GASP_UPC_CACHE_MISS, PUPC_CACHE_MISS},
        {GASP_UPC_CACHE_HIT, PUPC_CACHE_HIT},
    };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        if (ids[i].tag != tag)
            continue;
        *id = relaxed ? ids[i + 1].id : ids[i].id;
        return true;
    }
    return false;
}

static void report_system(const struct upcr_event *event, gasp_evttype_t type, va_list arguments)
{
    union value values[MOST_ARGUMENTS];
    char letters[MOST_ARGUMENTS + 1];
    unsigned id;
    bool access = event->tag == GASP_UPC_GET || event->tag == GASP_UPC_PUT;
    /* Ends have the arguments of their starts: only GASP has results. */
    read_arguments(event->start, arguments, values, letters);
    if (event->tag == GASP_UPC_COLLECTIVE_EXIT && type == GASP_START)
        pupc_event_notify(PUPC_GLOBAL_EXIT, NULL, values[0].i);
    if (!find_id(event->tag, access && values[0].i != 0, &id))
        return;
    id += type == GASP_END;
    if (access)
        report_access(id, values, letters);
    else if (event->tag == GASP_UPC_CACHE_MISS)
        pupc_event_notify(id, place(), values[0].z);
    else
        report(id, place(), letters, values);
}

/* The kinds of the arguments after the event's number are known only to the program and the tool. Those that the calling convention passes in
   registers reach the tool: on x86-64 and AArch64, integers and pointers, but not floating-point numbers. */
static void report_user(unsigned id, va_list arguments)
{
    size_t w[4];
#if defined(__x86_64__) || defined(__aarch64__)
    double d[8];
    va_list again;
    va_copy(again, arguments);
    for (int i = 0; i < 8; i++)
        d[i] = va_arg(again, double);
    va_end(again);
#endif
    for (int i = 0; i < 4; i++)
        w[i] = va_arg(arguments, size_t);
#if defined(__x86_64__) || defined(__aarch64__)
    pupc_event_notify(id, place(), w[0], w[1], w[2], w[3], d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]);
#else
    pupc_event_notify(id, place(), w[0], w[1], w[2], w[3]);
#endif
}

static void pupc_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments)
{
    const struct upcr_event *event = upcr_event_of(tag);
    (void)context, (void)file, (void)line, (void)column;
    if (!__atomic_load_n(&state.enabled, __ATOMIC_RELAXED) && pupc_control == NULL)
        return;
    if (event != NULL)
        report_system(event, type, arguments);
    else
        report_user(tag, arguments);
}

/* The tool itself ignores events that it does not need. A tool without this function receives no events. */
static int pupc_switch(gasp_context_t context, int on)
{
    (void)context;
    int before = __atomic_exchange_n(&state.enabled, on != 0, __ATOMIC_RELAXED);
    if (pupc_control != NULL)
        pupc_control(on);
    return before;
}

static unsigned pupc_create(gasp_context_t context, const char *name, const char *description)
{
    (void)context, (void)description;
    unsigned id = pupc_create_event != NULL ? pupc_create_event(name) : PUPC_USER_FIRST + __atomic_fetch_add(&state.created, 1, __ATOMIC_RELAXED);
    if (id < PUPC_USER_FIRST)
        upcr_die("the tool's pupc_create_event gave \"%s\" the id 0x%08X: the ids of user events begin with 0x%08X", name, id, PUPC_USER_FIRST);
    return id;
}

const struct upcr_tool upcr_tool_pupc = {
    .name = "pupc",
    .init = pupc_init,
    .notify = pupc_notify,
    .control = pupc_switch,
    .create = pupc_create,
};
