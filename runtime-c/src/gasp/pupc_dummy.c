/* Stands in for the callback of a PUPC 1.1 tool, which instrumented units refer to in case that one is in a library. */
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
