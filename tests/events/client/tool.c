/* A GASP tool as users write them, for any system that has GASP: the C side. It knows the events by their symbols alone, and the arguments from
   the tables of GASP 1.5. One line an event: FILE:LINE:COLUMN SYMBOL TYPE ARGUMENTS. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gasp.h>
#include <gasp_upc.h>

#include "upcalls.h"

#pragma pupc off

struct _gasp_context_S {
    gasp_model_t model;
    int mythread, threads;
    int upcalling, enabled, users;
    tool_ticks start;
    FILE *out;
    struct {
        char *name, *format;
    } user[10];
};

/* Events raised meanwhile are dropped. */
#define UPCALL(context, call)                                                                                                          \
    do {                                                                                                                               \
        assert(!(context)->upcalling);                                                                                                 \
        (context)->upcalling = 1;                                                                                                      \
        call;                                                                                                                          \
        (context)->upcalling = 0;                                                                                                      \
    } while (0)

struct row {
    unsigned tag;
    const char *symbol, *start, *end;
};

/* i int, z size_t, p pointer, v pointer to what has n bytes (later), P pointer-to-shared, K lock, F flags, O operation, R reduction, s text, h handle */
static const struct row rows[] = {
#ifdef GASP_C_FUNC
    {GASP_C_FUNC, "C_FUNC", "s", "s"},
#endif
#ifdef GASP_C_MALLOC
    {GASP_C_MALLOC, "C_MALLOC", "z", "zp"},
#endif
#ifdef GASP_C_REALLOC
    {GASP_C_REALLOC, "C_REALLOC", "pz", "pzp"},
#endif
#ifdef GASP_C_FREE
    {GASP_C_FREE, "C_FREE", "p", "p"},
#endif
#ifdef GASP_UPC_COLLECTIVE_EXIT
    {GASP_UPC_COLLECTIVE_EXIT, "COLLECTIVE_EXIT", "i", "i"},
#endif
#ifdef GASP_UPC_NONCOLLECTIVE_EXIT
    {GASP_UPC_NONCOLLECTIVE_EXIT, "NONCOLLECTIVE_EXIT", "i", "i"},
#endif
#ifdef GASP_UPC_NOTIFY
    {GASP_UPC_NOTIFY, "NOTIFY", "ii", "ii"},
#endif
#ifdef GASP_UPC_WAIT
    {GASP_UPC_WAIT, "WAIT", "ii", "ii"},
#endif
#ifdef GASP_UPC_BARRIER
    {GASP_UPC_BARRIER, "BARRIER", "ii", "ii"},
#endif
#ifdef GASP_UPC_FENCE
    {GASP_UPC_FENCE, "FENCE", "", ""},
#endif
#ifdef GASP_UPC_FORALL
    {GASP_UPC_FORALL, "FORALL", "", ""},
#endif
#ifdef GASP_UPC_GLOBAL_ALLOC
    {GASP_UPC_GLOBAL_ALLOC, "GLOBAL_ALLOC", "zz", "zzP"},
#endif
#ifdef GASP_UPC_ALL_ALLOC
    {GASP_UPC_ALL_ALLOC, "ALL_ALLOC", "zz", "zzP"},
#endif
#ifdef GASP_UPC_ALLOC
    {GASP_UPC_ALLOC, "ALLOC", "z", "zP"},
#endif
#ifdef GASP_UPC_FREE
    {GASP_UPC_FREE, "FREE", "P", "P"},
#endif
#ifdef GASP_UPC_GLOBAL_LOCK_ALLOC
    {GASP_UPC_GLOBAL_LOCK_ALLOC, "GLOBAL_LOCK_ALLOC", "", "K"},
#endif
#ifdef GASP_UPC_ALL_LOCK_ALLOC
    {GASP_UPC_ALL_LOCK_ALLOC, "ALL_LOCK_ALLOC", "", "K"},
#endif
#ifdef GASP_UPC_LOCK_FREE
    {GASP_UPC_LOCK_FREE, "LOCK_FREE", "K", "K"},
#endif
#ifdef GASP_UPC_LOCK
    {GASP_UPC_LOCK, "LOCK", "K", "K"},
#endif
#ifdef GASP_UPC_LOCK_ATTEMPT
    {GASP_UPC_LOCK_ATTEMPT, "LOCK_ATTEMPT", "K", "Ki"},
#endif
#ifdef GASP_UPC_UNLOCK
    {GASP_UPC_UNLOCK, "UNLOCK", "K", "K"},
#endif
#ifdef GASP_UPC_MEMCPY
    {GASP_UPC_MEMCPY, "MEMCPY", "PPz", "PPz"},
#endif
#ifdef GASP_UPC_MEMGET
    {GASP_UPC_MEMGET, "MEMGET", "pPz", "vPz"},
#endif
#ifdef GASP_UPC_MEMPUT
    {GASP_UPC_MEMPUT, "MEMPUT", "Pvz", "Pvz"},
#endif
#ifdef GASP_UPC_MEMSET
    {GASP_UPC_MEMSET, "MEMSET", "Piz", "Piz"},
#endif
#ifdef GASP_UPC_GET
    {GASP_UPC_GET, "GET", "ipPz", "ivPz"},
#endif
#ifdef GASP_UPC_PUT
    {GASP_UPC_PUT, "PUT", "iPvz", "iPvz"},
#endif
#ifdef GASP_UPC_NB_GET_INIT
    {GASP_UPC_NB_GET_INIT, "NB_GET_INIT", "ipPz", "ipPzh"},
#endif
#ifdef GASP_UPC_NB_PUT_INIT
    {GASP_UPC_NB_PUT_INIT, "NB_PUT_INIT", "iPpz", "iPpzh"},
#endif
#ifdef GASP_UPC_NB_GET_DATA
    {GASP_UPC_NB_GET_DATA, "NB_GET_DATA", "h", "h"},
#endif
#ifdef GASP_UPC_NB_PUT_DATA
    {GASP_UPC_NB_PUT_DATA, "NB_PUT_DATA", "h", "h"},
#endif
#ifdef GASP_UPC_NB_SYNC
    {GASP_UPC_NB_SYNC, "NB_SYNC", "h", "h"},
#endif
#ifdef GASP_UPC_CACHE_MISS
    {GASP_UPC_CACHE_MISS, "CACHE_MISS", "zz", ""},
#endif
#ifdef GASP_UPC_CACHE_HIT
    {GASP_UPC_CACHE_HIT, "CACHE_HIT", "z", ""},
#endif
#ifdef GASP_UPC_CACHE_INVALIDATE
    {GASP_UPC_CACHE_INVALIDATE, "CACHE_INVALIDATE", "z", ""},
#endif
#ifdef GASP_UPC_ALL_BROADCAST
    {GASP_UPC_ALL_BROADCAST, "ALL_BROADCAST", "PPzF", "PPzF"},
#endif
#ifdef GASP_UPC_ALL_SCATTER
    {GASP_UPC_ALL_SCATTER, "ALL_SCATTER", "PPzF", "PPzF"},
#endif
#ifdef GASP_UPC_ALL_GATHER
    {GASP_UPC_ALL_GATHER, "ALL_GATHER", "PPzF", "PPzF"},
#endif
#ifdef GASP_UPC_ALL_GATHER_ALL
    {GASP_UPC_ALL_GATHER_ALL, "ALL_GATHER_ALL", "PPzF", "PPzF"},
#endif
#ifdef GASP_UPC_ALL_EXCHANGE
    {GASP_UPC_ALL_EXCHANGE, "ALL_EXCHANGE", "PPzF", "PPzF"},
#endif
#ifdef GASP_UPC_ALL_PERMUTE
    {GASP_UPC_ALL_PERMUTE, "ALL_PERMUTE", "PPPzF", "PPPzF"},
#endif
#ifdef GASP_UPC_ALL_REDUCE
    {GASP_UPC_ALL_REDUCE, "ALL_REDUCE", "PPOzzpFR", "PPOzzpFR"},
#endif
#ifdef GASP_UPC_ALL_PREFIX_REDUCE
    {GASP_UPC_ALL_PREFIX_REDUCE, "ALL_PREFIX_REDUCE", "PPOzzpFR", "PPOzzpFR"},
#endif
#ifdef GASP_BUPC_STATIC_SHARED
    {GASP_BUPC_STATIC_SHARED, "STATIC_SHARED", "zzPpzss", ""},
#endif
    {GASP_UPC_EVT_NONE, "NONE", "", ""},
};

