/* Every way in which a job can end. argv[1] says which; run.sh knows the status and the line that must come of it. */
#define _GNU_SOURCE
#include "test.h"

#include <sched.h>
#include <signal.h>

static int last(void)
{
    return UPCR_MYTHREAD == UPCR_THREADS - 1;
}

static void forever(void)
{
    for (;;)
        pause();
}

static int deeper(int n)
{
    volatile char capacity[4096];
    capacity[0] = (char)n;
    return n > 1000000000 ? 0 : deeper(n + 1) + capacity[0];
}

static void divide(volatile int zero)
{
    printf("%d\n", 7 / zero);
}

static void exit_handler(void)
{
    /* User's handlers run before the final barrier: shared memory is still there and all threads are. */
    upcr_barrier(1, 99);
}

static void end_null(void)
{
    if (last())
        UPCR_PUT(int, upcr_add0(UPCR_NULL, 400), 1);
    forever();
}

static void end_null_below(void)
{
    if (last())
        UPCR_PUT(int, upcr_add1(UPCR_NULL, -1, 4), 1);
    forever();
}

/* shared [4] char blocked[4 * THREADS] */
UPCR_SHARED_EXTERN(blocked);
UPCR_SHARED_DEFINE_LOCAL(blocked, 4, 1);
UPCR_SHARED_DESCRIBE(blocked, "blocked", "shared [4] char[4*THREADS]", 1, 4, 4, 1);

static void end_negative_index(void)
{
    volatile int i = -1;
    if (last())
        UPCR_PUT0(char, upcr_at_block(UPCR_STATIC(blocked), i, 1, 4), 1);
    forever();
}

static void end_segv(void)
{
    if (last())
        *(volatile int *)(uintptr_t)(UPCR_MYTHREAD + 15) = 1;
    forever();
}

static void end_beyond(void)
{
    if (last())
        UPCR_PUT(int, upcr_make(0, 0, ((size_t)1 << 33)), 1);
    forever();
}

static void end_stack(void)
{
    if (last())
        deeper(0);
    forever();
}

static void end_divide(void)
{
    if (last())
        divide(0);
    forever();
}

static void end_abort(void)
{
    if (last()) {
        usleep(200000); /* for the others to come to their places */
        abort();
    }
    forever();
}

static void end_killed(void)
{
    if (last())
        raise(SIGKILL);
    forever();
}

static void end_underscore_exit(void)
{
    if (last())
        _exit(3);
    forever();
}

static void end_exit_alone(void)
{
    if (last())
        exit(3);
    upcr_barrier(0, 0);
    forever();
}

/* Thread 1 never comes, which makes no difference. */
static void end_exit_busy(void)
{
    if (last())
        exit(0);
    if (UPCR_MYTHREAD == 0)
        upcr_barrier(0, 0);
    forever();
}

static void end_exit_all(void)
{
    atexit(exit_handler);
    exit(UPCR_MYTHREAD + 1);
}

static void end_global_exit(void)
{
    printf("partial %d;", UPCR_MYTHREAD);
    upcr_barrier(0, 0);
    if (last())
        upc_global_exit(7);
    upcr_barrier(0, 0);
    forever();
}

static void end_global_exit_busy(void)
{
    printf("partial %d;", UPCR_MYTHREAD);
    upcr_barrier(0, 0);
    if (last())
        upc_global_exit(0);
    for (;;)
        continue;
}

static void end_mismatch(void)
{
    upcr_barrier(1, 5);
    upcr_barrier(last(), 6);
    upcr_barrier(UPCR_MYTHREAD != 1, last() ? 7 : 8);
}

static void end_wait_mismatch(void)
{
    upcr_notify(UPCR_MYTHREAD == 0, 21);
    upcr_wait(last(), 22);
    forever();
}

static void end_notify_twice(void)
{
    upcr_notify(0, 0);
    upcr_notify(0, 0);
}

static void end_wait_first(void)
{
    upcr_wait(0, 0);
}

static void end_notified(void)
{
    upcr_notify(0, 0);
    exit(0);
}

static void end_collective(void)
{
    upcr_notify(0, 0);
    upc_all_alloc(1, 1);
}

static void end_arguments(void)
{
    upc_all_alloc(1, (size_t)UPCR_MYTHREAD + 1);
}

static void end_double_free(void)
{
    if (last()) {
        upcr_pts_t p = upc_alloc(100);
        upc_free(p);
        upc_free(p);
    }
    forever();
}

