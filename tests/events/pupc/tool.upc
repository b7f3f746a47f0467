/* A tool of PUPC 1.1, written in UPC: a line an event, FILE:LINE:COLUMN ID ARGUMENTS. Compiled without instrumentation. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc.h>

#include "pupc.h"

static FILE *out;
static unsigned int created;
static int dropped;

unsigned int pupc_create_event(const char *name)
{
    fprintf(out, "created \"%s\"\n", name);
    return 0xC0000000u + created++;
}

void pupc_control(int on)
{
    dropped = !on;
}

static void print_shared(shared const void *p)
{
    fprintf(out, " <%d:%d>", (int)upc_threadof((shared void *)p), (int)upc_phaseof((shared void *)p));
}

/* util is ours: the first event of a place gives it a number. */
static int number(struct pupc_location *loc)
{
    static int last;
    if (loc->util == NULL)
        loc->util = malloc(sizeof(int)), *(int *)loc->util = ++last;
    return *(int *)loc->util;
}

void pupc_event_notify(unsigned int event_id, pupc_location *loc, ...)
{
    va_list list;
    char path[1000];
    const char *slash;
    int *argc, named;
    va_start(list, loc);
    if (event_id == PUPC_INIT) {
        snprintf(path, sizeof path, "%s.%d", getenv("TOOL_OUTPUT"), MYTHREAD);
        out = fopen(path, "w");
        argc = va_arg(list, int *);
        fprintf(out, "PUPC_INIT %s %d\n", loc ? "somewhere" : "nowhere", *argc);
        va_end(list);
        return;
    }
    if (dropped)
        return;
    if (loc == NULL)
        fprintf(out, "NULL ");
    else {
        slash = strrchr(loc->source_file, '/');
        fprintf(out, "#%d %s:%u:%u ", number(loc), slash ? slash + 1 : loc->source_file, loc->start_line, loc->start_col);
    }
    switch (event_id) {
    case PUPC_GLOBAL_EXIT:
        fprintf(out, "PUPC_GLOBAL_EXIT %d\n", va_arg(list, int));
        fflush(out);
        break;
    case PUPC_FENCE_START:
    case PUPC_FENCE_END:
        fprintf(out, "PUPC_FENCE %u\n", event_id & 1);
        break;
    case PUPC_FORALL_START:
    case PUPC_FORALL_END:
        fprintf(out, "PUPC_FORALL %u\n", event_id & 1);
        break;
    case PUPC_BARRIER_START:
    case PUPC_BARRIER_END:
        named = va_arg(list, int);
        fprintf(out, "PUPC_BARRIER %u %d %d\n", event_id & 1, named, va_arg(list, int));
        break;
    case PUPC_USERFN_START:
    case PUPC_USERFN_END:
        fprintf(out, "PUPC_USERFN %u %s\n", event_id & 1, va_arg(list, const char *));
        break;
    case PUPC_ALL_LOCK_ALLOC_START:
    case PUPC_ALL_LOCK_ALLOC_END:
        fprintf(out, "PUPC_ALL_LOCK_ALLOC %u\n", event_id & 1);
        break;
    case PUPC_LOCK_START:
    case PUPC_LOCK_END:
        fprintf(out, "PUPC_LOCK %u", event_id & 1);
        print_shared(va_arg(list, upc_lock_t *));
        fprintf(out, "\n");
        break;
    case PUPC_MEMPUT_START:
    case PUPC_MEMPUT_END: {
        shared void *dst = va_arg(list, shared void *);
        int *src = va_arg(list, void *);
        fprintf(out, "PUPC_MEMPUT %u", event_id & 1);
        print_shared(dst);
        fprintf(out, " %d %zu\n", *src, va_arg(list, size_t));
        break;
    }
    case PUPC_STRICT_PUT_START:
    case PUPC_STRICT_PUT_END:
    case PUPC_RELAXED_PUT_START:
    case PUPC_RELAXED_PUT_END: {
        shared void *dst = va_arg(list, shared void *);
        int *src = va_arg(list, void *);
        size_t n = va_arg(list, size_t);
        const char *type = va_arg(list, const char *);
        fprintf(out, "PUPC_%s_PUT %u", event_id & 2 ? "RELAXED" : "STRICT", event_id & 1);
        print_shared(dst);
        fprintf(out, " %d %zu \"%s\" \"%s\"\n", *src, n, type, va_arg(list, const char *));
        break;
    }
    case PUPC_STRICT_GET_START:
    case PUPC_STRICT_GET_END:
    case PUPC_RELAXED_GET_START:
    case PUPC_RELAXED_GET_END: {
        int *dst = va_arg(list, void *);
        shared void *src = va_arg(list, shared void *);
        size_t n = va_arg(list, size_t);
        const char *type = va_arg(list, const char *);
        fprintf(out, "PUPC_%s_GET %u", event_id & 2 ? "RELAXED" : "STRICT", event_id & 1);
        print_shared(src);
        fprintf(out, " %d %zu \"%s\" \"%s\"\n", event_id & 1 ? *dst : 0, n, type, va_arg(list, const char *));
        break;
    }
    default:
        if (event_id >= 0xC0000000u) {
            named = va_arg(list, int);
            fprintf(out, "%08X %d %g\n", event_id, named, va_arg(list, double));
        }
        /* Ids that are not known are left alone. */
        else
            fprintf(out, "other %08X\n", event_id);
    }
    va_end(list);
}
