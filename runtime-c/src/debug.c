#include "runtime.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "debug.h"
#include "options.h"

extern volatile int upcr_freeze;

/* 1 while this process waits; a debugger sets it to 0. It is an int with a known name, so this works without
   debugging information. */
volatile int upcr_freeze;

/* gdb loads this file by itself, if the user's settings allow it: an entry of kind 1, a Python file. */
#ifdef UPCR_GDB_SCRIPT
__asm__(".pushsection .debug_gdb_scripts,\"MS\",%progbits,1\n\t.byte 1\n\t.asciz \"" UPCR_GDB_SCRIPT "\"\n\t.popsection");
#endif

static void wait_for_debugger(void)
{
    const struct timespec moment = {0, 50 * 1000 * 1000};
#ifdef PR_SET_PTRACER
    /* Where only parents may attach (Yama), this allows every process to; an error means that there is no such
       restriction. */
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
#endif
    upcr_freeze = 1;
    while (upcr_freeze)
        nanosleep(&moment, NULL);
}

#define HOW_TO "gdb -p %d, then \"set var *(int *)&upcr_freeze = 0\" and \"continue\""

void upcr_freeze_early(void)
{
    if (!upcr_options.freeze_early)
        return;
    upcr_log_program("process %d waits for a debugger before it starts the threads: " HOW_TO, (int)getpid(), (int)getpid());
    wait_for_debugger();
}

void upcr_freeze_thread(void)
{
    uint64_t who = upcr_options.freeze;
    if (who != UPCR_ALL_THREADS && who != (uint64_t)upcr_mythread + 1)
        return;
    upcr_log("process %d waits for a debugger: " HOW_TO, (int)getpid(), (int)getpid());
    wait_for_debugger();
}

void upcr_freeze_error(const char *what)
{
    if (!upcr_options.freeze_on_error)
        return;
    upcr_log("%s%sprocess %d waits for a debugger at this error: " HOW_TO, what, *what != '\0' ? "; " : "", (int)getpid(), (int)getpid());
    wait_for_debugger();
}

void upcr_allow_core(void)
{
    struct rlimit limit;
    if (!upcr_options.abort || getrlimit(RLIMIT_CORE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_CORE, &limit);
    if (limit.rlim_max == 0)
        upcr_log_program("no core files: the hard limit of their size is 0 (ulimit -H -c)");
}