static void end_bad_free(void)
{
    if (last())
        upc_free(upcr_field(upc_alloc(100), 16));
    forever();
}

static void end_relock(void)
{
    upcr_pts_t lock = upc_all_lock_alloc();
    if (last()) {
        upc_lock(lock);
        upc_lock(lock);
    }
    forever();
}

static void end_unlock(void)
{
    upc_unlock(upc_all_lock_alloc());
}

/* Thread 1 holds the lock and waits for the others in a barrier, who wait for the lock. */
static void end_deadlock(void)
{
    upcr_pts_t lock = upc_all_lock_alloc();
    if (UPCR_MYTHREAD == 1)
        upc_lock(lock);
    upcr_barrier(0, 0);
    if (UPCR_MYTHREAD == 1)
        upcr_barrier(1, 7);
    upc_lock(lock);
}

/* Thread 0 never comes; thread 1 has notified and goes on; the others wait. */
static void end_late(void)
{
    volatile double x = 1;
    while (UPCR_MYTHREAD == 0)
        x = x * 1.5;
    upcr_notify(1, 3);
    if (UPCR_MYTHREAD == 1)
        forever();
    upcr_wait(1, 3);
}

static void end_exhausted(void)
{
    if (last())
        CHECK(upcr_is_null(upc_alloc((size_t)1 << 40)) && upcr_is_null(upc_global_alloc(SIZE_MAX, SIZE_MAX)));
}

/* Says who is there, for run.sh to look after them once the launcher is gone. */
static void end_pids(void)
{
    printf("%d\n", (int)getpid());
    upcr_barrier(0, 0);
    forever();
}

static void end_fork(void)
{
    if (last() && fork() == 0)
        exit(0);
}

static void end_input(void)
{
    int c = getchar();
    CHECK(UPCR_MYTHREAD == 0 ? c == 'i' : c == EOF);
}

static void end_lines(void)
{
    for (int i = 0; i < 500; i++)
        printf("thread %d writes a line of some length, in pieces, "
               "number %d end\n",
               UPCR_MYTHREAD, i);
}

/* Thread i stays on the i-th processor of the launcher's, which is not bound. */
static void end_bound(void)
{
    cpu_set_t all, mine;
    CHECK(sched_getaffinity(getppid(), sizeof all, &all) == 0 && sched_getaffinity(0, sizeof mine, &mine) == 0);
    CHECK(CPU_COUNT(&mine) == 1);
    int before = UPCR_MYTHREAD % CPU_COUNT(&all), cpu = 0;
    while (!CPU_ISSET(cpu, &all) || before-- > 0)
        cpu++;
    CHECK(CPU_ISSET(cpu, &mine));
}

/* More stack than most systems give, used. */
static void end_deep(void)
{
    volatile char capacity[200 << 20];
    capacity[0] = 1;
    capacity[sizeof capacity - 1] = 1;
}

static void end_count(void)
{
    printf("%d\n", UPCR_THREADS);
}

static const struct {
    const char *name;
    void (*run)(void);
} ends[] = {
    {"null", end_null},
    {"null_below", end_null_below},
    {"negative_index", end_negative_index},
    {"segv", end_segv},
    {"beyond", end_beyond},
    {"stack", end_stack},
    {"divide", end_divide},
    {"abort", end_abort},
    {"killed", end_killed},
    {"_exit", end_underscore_exit},
    {"exit_alone", end_exit_alone},
    {"exit_busy", end_exit_busy},
    {"exit_all", end_exit_all},
    {"global_exit", end_global_exit},
    {"global_exit_busy", end_global_exit_busy},
    {"mismatch", end_mismatch},
    {"wait_mismatch", end_wait_mismatch},
    {"notify_twice", end_notify_twice},
    {"wait_first", end_wait_first},
    {"notified", end_notified},
    {"collective", end_collective},
    {"arguments", end_arguments},
    {"double_free", end_double_free},
    {"bad_free", end_bad_free},
    {"relock", end_relock},
    {"unlock", end_unlock},
    {"deadlock", end_deadlock},
    {"late", end_late},
    {"exhausted", end_exhausted},
    {"pids", end_pids},
    {"fork", end_fork},
    {"input", end_input},
    {"lines", end_lines},
    {"bound", end_bound},
    {"deep", end_deep},
    {"count", end_count},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof ends / sizeof *ends; i++)
        if (strcmp(argv[1], ends[i].name) == 0) {
            ends[i].run();
            return 0;
        }
    fprintf(stderr, "no such end\n");
    upc_global_exit(100);
}
