#include "runtime.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "child.h"
#include "crash.h"
#include "debug.h"
#include "gasp/hooks.h"
#include "libc.h"
#include "options.h"
#include "output.h"
#include "transport/transport.h"

enum { STACK_BYTES = 128 << 10, NEAR_STACK = 64 << 10 };

static const int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

/* Returns whether a fault is a stack overflow: memory around the stack pointer is accessible unless the stack cannot
   grow further. */
static bool is_stack_overflow(uintptr_t address, const ucontext_t *context)
{
#if defined(__x86_64__)
    uintptr_t stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    uintptr_t stack = (uintptr_t)context->uc_mcontext.sp;
#else
    (void)context;
    uintptr_t stack = 0;
#endif
    return stack != 0 && address - (stack - NEAR_STACK) < 2 * NEAR_STACK;
}

static void freeze(int signal, uintptr_t address)
{
    char what[64];
    snprintf(what, sizeof what, "SIG%s at address 0x%lx", upcr_signal_name(signal), (unsigned long)address);
    upcr_freeze_error(what);
}

/* Handles a fatal signal. The default action is in force again (SA_RESETHAND): returning executes the faulting
   instruction again, which ends the thread with the right signal and, where enabled, a core file that shows the
   fault. A signal that was sent is sent again; abort does that itself. Walking a broken stack may fault inside this
   function, which ends the thread in the same way, with the crash already recorded. */
static void on_crash(int signal, siginfo_t *info, void *context)
{
    uintptr_t address = (uintptr_t)info->si_addr;
    struct upcr_crash crash = {
        .signal = signal,
        .code = info->si_code,
        .address = address,
        .stack = signal == SIGSEGV && is_stack_overflow(address, context),
    };
    if (!upcr_is_child) {
        upcr_tp_note_crash(&crash);
        upcr_trace_take(upcr_tp_my_stack(), context);
        upcr_output_rescue();
        if (upcr_has_events())
            upcr_events.rescue(signal);
    }
    if (upcr_options.freeze_on_error)
        freeze(signal, address);
    if (info->si_code <= 0 && signal != SIGABRT)
        raise(signal);
}

void upcr_crash_watch(void)
{
    /* A separate stack, so that a stack overflow is reported too. */
    static char stack[STACK_BYTES];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action;
    sigaltstack(&alternate, NULL);
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND;
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
        sigaction(watched[i], &action, NULL);
}
