/* The tool measure, against programs that raise a known number of events, as an instrumented unit does. Usage: measure WHAT; run.sh
   reads the file with the program `recording`. */
#define UPCR_INST
#include "test.h"

#include <gasp_upc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>

UPCR_INST_UNIT(~(upcr_u64)0, ~(upcr_u64)0);

static upcr_site main_site = {"measure.c", 1, 1, NULL, "int main(void)", NULL, 0, 0};
static upcr_site call_site = {"measure.c", 2, 1, NULL, "void call(int)", NULL, 0, 0};
static upcr_site get_site = {"measure.c", 3, 1, NULL, "shared int", "a[i]", 0, 0};
static upcr_site put_site = {"measure.c", 4, 1, NULL, "shared int", "a[i]", 0, 0};
static upcr_site user_sites[] = {{"measure.c", 5, 1, NULL, NULL, NULL, 0, 0}, {"measure.c", 6, 1, NULL, NULL, NULL, 0, 0}};
static upcr_site torn_site = {(const char *)8, 8, 1, NULL, NULL, NULL, 0, 0};
static upcr_site lock_site = {"measure.c", 7, 1, NULL, NULL, NULL, 0, 0};

UPCR_SHARED_EXTERN(array);
UPCR_SHARED_DEFINE(array, 4000, 4);

static upcr_pts_t element(int i)
{
    return upcr_make(((upcr_size)UPCR_MYTHREAD + 1) % (upcr_size)UPCR_THREADS, 0, upcr_addrfield(UPCR_STATIC(array)) + 4 * (upcr_size)i);
}

/* The elements that this pthread accesses: others have others. */
static __thread int first, span = 1000;

static void accesses(int n)
{
    for (int i = 0; i < n; i++) {
        int value = UPCR_INST_GET(&get_site, 1, int, element(first + i % span));
        UPCR_INST_PUT(&put_site, 1, int, element(first + i % span), value + 1);
    }
}

/* Of up to 24 pthreads, and the first, 0. */
static void choose_elements(int pthread)
{
    span = 40;
    first = span * pthread;
}

static void call(int depth)
{
    UPCR_INST_FUNCTION(&call_site);
    if (depth > 1)
        call(depth - 1);
    else
        accesses(10);
}

/* Calls whose nesting changes all the time, with an access in each. */
static void tree(int depth)
{
    UPCR_INST_FUNCTION(&call_site);
    accesses(1);
    for (int i = 0; i < 2 && depth > 1; i++)
        tree(depth - 1);
}

static void users(void)
{
    upcr_u32 e = upcr_inst_pupc_create_event(&user_sites[0], "phase", "%d %s %5.2f %ld%% %p %Lf %hhu");
    upcr_u32 f = upcr_inst_pupc_create_event(&user_sites[0], "other", NULL);
    for (int i = 0; i < 100; i++) {
        upcr_inst_pupc_event_start(&user_sites[0], e, i, i % 2 ? "odd" : "even", i / 3.0, 1L << i % 60, (void *)&e, (long double)i, i % 256);
        upcr_inst_pupc_event_start(&user_sites[0], f);
        /* Not in the order of their starts. */
        upcr_inst_pupc_event_end(&user_sites[1], e, i, "end", 0.5, 7L, (void *)0, 1.5L, 3);
        upcr_inst_pupc_event_end(&user_sites[1], f);
        upcr_inst_pupc_event_atomic(&user_sites[1], f);
    }
}

/* Files must not become larger than 100 KB. */
static void on_full_disk(void)
{
    struct rlimit limit = {100000, 100000};
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    accesses(200000);
}

/* The same, by another pthread than the first. */
static void *capacity_for_none(void *unused)
{
    on_full_disk();
    return unused;
}

static void pthread_on_full_disk(void)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, capacity_for_none, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

static void controlled(void)
{
    accesses(100);
    upcr_inst_pupc_control(&main_site, 0);
    accesses(1000);
    {
        UPCR_INST_FUNCTION(&call_site);
        upcr_inst_pupc_control(&main_site, 1);
        accesses(10);
    }
    CHECK(upcr_inst_pupc_control(&main_site, 1) != 0);
}

static void handler(int signal)
{
    (void)signal;
    accesses(1);
}

static void reentered(void)
{
    signal(SIGPROF, handler);
    for (int i = 0; i < 1000; i++) {
        accesses(10);
        raise(SIGPROF);
    }
}

