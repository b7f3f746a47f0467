/* From the program's start to the user's main, and from its return to the end. The driver links with --wrap=main, so
   the C library calls __wrap_main, and __real_main is the user's. */
#include "runtime.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cgroup.h"
#include "checks/checks.h"
#include "child.h"
#include "clock.h"
#include "crash.h"
#include "debug.h"
#include "gasp/hooks.h"
#include "libc.h"
#include "options.h"
#include "output.h"
#include "races/races.h"
#include "remote/remote.h"
#include "sanitize.h"
#include "transport/transport.h"

int __wrap_main(int argc, char **argv, char **envp);
int __real_main(int argc, char **argv, char **envp);
extern const char upcr_void_main __attribute__((__weak__));
#pragma GCC visibility push(default)
void upc_global_exit(int status);
#pragma GCC visibility pop

/* The units' records and the init functions, collected by the linker. The runtime adds its own to both, so that the
   sections exist in every program; its record has no thread count, and its init function does nothing. */
extern const upcr_unit first_unit[] __asm__("__start_upcr_units") UPCR_HIDDEN;
extern const upcr_unit end_of_units[] __asm__("__stop_upcr_units") UPCR_HIDDEN;
extern void (*const first_init[])(void) __asm__("__start_upcr_init") UPCR_HIDDEN;
extern void (*const end_of_inits[])(void) __asm__("__stop_upcr_init") UPCR_HIDDEN;

UPCR_PROGRAM_THREADS(0);

static void no_init(void)
{
}
UPCR_INIT(no_init);

static const uint64_t smallest_default_heap = 64 << 20;

/* The process of this thread. A process that the user forked from it is not a thread: it must not take part in the
   final barrier. */
static pid_t thread_process;

/* Returns the static THREADS of the program's units, 0 if all are dynamic. Exits if the units are incompatible. */
static uint32_t static_threads(void)
{
    uint32_t threads = 0;
    for (const upcr_unit *unit = first_unit; unit < end_of_units; unit++) {
        if (unit->flags != UPCR_UNIT_FLAGS)
            upcr_fatal("parts of this program were compiled for another transport (-network, -pshm-width) than the rest: compile all of "
                       "them again with the same flags");
        if (unit->abi != UPCR_ABI || unit->pts_layout != UPCR_PTS_LAYOUT)
            upcr_fatal("parts of this program were compiled with another version of upcc, or another form of pointers-to-shared "
                       "(-fupc-pts, -fupc-packed-bits), than the rest: compile all of them again with the same flags");
        if (unit->threads != 0 && threads != 0 && unit->threads != threads)
            upcr_fatal("parts of this program were compiled for %u threads, others for %u: compile all of them with the same -T", threads, unit->threads);
        if (unit->threads != 0)
            threads = unit->threads;
    }
    return threads;
}

/* Chooses the number of threads: the first one given by the user, the program, or the launcher of its processes. */
static int choose_threads(void)
{
    uint32_t fixed = static_threads();
    int processes = upcr_tp_processes();
    uint64_t threads = upcr_options.threads != 0 ? upcr_options.threads : fixed != 0 ? fixed : processes != 0 ? (uint64_t)processes : 1;
    if (fixed != 0 && threads != fixed)
        upcr_fatal("this program was compiled for %u threads and cannot run with %llu: compile it with -T=%llu, or without -T for any "
                   "number",
                   fixed, (unsigned long long)threads, (unsigned long long)threads);
    if (threads > UPCR_MAX_THREADS)
        upcr_fatal("%llu threads are more than pointers-to-shared can represent (%d): compile with -fupc-pts=struct, or give them more "
                   "bits with -fupc-packed-bits",
                   (unsigned long long)threads, UPCR_MAX_THREADS);
    return (int)threads;
}

/* Chooses how many threads may reach one another by loads and stores; 0: all of a machine. */
static int choose_width(int threads)
{
#ifndef UPCR_REMOTE
    if (upcr_options.pshm_width != 0 && upcr_options.pshm_width < (uint64_t)threads)
        upcr_fatal("-pshm-width: the code of this program assumes that all memory is mapped: compile it with upcc -pshm-width=N");
#else
    (void)threads;
#endif
    return (int)upcr_options.pshm_width;
}

/* valgrind loads its own functions in front of the program's libraries. */
static bool is_under_valgrind(void)
{
    const char *first = getenv("LD_PRELOAD");
    return first != NULL && strstr(first, "vgpreload_") != NULL;
}

/* Chooses the heap size. Memory is committed when it is touched, so a generous default costs only addresses. Under valgrind
   it costs memory and time: its search for leaks reads the whole heap in each process. */
static uint64_t choose_heap(int threads)
{
    if (upcr_options.heap != 0)
        return upcr_options.heap;
    uint64_t memory = upcr_usable_memory();
    if (upcr_options.heap_percent != 0)
        return memory / 100 * upcr_options.heap_percent / (uint64_t)threads;
    if (is_under_valgrind())
        return smallest_default_heap;
    uint64_t heap = memory / 2 / (uint64_t)threads >> 20 << 20;
#ifndef UPCR_PTS_STRUCT
    uint64_t limit = UPCR_SEGMENT_LIMIT(threads), reach = limit - upcr_static_bytes();
    if (upcr_static_bytes() < limit && heap > reach)
        heap = reach >> 20 << 20;
#endif
    return heap > smallest_default_heap ? heap : smallest_default_heap;
}

