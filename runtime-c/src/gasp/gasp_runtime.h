/* Declarations that the files of src/gasp/ share: which tool receives events, and how an event reaches it. */
#ifndef UPCR_GASP_RUNTIME_H
#define UPCR_GASP_RUNTIME_H

#include "runtime.h"

#include <stdarg.h>

#pragma GCC visibility push(default)
#include "gasp.h"
#pragma GCC visibility pop
#include "gasp/hooks.h"
#include "tools/tool.h"
#include "upcr/inst.h"

/* The bundled tool that receives events; NULL if the user's own tool does, or none. */
extern const struct upcr_tool *upcr_bundled UPCR_HIDDEN;

/* The result of the tool's gasp_init on this thread. */
extern gasp_context_t upcr_inst_context UPCR_HIDDEN;

/* The bundled tool's function, or the user's. */
typedef void upcr_notify_function(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments);
extern upcr_notify_function *upcr_inst_notify_tool UPCR_HIDDEN;

/* The type of gasp_event_notify, and a call of such a function with the arguments of a list: words.c. */
typedef void upcr_notify_words(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, ...);
void upcr_inst_pass_words(upcr_notify_words *notify, gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column,
                          va_list arguments) UPCR_HIDDEN;

/* Hands an event to the tool. Pre: upcr_inst_on. tag: of the table or of the user. Inlined into its callers, because each access pays twice
   for the code between it and the tool. */
static inline __attribute__((__always_inline__)) void upcr_inst_deliver(upcr_site *site, unsigned tag, gasp_evttype_t type, va_list arguments)
{
    upcr_inst_site = site;
    if (site != NULL)
        upcr_inst_notify_tool(upcr_inst_context, tag, type, site->file, (int)site->line, (int)site->column, arguments);
    else
        upcr_inst_notify_tool(upcr_inst_context, tag, type, NULL, 0, 0, arguments);
    /* Events that the runtime raises before the end of the operation have this place. The tool itself may have raised events. */
    upcr_inst_site = type == GASP_START ? site : NULL;
}

/* Of struct upcr_events: late_report.c. */
bool upcr_inst_is_late(upcr_size counted, upcr_pts_t place) UPCR_HIDDEN;
void upcr_inst_begin_late(upcr_size counted, upcr_pts_t place, const void *value, size_t n) UPCR_HIDDEN;
void upcr_inst_end_late(upcr_size counted, upcr_pts_t place, const void *value, size_t n) UPCR_HIDDEN;

/* The functions that stand in for those of a tool, linked only where the tool lacks one (dummies.c). */
struct upcr_gasp_dummies {
    gasp_context_t (*init)(gasp_model_t model, int *argc, char ***argv);
    void (*notify)(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, ...);
    void (*notify_va)(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments);
};
extern const struct upcr_gasp_dummies upcr_gasp_dummies __attribute__((__weak__)) UPCR_HIDDEN;

/* Ends all scopes that are open on this pthread: scope.c. */
void upcr_inst_leave_all(void) UPCR_HIDDEN;

/* Returns the first of the site's THREADS places in upcr_inst_skip_counts, which it allocates if necessary; 0: no places are left. skip_counts.c. */
enum { UPCR_MOST_SKIP_COUNTS = 1 << 22 };
upcr_u32 upcr_inst_skip_place(upcr_site *site) UPCR_HIDDEN;

/* Called before the first event of the main pthread, and by each other pthread that holds memory, which is freed when that pthread ends. pthread.c. */
void upcr_inst_pthreads_start(void) UPCR_HIDDEN;
void upcr_inst_pthread_note(void) UPCR_HIDDEN;

/* Ends the scopes that are open on this pthread, and frees their memory: scope.c. */
void upcr_inst_scopes_end(void) UPCR_HIDDEN;

/* Reports GASP_BUPC_STATIC_SHARED for each static shared object: objects.c. */
void upcr_inst_report_objects(void) UPCR_HIDDEN;

/* After this call, a signal that would end the thread first saves the tool's data: rescue.c. */
void upcr_inst_rescue_start(void) UPCR_HIDDEN;
void upcr_inst_rescue(int signal) UPCR_HIDDEN;

/* These enclose the last work of a tool. True: recording has ended, and the caller makes the tool save its data. False: another pthread
   has already done so, or there is nothing to save. */
bool upcr_inst_save_begins(void) UPCR_HIDDEN;
void upcr_inst_save_ends(void) UPCR_HIDDEN;

/* The place at which this pthread has called upc_global_exit; NULL: outside instrumented code. */
extern UPCR_PTHREAD_LOCAL upcr_site *upcr_inst_exit_site UPCR_HIDDEN;

#endif
