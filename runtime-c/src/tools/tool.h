/* What the runtime asks of a tool that it brings itself, and of the adapter for tools of PUPC 1.1. Linked into instrumented programs only. */
#ifndef UPCR_TOOLS_TOOL_H
#define UPCR_TOOLS_TOOL_H

#include <stdarg.h>

#include <gasp.h>

struct upcr_tool {
    const char *name;
    /* As the functions gasp_...: the same arguments, the same order of calls. */
    gasp_context_t (*init)(int *argc, char ***argv);
    void (*notify)(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments);
    int (*control)(gasp_context_t context, int on);
    unsigned (*create)(gasp_context_t context, const char *name, const char *description);
    /* Saves what is in memory only. Async-signal-safe: called when this thread or another one dies. */
    void (*rescue)(void);
    /* The last call: behind the end of GASP_UPC_COLLECTIVE_EXIT, and before upc_global_exit ends the job. */
    void (*finish)(int status);
};

extern const struct upcr_tool upcr_tool_dump;
extern const struct upcr_tool upcr_tool_measure;
extern const struct upcr_tool upcr_tool_pupc;

/* Whether the program brings a tool of PUPC 1.1, that is, a function pupc_event_notify. */
int upcr_tool_pupc_present(void);

#endif
