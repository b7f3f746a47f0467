/* The functions of a tool, for programs that are linked without a tool, or with one that lacks some of them. They call a bundled tool if
   there is one. They are weak, so that the user's functions take precedence. They are in a file of their own, so that the linker leaves it
   out if the user defines all of them: a function of the program takes precedence over one in a shared library. */
#include "gasp/gasp_runtime.h"

static gasp_context_t init(gasp_model_t model, int *argc, char ***argv);
static void notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, ...);
static void notify_va(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments);
static int control(gasp_context_t context, int on);
static unsigned create_event(gasp_context_t context, const char *name, const char *description);

#define DUMMY(function) __attribute__((__weak__, __alias__(#function)))

gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv) DUMMY(init);
void gasp_event_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, ...) DUMMY(notify);
void gasp_event_notifyVA(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments) DUMMY(notify_va);
int gasp_control(gasp_context_t context, int on) DUMMY(control);
unsigned gasp_create_event(gasp_context_t context, const char *name, const char *description) DUMMY(create_event);

static gasp_context_t init(gasp_model_t model, int *argc, char ***argv)
{
    (void)model;
    return upcr_bundled != NULL ? upcr_bundled->init(argc, argv) : NULL;
}

static void notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, ...)
{
    va_list arguments;
    va_start(arguments, column);
    gasp_event_notifyVA(context, tag, type, file, line, column, arguments);
    va_end(arguments);
}

static void notify_va(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments)
{
    if (gasp_event_notify != notify)
        upcr_inst_pass_words(gasp_event_notify, context, tag, type, file, line, column, arguments);
    else if (upcr_bundled != NULL)
        upcr_bundled->notify(context, tag, type, file, line, column, arguments);
}

static int control(gasp_context_t context, int on)
{
    static int last = 1;
    if (upcr_bundled != NULL && upcr_bundled->control != NULL)
        return upcr_bundled->control(context, on);
    return __atomic_exchange_n(&last, on, __ATOMIC_RELAXED);
}

static unsigned create_event(gasp_context_t context, const char *name, const char *description)
{
    if (upcr_bundled != NULL && upcr_bundled->create != NULL)
        return upcr_bundled->create(context, name, description);
    return upcr_tool_next_event();
}

const struct upcr_gasp_dummies upcr_gasp_dummies = {init, notify, notify_va};