static void locks(void)
{
    upcr_pts_t lock = upcr_inst_upc_all_lock_alloc(&lock_site);
    for (int i = 0; i < 100; i++) {
        upcr_inst_upc_lock(&lock_site, lock);
        upcr_inst_upc_unlock(&lock_site, lock);
    }
}

/* One of the threads dies, of 3 while the tool takes in a new place; the others are computing. */
static void dies(int how)
{
    accesses(1000);
    upcr_barrier(0, 0);
    if (UPCR_MYTHREAD == UPCR_THREADS - 1) {
        if (how == 0)
            upc_global_exit(5);
        else if (how == 1)
            *(volatile char *)0 = 1;
        else if (how == 2)
            raise(SIGKILL);
        else if (how == 4)
            _exit(7);
        else
            upcr_inst_fence(&torn_site);
    }
    for (;;)
        call(1);
}

/* Blocks that are written before the process is killed: after the last of them, of which it has not noted then that it is in the file. */
static int blocks_left;

ssize_t write(int file, const void *bytes, size_t n)
{
    ssize_t done = syscall(SYS_write, file, bytes, n);
    if (n > 4 && memcmp(bytes, "UBLK", 4) == 0 && blocks_left > 0 && --blocks_left == 0)
        raise(SIGKILL);
    return done;
}

static void dies_behind_block(int number)
{
    if (UPCR_MYTHREAD == UPCR_THREADS - 1)
        blocks_left = number;
    accesses(1000);
    upc_global_exit(5);
}

/* ---- Pthreads ------------------------------------------------------------------------------------------------------ */

static upcr_site work_site = {"measure.c", 9, 1, NULL, "void *work(void *)", NULL, 0, 0};
static upcr_u32 phase, tick;
enum { EACH = 1000 };

/* What each pthread does: EACH times a pair with an access and an event in it; in all 4 * EACH starts and atomic events. */
static void work(void)
{
    UPCR_INST_FUNCTION(&work_site);
    for (int i = 0; i < EACH; i++) {
        upcr_inst_pupc_event_start(&user_sites[0], phase, i, "text");
        accesses(1);
        upcr_inst_pupc_event_atomic(&user_sites[1], tick);
        upcr_inst_pupc_event_end(&user_sites[1], phase, i, "end");
    }
    call(2);
}

static void leave_early(void)
{
    UPCR_INST_FUNCTION(&call_site);
    upcr_inst_pupc_event_start(&user_sites[0], phase, 1, "left open");
    pthread_exit(NULL);
}

/* Every second one ends in the middle of a function, with a pair of its own open. */
static void *pthread(void *number)
{
    choose_elements((int)(uintptr_t)number + 1);
    work();
    if ((uintptr_t)number % 2 == 1)
        leave_early();
    return NULL;
}

static void create_events(void)
{
    phase = upcr_inst_pupc_create_event(&user_sites[0], "phase", "%d %s");
    tick = upcr_inst_pupc_create_event(&user_sites[0], "tick", NULL);
}

/* So many at a time, which come and go, beside the first one. */
static void pthreads(int count, int rounds)
{
    pthread_t threads[64];
    choose_elements(0);
    create_events();
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < count; i++)
            CHECK(pthread_create(&threads[i], NULL, pthread, (void *)(uintptr_t)i) == 0);
        work();
        for (int i = 0; i < count; i++)
            CHECK(pthread_join(threads[i], NULL) == 0);
    }
}

/* Pthreads that live on, in step with the first one. */
static pthread_barrier_t step;

static void *steps(void *number)
{
    choose_elements((int)(uintptr_t)number + 1);
    for (;;) {
        pthread_barrier_wait(&step);
        accesses(EACH);
        pthread_barrier_wait(&step);
    }
    return NULL;
}

/* While the second of three steps is made nothing is recorded, whoever makes it. The pthreads are there when the program ends. */
static void pool(int count)
{
    pthread_t threads[64];
    choose_elements(0);
    CHECK(pthread_barrier_init(&step, NULL, (unsigned)count + 1) == 0);
    for (int i = 0; i < count; i++)
        CHECK(pthread_create(&threads[i], NULL, steps, (void *)(uintptr_t)i) == 0);
    for (int i = 0; i < 3; i++) {
        upcr_inst_pupc_control(&main_site, i != 1);
        pthread_barrier_wait(&step);
        accesses(EACH);
        pthread_barrier_wait(&step);
    }
}