/* The tags are constants: a tool may switch on them. */
static int moves_data(unsigned tag)
{
    switch (tag) {
    case GASP_UPC_GET:
    case GASP_UPC_PUT:
    case GASP_UPC_MEMGET:
    case GASP_UPC_MEMPUT:
        return 1;
    default:
        return 0;
    }
}

static const char *reduction(int type)
{
    switch (type) {
    case GASP_UPC_REDUCTION_C: return "C";
    case GASP_UPC_REDUCTION_UC: return "UC";
    case GASP_UPC_REDUCTION_S: return "S";
    case GASP_UPC_REDUCTION_US: return "US";
    case GASP_UPC_REDUCTION_I: return "I";
    case GASP_UPC_REDUCTION_UI: return "UI";
    case GASP_UPC_REDUCTION_L: return "L";
    case GASP_UPC_REDUCTION_UL: return "UL";
    case GASP_UPC_REDUCTION_F: return "F";
    case GASP_UPC_REDUCTION_D: return "D";
    case GASP_UPC_REDUCTION_LD: return "LD";
    default: return "?";
    }
}

gasp_context_t gasp_init(gasp_model_t srcmodel, int *argc, char ***argv)
{
    const char *name = NULL;
    char path[1000];
    gasp_context_t context = calloc(1, sizeof *context);
    assert(context->model == GASP_MODEL_UPC && srcmodel == GASP_MODEL_UPC && GASP_LANG_UPC == 0);
    assert(GASP_VERSION == 20060914 && argc && *argc > 0 && argv && *argv && (*argv)[0]);
    context->enabled = 1;
    gaspu_init(&context->mythread, &context->threads);
    UPCALL(context, gaspu_ticks_now(&context->start));
    UPCALL(context, gaspu_getenv("TOOL_OUTPUT", &name));
    assert(name);
    sprintf(path, "%s.%d", name, context->mythread);
    context->out = fopen(path, "w");
    assert(context->out);
    /* Everybody is here, and the runtime works. */
    UPCALL(context, gaspu_barrier());
    return context;
}

