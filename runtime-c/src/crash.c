#include "runtime.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "crash.h"
#include "transport/transport.h"

enum { STACK_BYTES = 16 << 10 };

static const int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

/* The default action is back in force (SA_RESETHAND): returning executes the faulting instruction again, which ends the thread with
   the right signal and, where enabled, a core file that shows the fault. A signal that was sent is sent again. */
static void on_crash(int signal, siginfo_t *info, void *context)
{
    (void)context;
    upcr_tp_note_crash(signal, (uintptr_t)info->si_addr);
    if (info->si_code <= 0)
        raise(signal);
}

void upcr_crash_watch(void)
{
    /* A stack of its own, so that running out of stack is reported too. */
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