static void *busy(void *number)
{
    choose_elements((int)(uintptr_t)number + 10);
    for (;;)
        work();
    return NULL;
}

/* The program ends by the way `how` while pthreads raise events, one of them all the time for the first time. */
static void interrupted(int how)
{
    pthread_t threads[3];
    create_events();
    for (int i = 0; i < 3; i++)
        CHECK(pthread_create(&threads[i], NULL, busy, (void *)(uintptr_t)i) == 0);
    for (int i = 0; i < 20; i++) {
        pthread_t short_one;
        CHECK(pthread_create(&short_one, NULL, pthread, (void *)1) == 0);
        CHECK(pthread_join(short_one, NULL) == 0);
    }
    if (how == 1)
        raise(SIGSEGV);
    else if (how == 2)
        raise(SIGKILL);
    else if (how == 3)
        upc_global_exit(6);
}

/* Events of many arguments: 20, and 70, for which a mask is not enough. Their sum is that of their numbers. */
static void wide(void)
{
#define TEN(x) x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7, x + 8, x + 9, x + 10
#define D10    "%d %d %d %d %d %d %d %d %d %d "
    upcr_u32 twenty = upcr_inst_pupc_create_event(&user_sites[0], "twenty", D10 D10);
    upcr_u32 seventy = upcr_inst_pupc_create_event(&user_sites[0], "seventy", D10 D10 D10 D10 D10 D10 D10);
    for (int i = 0; i < 100; i++) {
        upcr_inst_pupc_event_start(&user_sites[0], twenty, TEN(0), TEN(10));
        upcr_inst_pupc_event_atomic(&user_sites[1], seventy, TEN(0), TEN(10), TEN(20), TEN(30), TEN(40), TEN(50), TEN(60));
        upcr_inst_pupc_event_end(&user_sites[1], twenty, TEN(20), TEN(30));
    }
}

/* Events of each number of arguments up to 24, of which the format takes the first. */
static void arguments(void)
{
    static const char format[] = D10 D10 "%d %d %d %d ";
    for (int n = 0; n <= 24; n++) {
        char name[32], taken[sizeof format];
        snprintf(name, sizeof name, "of %d", n);
        snprintf(taken, sizeof taken, "%.*s", 3 * n, format);
        upcr_u32 event = upcr_inst_pupc_create_event(&user_sites[0], name, taken);
        for (int i = 0; i < 2; i++) {
            upcr_inst_pupc_event_start(&user_sites[0], event, TEN(0), TEN(10), TEN(20));
            upcr_inst_pupc_event_atomic(&user_sites[1], event, TEN(0), TEN(10), TEN(20));
            upcr_inst_pupc_event_end(&user_sites[1], event, TEN(20), TEN(30), TEN(40));
        }
    }
}

int main(int argc, char **argv)
{
    UPCR_INST_FUNCTION(&main_site);
    const char *what = argc > 1 ? argv[1] : "";
    int n = argc > 2 ? atoi(argv[2]) : 1;
    if (strcmp(what, "accesses") == 0)
        accesses(n);
    else if (strcmp(what, "call") == 0)
        call(n);
    else if (strcmp(what, "tree") == 0)
        tree(n);
    else if (strcmp(what, "users") == 0)
        users();
    else if (strcmp(what, "full") == 0)
        on_full_disk();
    else if (strcmp(what, "pthread_full") == 0)
        pthread_on_full_disk();
    else if (strcmp(what, "control") == 0)
        controlled();
    else if (strcmp(what, "signals") == 0)
        reentered();
    else if (strcmp(what, "locks") == 0)
        locks();
    else if (strcmp(what, "dies") == 0)
        dies(n);
    else if (strcmp(what, "pthreads") == 0)
        pthreads(n, argc > 3 ? atoi(argv[3]) : 1);
    else if (strcmp(what, "pool") == 0)
        pool(n);
    else if (strcmp(what, "dies_behind_block") == 0)
        dies_behind_block(n);
    else if (strcmp(what, "interrupted") == 0)
        interrupted(n);
    else if (strcmp(what, "wide") == 0)
        wide();
    else if (strcmp(what, "arguments") == 0)
        arguments();
    else
        upc_global_exit(100);
    return 0;
}
