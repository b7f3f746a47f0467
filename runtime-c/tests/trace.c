/* From program counters to lines: through calls, inlined calls, callbacks of the C library, signal frames and jumps to nowhere. */
#include "test.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/trace.h"

enum { ROOM = 64 };

static uintptr_t pcs[ROOM];
static int count;
static volatile int never;

/* The number of the level with this function and line in the stack, counted from the innermost, from `from` on; -1 if there is none. */
static int find_level(const char *function, unsigned line, int from)
{
    int number = 0;
    for (int i = 0; i < count; i++) {
        struct upcr_level levels[16];
        int depth = upcr_trace_levels(pcs[i], levels, 16);
        for (int l = 0; l < depth; l++, number++)
            if (number >= from && levels[l].user && levels[l].line == line && strcmp(levels[l].function, function) == 0 &&
                strstr(levels[l].file, "trace.c") != NULL)
                return number;
    }
    return -1;
}

/* The stack holds these places, in this order. */
struct expected {
    const char *function;
    unsigned line;
};

static void check_stack(const char *what, const struct expected *expected, int n)
{
    int at = 0;
    for (int i = 0; i < n; i++) {
        int found = find_level(expected[i].function, expected[i].line, at);
        if (found < 0) {
            printf("%s: no %s at line %u in:\n", what, expected[i].function, expected[i].line);
            for (int p = 0; p < count; p++) {
                struct upcr_level levels[16];
                char text[256];
                int depth = upcr_trace_levels(pcs[p], levels, 16);
                for (int l = 0; l < depth; l++) {
                    text[0] = '\0';
                    upcr_trace_print_level(&levels[l], text, sizeof text);
                    printf("  %d.%d %s\n", p, l, text);
                }
            }
            exit(1);
        }
        at = found + 1;
    }
}

enum { TAKE = __LINE__ + 3 };
static inline __attribute__((always_inline)) void take(void)
{
    count = upcr_trace_stack(pcs, ROOM, NULL);
}

enum { COMPARE = __LINE__ + 4 };
static int compare(const void *a, const void *b)
{
    if (count == 0)
        take();
    return *(const int *)a - *(const int *)b;
}

enum { SORT = __LINE__ + 4 };
static __attribute__((noinline)) int sort(void)
{
    int numbers[] = {3, 1, 2};
    qsort(numbers, 3, sizeof *numbers, compare);
    return numbers[0];
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)info;
    count = upcr_trace_stack(pcs, ROOM, context);
}

static sigjmp_buf behind_fault;

static void on_fault(int signal, siginfo_t *info, void *context)
{
    on_signal(signal, info, context);
    siglongjmp(behind_fault, 1);
}

static volatile int *volatile nowhere;

enum { FAULT = __LINE__ + 3 };
static __attribute__((noinline)) int fault(void)
{
    return *nowhere;
}

enum { RAISE = __LINE__ + 3 };
static __attribute__((noinline)) void raise_one(void)
{
    kill(getpid(), SIGUSR2);
    never = 0;
}

static void (*volatile absent)(void);
enum { JUMP = __LINE__ + 3 };
static __attribute__((noinline)) void jump(void)
{
    absent();
    never = 0;
}

static void handle(int signal, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(signal, &action, NULL);
}

static __attribute__((noinline)) int deep(volatile int *caller)
{
    volatile int n = *caller - 1; /* which keeps a compiler from making a loop of this */
    if (n == 0)
        take();
    else
        *caller += deep(&n);
    return n;
}

int main(void)
{
    struct expected sorted[] = {{"take", TAKE}, {"compare", COMPARE}, {"sort", SORT}, {"main", __LINE__ + 1}};
    never = sort();
    check_stack("callback", sorted, 4);

    struct expected raised[] = {{"raise_one", RAISE}, {"main", __LINE__ + 2}};
    handle(SIGUSR2, on_signal);
    raise_one();
    check_stack("signal", raised, 2);

    struct expected faulted[] = {{"fault", FAULT}, {"main", __LINE__ + 3}};
    handle(SIGSEGV, on_fault);
    if (sigsetjmp(behind_fault, 1) == 0)
        never = fault();
    check_stack("fault", faulted, 2);

    /* The outermost frames of a deep stack are kept, in order. */
    volatile int depth = 1000;
    struct expected outer[] = {{"take", TAKE}, {"main", __LINE__ + 1}};
    never = deep(&depth);
    check_stack("deep stack", outer, 2);
    CHECK(count == ROOM);

    struct expected jumped[] = {{"jump", JUMP}, {"main", __LINE__ + 2}};
    if (sigsetjmp(behind_fault, 1) == 0)
        jump();
    check_stack("a jump to nowhere", jumped, 2);
    return 0;
}