static void print_argument(gasp_context_t context, int kind, va_list *list, const int **value)
{
    char text[200] = "?";
    void *p;
    switch (kind) {
    case 'i': fprintf(context->out, " %d", va_arg(*list, int)); break;
    case 'z':
        /* The value goes with its size. */
        fprintf(context->out, " %zu", va_arg(*list, size_t));
        break;
    case 'p': fprintf(context->out, va_arg(*list, void *) ? " *" : " null"); break;
    case 'v':
        *value = va_arg(*list, int *);
        break;
    case 's': fprintf(context->out, " %s", va_arg(*list, char *)); break;
    case 'P':
        p = va_arg(*list, gasp_upc_PTS_t *);
        UPCALL(context, gaspu_dump_shared(p, text, sizeof text));
        fprintf(context->out, " %s", text);
        break;
    case 'K':
        p = va_arg(*list, gasp_upc_lock_t *);
        UPCALL(context, gaspu_dump_shared(p, text, sizeof text));
        fprintf(context->out, " lock %s", text);
        break;
    case 'F':
        UPCALL(context, gaspu_flags_to_string(va_arg(*list, int), text, sizeof text));
        fprintf(context->out, " %s", text);
        break;
    case 'O':
        UPCALL(context, gaspu_op_to_string(va_arg(*list, int), text, sizeof text));
        fprintf(context->out, " %s", text);
        break;
    case 'R': fprintf(context->out, " %s", reduction(va_arg(*list, gasp_upc_reduction_t))); break;
    case 'h':
        fprintf(context->out, va_arg(*list, gasp_upc_nb_handle_t) == GASP_UPC_NB_TRIVIAL ? " trivial" : " handle");
        break;
    }
}

static void finish(gasp_context_t context)
{
    double seconds = -1;
    tool_ticks now;
    UPCALL(context, gaspu_barrier());
    UPCALL(context, gaspu_ticks_now(&now));
    UPCALL(context, gaspu_ticks_to_sec(now - context->start, &seconds));
    assert(seconds > 0 && seconds < 1000);
    fprintf(context->out, "complete\n");
    fclose(context->out);
    context->enabled = 0;
    UPCALL(context, gaspu_barrier());
    if (context->mythread == 0)
        printf("tool: all threads are complete\n");
}

void gasp_event_notifyVA(gasp_context_t context, unsigned int evttag, gasp_evttype_t evttype, const char *filename, int linenum,
                         int colnum, va_list varargs)
{
    const struct row *row = rows;
    const int *value = NULL;
    const char *kinds, *slash;
    va_list list;
    if (!context->enabled || context->upcalling)
        return;
    slash = filename ? strrchr(filename, '/') : NULL;
    fprintf(context->out, "%s:%d:%d ", slash ? slash + 1 : filename ? filename : "?", linenum, colnum);
    while (row->tag != evttag && row->tag != GASP_UPC_EVT_NONE)
        row++;
    if (row->tag == GASP_UPC_EVT_NONE) {
        assert(evttag >= GASP_UPC_USEREVT_START && evttag < GASP_UPC_USEREVT_START + (unsigned)context->users);
        evttag -= GASP_UPC_USEREVT_START;
        fprintf(context->out, "%s %d ", context->user[evttag].name, (int)evttype);
        vfprintf(context->out, context->user[evttag].format, varargs);
        fprintf(context->out, "\n");
        return;
    }
    va_copy(list, varargs);
    fprintf(context->out, "%s %s", row->symbol, evttype == GASP_START ? "START" : evttype == GASP_END ? "END" : "ATOMIC");
    for (kinds = evttype == GASP_END ? row->end : row->start; *kinds; kinds++)
        print_argument(context, *kinds, &list, &value);
    va_end(list);
    if (value && moves_data(evttag))
        fprintf(context->out, " = %d", *value);
    fprintf(context->out, "\n");
    if (evttag == GASP_UPC_COLLECTIVE_EXIT && evttype == GASP_END)
        finish(context);
}

void gasp_event_notify(gasp_context_t context, unsigned int evttag, gasp_evttype_t evttype, const char *filename, int linenum, int colnum, ...)
{
    va_list varargs;
    va_start(varargs, colnum);
    gasp_event_notifyVA(context, evttag, evttype, filename, linenum, colnum, varargs);
    va_end(varargs);
}

int gasp_control(gasp_context_t context, int on)
{
    int before = context->enabled;
    context->enabled = on != 0;
    return before;
}

unsigned int gasp_create_event(gasp_context_t context, const char *name, const char *desc)
{
    assert(context->users < 10);
    context->user[context->users].name = strdup(name);
    context->user[context->users].format = strdup(desc ? desc : "");
    return GASP_UPC_USEREVT_START + context->users++;
}