/* Returns the bytes that a process maps for each thread. */
static uint64_t mapped_for_each(const struct upcr_plan *plan)
{
    uint64_t segment = plan->static_bytes + plan->heap_bytes, views = plan->width != 0 ? 2 : 1;
    return views * segment + (plan->side != NULL ? plan->side(segment) : 0);
}

/* Shrinks a heap that the user has not chosen until it fits the limits of the process. */
static void fit_heap(struct upcr_plan *plan)
{
    const uint64_t least = 1 << 20;
    uint64_t each = upcr_tp_memory_limit() / (uint64_t)plan->threads;
    while (!plan->heap_is_users && plan->heap_bytes > least && mapped_for_each(plan) > each) {
        uint64_t less = plan->heap_bytes / 8 * 7 >> 20 << 20;
        plan->heap_bytes = less > least ? less : least;
    }
}

/* Runs when a thread leaves main or calls exit, after the user's own exit handlers. */
static void leave(int status)
{
    if (getpid() != thread_process)
        return;
    if (upcr_has_events())
        upcr_events.leave(status);
    upcr_final_barrier(status);
    upcr_remote_stop();
    if (upcr_has_events())
        upcr_events.left(status);
    upcr_tp_leave();
    if (upcr_is_racing() && upcr_races.status(status, false) != status)
        upcr_exit_instead(upcr_races.status(status, false));
}

void upc_global_exit(int status)
{
    sigset_t all, old;
    upcr_thread_only("upc_global_exit");
    if (upcr_is_racing())
        status = upcr_races.status(status, true);
    if (upcr_has_events())
        upcr_events.global_exit(status);
    /* Another thread that ends the job makes this one flush, in a signal handler. That must not interrupt this
       flush, or the output would be written twice. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    fflush(NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    upcr_tp_global_exit(status);
}

static void prepare_thread(void)
{
    thread_process = getpid();
    upcr_child_start();
    upcr_output_thread();
    upcr_sanitize_thread();
    upcr_crash_watch();
    upcr_freeze_thread();
    upcr_remote_start();
    if (upcr_at_exit(leave) != 0)
        upcr_die("out of memory");
    for (void (*const *init)(void) = first_init; init < end_of_inits; init++)
        (*init)();
    upcr_ordering_barrier("start-up");
}

/* Warns when a tool was requested but no event will ever be reported to it. */
static void warn_without_events(void)
{
    const char *tool = upcr_options.tool;
    if (tool == NULL || strcmp(tool, "none") == 0 || upcr_has_events() || upcr_mythread != 0 || upcr_options.quiet || upcr_options.no_warn)
        return;
    upcr_log_program("this program raises no events, so the tool %s records nothing (UPC_TOOL; upcrun -trace, -profile): compile it with upcc --inst", tool);
}

/* Sets the stack limit. It takes effect at the start of a process, so the program is executed once more with it. */
static void choose_stack(char **argv)
{
    struct rlimit limit;
    rlim_t wanted = (rlim_t)upcr_options.stack;
    if (wanted == 0 || getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == wanted)
        return;
    limit.rlim_cur = wanted;
    if (setrlimit(RLIMIT_STACK, &limit) != 0)
        upcr_fatal("UPC_STACK_SIZE: %s", strerror(errno));
    /* Without /proc the kernel lets the stack grow as far as the space below it allows. */
    execv("/proc/self/exe", argv);
}

static enum upcr_binding choose_binding(void)
{
    const char *wanted = upcr_options.bind;
    if (wanted == NULL)
        return UPCR_BIND_USUAL;
    if (strcmp(wanted, "share") == 0)
        return UPCR_BIND_SHARE;
    if (strcmp(wanted, "domain") == 0)
        return UPCR_BIND_DOMAIN;
    return upcr_is_yes(wanted) ? UPCR_BIND_ONE : UPCR_BIND_NOT;
}

static enum upcr_placement choose_placement(void)
{
    const char *wanted = upcr_options.show_placement;
    if (wanted == NULL || !upcr_is_yes(wanted))
        return UPCR_PLACEMENT_HIDDEN;
    return strcmp(wanted, "only") == 0 ? UPCR_PLACEMENT_ONLY : UPCR_PLACEMENT_SHOWN;
}

int __wrap_main(int argc, char **argv, char **envp)
{
    struct upcr_plan plan = {0};
    upcr_options_read();
    choose_stack(argv);
    upcr_options_take(&argc, argv);
    plan.threads = choose_threads();
    plan.static_bytes = upcr_static_bytes();
    plan.heap_bytes = choose_heap(plan.threads);
    plan.heap_is_users = upcr_options.heap != 0;
    plan.polite = upcr_options.polite != 0;
    plan.bind = choose_binding();
    plan.show_placement = choose_placement();
    plan.timeout = (unsigned)upcr_options.timeout;
    plan.width = choose_width(plan.threads);
    plan.delay = (unsigned)upcr_options.pshm_delay;
    upcr_remote_prepare();
    upcr_allow_core();
    upcr_freeze_early();
    upcr_clock_start();
    upcr_output_start();
    upcr_sanitize_start();
    if (upcr_is_checked())
        upcr_checks.prepare(&plan);
    fit_heap(&plan);
    if (upcr_has_events())
        upcr_events.prepare();
    upcr_trace_prepare();
    upcr_tp_run(&plan);
    if (upcr_is_checked())
        upcr_checks.start();
    prepare_thread();
    warn_without_events();
    if (upcr_has_events())
        upcr_events.start(&argc, &argv);
    int status = __real_main(argc, argv, envp);
    return upcr_leave_main(&upcr_void_main != NULL ? 0 : status);
}
