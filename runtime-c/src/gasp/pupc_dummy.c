/* Stands in for the callback of a PUPC 1.1 tool. Instrumented units refer to the callback, so that the linker finds it in a library. */
#include "gasp/gasp_runtime.h"

static void nobody(unsigned id, void *place, ...)
{
    (void)id;
    (void)place;
}

#pragma GCC visibility push(default)
void pupc_event_notify(unsigned id, void *place, ...) __attribute__((__weak__, __alias__("nobody")));
#pragma GCC visibility pop

void (*const upcr_pupc_dummy)(unsigned id, void *place, ...) = nobody;
