/* A tool as users write them: prints the events of thread 0. NO_VA: it has nothing but gasp_event_notify. */
#include "gasp.h"

#include <stdio.h>
#include <stdlib.h>

#include "upcr/upcr.h"

struct _gasp_context_S {
    int on;
};

static struct _gasp_context_S mine = {1};

#ifndef NO_VA
gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv)
{
    /* The job is there, and the arguments can be changed. */
    static char *arguments[3];
    upcr_barrier(0, 0);
    if (model != GASP_MODEL_UPC || *argc < 1 || getenv("PATH") == NULL)
        abort();
    if (*argc > 1 && (*argv)[1][0] == '+') {
        arguments[0] = (*argv)[0];
        arguments[1] = (*argv)[1] + 1;
        *argv = arguments;
    }
    return &mine;
}

int gasp_control(gasp_context_t context, int on)
{
    int last = context->on;
    context->on = on;
    return last;
}
#endif

static void shared(va_list *arguments)
{
    upcr_pts_t *p = va_arg(*arguments, upcr_pts_t *);
    printf(" (%zu,%s)", upcr_threadof(*p), upcr_is_null(*p) ? "null" : "there");
}

static void integer(va_list *arguments)
{
    printf(" %d", va_arg(*arguments, int));
}

/* What is passed, by letters. */
static void print(const char *letters, va_list *arguments)
{
    for (; *letters != '\0'; letters++)
        switch (*letters) {
        case 'i':
            integer(arguments);
            break;
        case 'z':
            printf(" %zu", va_arg(*arguments, size_t));
            break;
        case 'p':
            printf(" %s", va_arg(*arguments, void *) != NULL ? "pointer" : "null");
            break;
        case '*':
            printf(" [%d]", *va_arg(*arguments, int *));
            break;
        case 'o':
            printf(" %lld", (long long)va_arg(*arguments, int64_t));
            break;
        case 's':
            shared(arguments);
            break;
        case 't':
            printf(" '%s'", va_arg(*arguments, char *));
            break;
        case 'd':
            printf(" %g", va_arg(*arguments, double));
            break;
        }
}

#define KIND_INT        'i',
#define KIND_SIZE       'z',
#define KIND_POINTER    'p',
#define KIND_SHARED     's',
#define KIND_LOCK       's',
#define KIND_TEXT       't',
#define KIND_FLAGS      'i',
#define KIND_OPERATION  'i',
#define KIND_REDUCTION  'i',
#define KIND_HANDLE     'p',
#define KIND_FILE_FLAGS 'i',
#define KIND_OFFSET     'o',
#define ARG(kind, name) KIND_##kind
static const struct {
    const char *name;
    unsigned tag;
    char start[9], end[9];
} events[] = {
#define EVENT(index, symbol, tag, group, shape, start, end) {#symbol, tag, {start 0}, {end 0}},
#include "gasp/events.def"
    {"first", GASP_UPC_USEREVT_START, "itd", "itd"},
    {"second", GASP_UPC_USEREVT_START + 1, "", ""},
};

static void print_event(unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list *arguments)
{
    size_t i = 0;
    if (UPCR_MYTHREAD != 0)
        return;
    while (i + 1 < sizeof events / sizeof *events && events[i].tag != tag)
        i++;
    printf("%s:%d:%d %s %c", file != NULL ? file : "-", line, column, events[i].name, "SEA"[type]);
    if (tag == GASP_UPC_PUT)
        print("is*z", arguments);
    else if (tag == GASP_UPC_GET && type == GASP_END)
        print("i*sz", arguments);
    else
        print(type == GASP_END ? events[i].end : events[i].start, arguments);
    printf("\n");
}

#ifdef NO_VA
void gasp_event_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, ...)
{
    va_list arguments;
    (void)context, (void)mine;
    va_start(arguments, column);
    print_event(tag, type, file, line, column, &arguments);
    va_end(arguments);
}
#else
void gasp_event_notifyVA(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments)
{
    va_list copy;
    if (context != &mine)
        abort();
    if (!context->on)
        return;
    va_copy(copy, arguments);
    print_event(tag, type, file, line, column, &copy);
    va_end(copy);
    /* All threads are there still: as TAU uses it. */
    if (tag == GASP_UPC_COLLECTIVE_EXIT && type == GASP_END) {
        upcr_barrier(0, 0);
        upcr_barrier(0, 0);
    }
}

void gasp_event_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, ...)
{
    va_list arguments;
    va_start(arguments, column);
    gasp_event_notifyVA(context, tag, type, file, line, column, arguments);
    va_end(arguments);
}

unsigned gasp_create_event(gasp_context_t context, const char *name, const char *description)
{
    static unsigned next = GASP_UPC_USEREVT_START;
    (void)description;
    if (context != &mine || *name == '\0')
        abort();
    return next++;
}
#endif
