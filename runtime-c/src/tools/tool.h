/* The interface between the runtime and a bundled tool, or the adapter for tools of PUPC 1.1. Linked into instrumented programs only. */
#ifndef UPCR_TOOLS_TOOL_H
#define UPCR_TOOLS_TOOL_H

#include <stdarg.h>
#include <stdbool.h>
#include <sys/types.h>

#include <gasp.h>

#include "upcr/inst.h"

/* The place of the event that this pthread is raising; NULL: unknown. Read it on entry to notify, because UPC calls from there may change it. */
extern UPCR_PTHREAD_LOCAL upcr_site *upcr_inst_site UPCR_HIDDEN;

/* The number of reported accesses that took more than a cache lookup, and the time, in upcr_clock_ticks, at which the cache last answered one:
   after that time the event of the cache itself is raised. */
extern upcr_u64 upcr_inst_slow UPCR_HIDDEN;
extern upcr_u64 upcr_inst_answered UPCR_HIDDEN;

/* Returns whether a unit requests the event and a tool receives events. */
bool upcr_inst_is_wanted(enum upcr_event_index event) UPCR_HIDDEN;

/* Returns whether all units report accesses that turn out to be local. */
bool upcr_inst_reports_local(void) UPCR_HIDDEN;

/* Returns the loops around the sites of all units, and their number; those of a header may come several times, and some have the kind 0. */
const upcr_inst_loop *upcr_inst_all_loops(size_t *count) UPCR_HIDDEN;

/* The same for what the compiler does with references; some have no file. */
const upcr_inst_reference *upcr_inst_all_references(size_t *count) UPCR_HIDDEN;

/* What the launcher knows about the end of a thread. */
struct upcr_tool_death {
    pid_t process;
    int signal; /* 0: none */
    int status; /* of an exit */
};

/* init, notify, control and create may make UPC calls. Several pthreads of a thread may call all but init and finish at once. control, create,
   rescue and finish may be null; without create the tags come from upcr_tool_next_event. */
struct upcr_tool {
    const char *name;
    /* The tool accepts pairs that overlap others: GASP_UPC_NB_GET_DATA and GASP_UPC_NB_PUT_DATA. */
    bool takes_overlaps;
    /* Called in the launcher before the threads are started. May be null. */
    void (*prepare)(void);
    /* Like the functions gasp_...: the same arguments, the same order of calls. */
    gasp_context_t (*init)(int *argc, char ***argv);
    void (*notify)(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments);
    int (*control)(gasp_context_t context, int on);
    unsigned (*create)(gasp_context_t context, const char *name, const char *description);
    /* An access at this place, to an object of this thread, that was counted for the tool (upcr_inst_skip_counts) will be reported late: subtracts it
       from the count. False: it is not among the counted ones. Null for tools that request no counts. */
    bool (*report_late)(upcr_site *site, bool is_write, size_t thread);
    /* Saves the data that is only in memory. Async-signal-safe: called when this thread or another one ends abnormally. signal: the one that ends
       this thread; 0: an error that was reported, or the end of the job. */
    void (*rescue)(int signal);
    /* Called when a pthread other than the thread's first ends. May be null. */
    void (*pthread_ends)(void);
    /* Called in the launcher when a thread's process has ended in any way. May be null. */
    void (*salvage)(const struct upcr_tool_death *death);
    /* Called in a process that the launcher has forked, while the threads run: shows the process `asker` what the tool has so far. May be null. */
    void (*look)(pid_t asker);
    /* The last call: on all threads after the end of GASP_UPC_COLLECTIVE_EXIT (`collective`: the function may execute barriers), and before
       upc_global_exit ends the job. */
    void (*finish)(int status, bool collective);
};

extern const struct upcr_tool upcr_tool_dump;
extern const struct upcr_tool upcr_tool_measure;
extern const struct upcr_tool upcr_tool_pupc;

/* Returns the tool that receives events if the user's program has none: the adapter for PUPC 1.1, or the tool that UPC_TOOL or the link names;
   NULL: none. Ends the program if no tool has that name. Called before the threads are started. */
const struct upcr_tool *upcr_tool_choose(void);

/* Returns whether a word of UPC_TOOL names a shared library: it has a `/` or `.so` in it. */
bool upcr_tool_is_library(const char *word);

/* Returns the GASP tool of a shared library. Ends the program if there is none. library.c. */
const struct upcr_tool *upcr_tool_load(const char *file);

/* Returns the next tag of a user event, for any pthread. It is a fatal error if no tag is left. */
unsigned upcr_tool_next_event(void);

/* The function that stands in for the callback of a PUPC 1.1 tool. Its file is linked only if the program has none. */
extern void (*const upcr_pupc_dummy)(unsigned id, void *place, ...) __attribute__((__weak__)) UPCR_HIDDEN;

/* Returns whether the program has a tool of PUPC 1.1, that is, a function pupc_event_notify other than the dummy. */
int upcr_tool_pupc_present(void);

#endif
