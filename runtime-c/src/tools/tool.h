/* What the runtime asks of a tool that it brings itself, and of the adapter for tools of PUPC 1.1. Linked into instrumented programs only. */
#ifndef UPCR_TOOLS_TOOL_H
#define UPCR_TOOLS_TOOL_H

#include <stdarg.h>
#include <stdbool.h>
#include <sys/types.h>

#include <gasp.h>

#include "upcr/inst.h"

/* The place of the event that this pthread is raising; NULL: not known. To be read on entry to notify: UPC calls from there may change it. */
extern UPCR_PTHREAD_LOCAL upcr_site *upcr_inst_site UPCR_HIDDEN;

/* The number of reported accesses that took more than a cache lookup; when the cache last answered one, by upcr_clock_ticks: what happens after
   that is its own event. */
extern upcr_u64 upcr_inst_slow UPCR_HIDDEN;
extern upcr_u64 upcr_inst_answered UPCR_HIDDEN;

/* Whether some unit wants the event, and a tool listens. */
bool upcr_inst_is_wanted(enum upcr_event_index event) UPCR_HIDDEN;

/* Whether accesses raise events where they turn out local, too, in all units. */
bool upcr_inst_reports_local(void) UPCR_HIDDEN;

/* The process that keeps watch over threads, and what it knows of the end of one. */
struct upcr_tool_death {
    pid_t process;
    int signal; /* 0: none */
    int status; /* of an exit */
};

/* init, notify, control and create may make UPC calls. All but init and finish may be called by several pthreads of a thread at once. control, create, rescue and finish may be null: create's tags then come from
   upcr_tool_next_event. */
struct upcr_tool {
    const char *name;
    /* It takes pairs that overlap others: GASP_UPC_NB_GET_DATA and GASP_UPC_NB_PUT_DATA. */
    bool takes_overlaps;
    /* In the launcher, before there are threads. May be null. */
    void (*prepare)(void);
    /* As the functions gasp_...: the same arguments, the same order of calls. */
    gasp_context_t (*init)(int *argc, char ***argv);
    void (*notify)(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments);
    int (*control)(gasp_context_t context, int on);
    unsigned (*create)(gasp_context_t context, const char *name, const char *description);
    /* A read or write by this place of an object of this thread, that the tool has had counted (upcr_inst_skip_counts), will be reported late: takes it
       back. False: it is not among those that were counted. Null of tools that have none counted. */
    bool (*report_late)(upcr_site *site, bool is_write, size_t thread);
    /* Saves what is in memory only. Async-signal-safe: called when this thread or another one dies. signal: the one that ends this thread, 0:
       an error that was reported, or the job ends. */
    void (*rescue)(int signal);
    /* This pthread, not the thread's first, ends. May be null. */
    void (*pthread_ends)(void);
    /* In the launcher: a thread's process has ended, whatever it could do before. May be null. */
    void (*salvage)(const struct upcr_tool_death *death);
    /* The last call: behind the end of GASP_UPC_COLLECTIVE_EXIT, on all threads (`collective`: barriers are in order), and before
       upc_global_exit ends the job. */
    void (*finish)(int status, bool collective);
};

extern const struct upcr_tool upcr_tool_dump;
extern const struct upcr_tool upcr_tool_measure;
extern const struct upcr_tool upcr_tool_pupc;

/* The tool that listens where the user's program brings none: the adapter for PUPC 1.1, or what UPC_TOOL or the link asks for; NULL: none. Exits
   if there is none of that name. Called before there are threads. */
const struct upcr_tool *upcr_tool_choose(void);

/* The next tag of a user event, for any pthread; to run out of them is fatal. */
unsigned upcr_tool_next_event(void);

/* The function that stands in for the callback of a PUPC 1.1 tool. Its file is linked where the program brings none: not in the others. */
extern void (*const upcr_pupc_dummy)(unsigned id, void *place, ...) __attribute__((__weak__)) UPCR_HIDDEN;

/* Whether the program brings a tool of PUPC 1.1, that is, a function pupc_event_notify other than the dummy. */
int upcr_tool_pupc_present(void);

#endif
