/* A GASP tool in a shared library, loaded when the program starts. */
#include "runtime.h"

#include <dlfcn.h>
#include <string.h>

#include "gasp/gasp_runtime.h"
#include "tools/tool.h"

/* Weak: glibc before 2.34 keeps these functions in a library of its own, which the program may not be linked with. */
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlerror

static gasp_context_t (*library_init)(gasp_model_t model, int *argc, char ***argv);
static upcr_notify_words *library_notify;

static gasp_context_t init_library(int *argc, char ***argv)
{
    return library_init != NULL ? library_init(GASP_MODEL_UPC, argc, argv) : NULL;
}

static void notify_library(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments)
{
    upcr_inst_pass_words(library_notify, context, tag, type, file, line, column, arguments);
}

static struct upcr_tool library = {.init = init_library};

bool upcr_tool_is_library(const char *word)
{
    return strchr(word, '/') != NULL || strstr(word, ".so") != NULL;
}

/* The result of dlsym as a pointer to a function, which ISO C does not convert. */
static void function_of(void *handle, const char *name, void *function)
{
    void *found = dlsym(handle, name);
    memcpy(function, &found, sizeof found);
}

const struct upcr_tool *upcr_tool_load(const char *file)
{
    if (dlopen == NULL || dlsym == NULL || dlerror == NULL)
        upcr_fatal("UPC_TOOL: this program cannot load '%s': link it with -ldl", file);
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        upcr_fatal("UPC_TOOL: %s", dlerror());
    function_of(handle, "gasp_init", &library_init);
    function_of(handle, "gasp_event_notify", &library_notify);
    function_of(handle, "gasp_event_notifyVA", &library.notify);
    function_of(handle, "gasp_control", &library.control);
    function_of(handle, "gasp_create_event", &library.create);
    if (library.notify == NULL && library_notify == NULL)
        upcr_fatal("UPC_TOOL: '%s' is not a GASP tool: it defines neither gasp_event_notifyVA nor gasp_event_notify", file);
    if (library.notify == NULL)
        library.notify = notify_library;
    library.name = file;
    return &library;
}
