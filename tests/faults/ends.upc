// Every way in which a thread or a job can come to a bad end. argv[1] names it; the suite `faults` knows what must come of it.
// The last thread is the victim.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <upc.h>
#include <upc_collective.h>

shared int counter;
upc_lock_t *lock;

#define VICTIM (MYTHREAD == THREADS - 1)

static void forever(void)
{
    for (;;)
        pause();
}

static void ready(void)
{
    printf("ready %d %d\n", MYTHREAD, (int)getpid());
}

// What MPI prints when a job is aborted, though some launchers keep it back.
int PMPI_Abort(void *communicator, int status)
{
    int (*abort_job)(void *, int) = (int (*)(void *, int))dlsym(RTLD_NEXT, "PMPI_Abort");
    dprintf(STDERR_FILENO, "MPI_ABORT was invoked\n");
    return abort_job(communicator, status);
}

// The suite waits for all threads to say that they are ready and then does something to them.

static void idle(void)
{
    ready();
    forever();
}

static void busy(void)
{
    ready();
    for (;;)
        counter++;
}

static void in_barrier(void)
{
    ready();
    if (VICTIM)
        forever();
    upc_barrier;
}

static void in_lock(void)
{
    if (VICTIM)
        upc_lock(lock);
    upc_barrier;
    ready();
    if (VICTIM)
        forever();
    upc_lock(lock);
}

static void for_lock(void)
{
    if (MYTHREAD == 0)
        upc_lock(lock);
    upc_barrier;
    ready();
    if (MYTHREAD == 0)
        forever();
    upc_lock(lock);
}

// A process that the victim forks does what would count for the victim, and ends with status 1; the job goes on.
static void with_child(void (*act)(void))
{
    int status = 0;
    if (VICTIM) {
        pid_t child = fork();
        if (child == 0) {
            act();
            _exit(9);
        }
        waitpid(child, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 1)
            upc_global_exit(2);
    }
    upc_barrier;
    upc_lock(lock);
    upc_unlock(lock);
}

static void enter_barrier(void)
{
    upc_barrier;
}

static void notify(void)
{
    upc_notify;
}

static void take_lock(void)
{
    upc_lock(lock);
}

static void allocate(void)
{
    upc_free(upc_alloc(8));
}

static void allocate_together(void)
{
    upc_all_alloc(THREADS, 8);
}

static void end_job(void)
{
    upc_global_exit(7);
}

static void write_remote_element(void)
{
    counter = 7;
    upc_fence;
}

static void child_in_barrier(void)
{
    with_child(enter_barrier);
}

static void child_notifies(void)
{
    with_child(notify);
}

static void child_locks(void)
{
    with_child(take_lock);
}

static void child_allocates(void)
{
    with_child(allocate);
}

static void child_allocates_together(void)
{
    with_child(allocate_together);
}

static void child_ends_job(void)
{
    with_child(end_job);
}

static void child_writes_remote(void)
{
    with_child(write_remote_element);
}

static shared[8192] char copies[8192 * THREADS];
static shared[] char original[8192];

// The lock is held by a thread that waits for the victim. Data of a collective function, short and long, has been received before.
static void deadlock(void)
{
    for (size_t bytes = 8; bytes <= 8192; bytes *= 1024)
        upc_all_broadcast(copies, original, bytes, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    if (MYTHREAD == 0)
        upc_lock(lock);
    upc_barrier;
    if (VICTIM)
        upc_lock(lock);
    upc_barrier 7;
}

// In a deadlock that something else than a thread ends after a while: the job is not ended before.

enum { LONG = 5 };

static void on_signal(int signal)
{
    (void)signal;
    upc_global_exit(6);
}

static void *signals_later(void *unused)
{
    sleep(LONG);
    kill(getpid(), SIGUSR2);
    return unused;
}

static void ended_by_pthread(void)
{
    pthread_t other;
    signal(SIGUSR2, on_signal);
    if (VICTIM)
        pthread_create(&other, NULL, signals_later, NULL);
    deadlock();
}

static void ended_by_child(void)
{
    signal(SIGUSR2, on_signal);
    if (VICTIM && fork() == 0) {
        sleep(LONG);
        kill(getppid(), SIGUSR2);
        _exit(0);
    }
    deadlock();
}

// The child's parent is gone, and the launcher has it.
static void ended_by_orphan(void)
{
    pid_t mine = getpid();
    signal(SIGUSR2, on_signal);
    if (VICTIM && fork() == 0) {
        if (fork() == 0) {
            sleep(LONG);
            kill(mine, SIGUSR2);
        }
        _exit(0);
    }
    if (VICTIM)
        wait(NULL);
    deadlock();
}

static void ended_by_alarm(void)
{
    signal(SIGALRM, on_signal);
    if (VICTIM)
        alarm(LONG);
    deadlock();
}

static void ended_by_timer(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
    struct itimerspec late = {.it_value = {LONG, 0}};
    timer_t timer;
    signal(SIGUSR2, on_signal);
    if (VICTIM) {
        timer_create(CLOCK_MONOTONIC, &event, &timer);
        timer_settime(timer, 0, &late, NULL);
    }
    deadlock();
}

// A right program in which all threads but one wait, and that one is slow: in a call of the system, computing, for a pthread, a child, a lock
// that it only tries, a flag; once it is the thread that all others wait for in a barrier, once the one that holds their lock.
static shared int flag, turn;

static void *sleeps(void *unused)
{
    sleep(3);
    return unused;
}

static void waits_for_pthread(void)
{
    pthread_t other;
    pthread_create(&other, NULL, sleeps, NULL);
    pthread_join(other, NULL);
}

static void waits_for_child(void)
{
    pid_t child = fork();
    if (child == 0) {
        sleep(3);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void computes(void)
{
    for (time_t end = time(NULL) + 3; time(NULL) < end;)
        counter++;
}

static void slow(void)
{
    static void (*const acts[])(void) = {waits_for_pthread, waits_for_child, computes};
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        if (VICTIM) {
            upc_lock(lock);
            acts[i]();
            upc_unlock(lock);
        } else if (i % 2 == 0) {
            upc_lock(lock);
            upc_unlock(lock);
        }
        upc_barrier;
    }
    if (VICTIM) {
        upc_lock(lock);
        flag = 1;
        upc_fence;
        while (turn == 0)
            upc_poll();
        upc_unlock(lock);
    } else if (MYTHREAD == 0) {
        while (flag == 0)
            upc_poll();
        for (time_t end = time(NULL) + 3; time(NULL) < end;)
            if (upc_lock_attempt(lock))
                upc_global_exit(2);
        turn = 1;
        upc_fence;
    }
    upc_barrier;
}

static void in_wait(void)
{
    upc_notify;
    ready();
    if (VICTIM)
        forever();
    upc_wait;
    upc_barrier;
}

static void in_allocation(void)
{
    ready();
    for (;;)
        upc_free(upc_alloc(1000));
}

static void in_children(void)
{
    if (VICTIM && fork() == 0)
        forever();
    ready();
    if (system("sleep 1000 & exec sleep 1000") != 0)
        forever();
}

static void flood(void)
{
    ready();
    // A launcher that collects lines may mix those of several threads.
    upc_barrier;
    for (;;)
        printf("thread %d has a lot to say\n", MYTHREAD);
}

// All of them find the same mistake, at the same time.
static void all_fail(void)
{
    ready();
    sleep(1);
    upc_unlock(lock);
}

// These do it themselves.

static void null_shared(void)
{
    shared int *p = NULL;
    if (VICTIM)
        *p = 1;
    forever();
}

static void null_index(void)
{
    shared int *volatile p = NULL;
    if (VICTIM)
        p[5] = 3;
    forever();
}

static void before_all(void)
{
    shared [] char *volatile p = (shared [] char *)&counter;
    if (MYTHREAD == 0)
        for (;;)
            *--p = 1;
    forever();
}

// Where thread 0's segment begins, and what an array writes that ends there.
static void overrun(void)
{
    if (MYTHREAD == 0)
        *(volatile char *)((char *)&counter - upc_addrfield(&counter) - 16) = 1;
    forever();
}

static shared [4] int values[4 * THREADS], sums[4 * THREADS];
static shared [8] int wide[8 * THREADS];

static void prefix_phases(void)
{
    upc_all_prefix_reduceI(&sums[3], &values[0], UPC_ADD, 4, 4, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
}

static void prefix_threads(void)
{
    upc_all_prefix_reduceI(&sums[4], &values[0], UPC_ADD, 4, 4, NULL, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
}

static void prefix_blocks(void)
{
    upc_all_prefix_reduceI((shared void *)&wide[6], (shared void *)&wide[6], UPC_ADD, 4, 4, NULL, 0);
}

static void null_private(void)
{
    volatile int *volatile p = NULL;
    if (VICTIM)
        *p = 1;
    upc_barrier;
}

static void wild_private(void)
{
    volatile int *volatile p = (volatile int *)0x123456789000;
    if (VICTIM)
        *p = 1;
    upc_barrier;
}

static void wild_shared(void)
{
    shared [] char *p = upc_alloc(4);
    if (VICTIM)
        p[(size_t)8 << 30] = 1;
    upc_barrier;
}

static void call_null(void)
{
    void (*volatile f)(void) = NULL;
    if (VICTIM)
        f();
    upc_barrier;
}

static int deeper(int n)
{
    volatile char room[4096];
    room[0] = (char)n;
    return n > 1000000000 ? 0 : deeper(n + 1) + room[0];
}

static void stack(void)
{
    if (VICTIM)
        deeper(0);
    upc_barrier;
}

static void divide(void)
{
    volatile int zero = 0;
    if (VICTIM)
        counter = 7 / zero;
    upc_barrier;
}

static void trap(void)
{
    if (VICTIM)
        __builtin_trap();
    upc_barrier;
}

static void aborts(void)
{
    if (VICTIM)
        abort();
    upc_barrier;
}

// A page beyond the end of a file, as memory that the system cannot give.
static void no_memory(void)
{
    if (VICTIM) {
        FILE *file = tmpfile();
        volatile char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
        *p = 1;
    }
    upc_barrier;
}

// More private memory than a limit allows: an allocation fails, and the program does not look.
static void no_private_memory(void)
{
    if (VICTIM) {
        volatile char *volatile p = malloc((size_t)1 << 60);
        *p = 1;
    }
    upc_barrier;
}

static void exits_in_barrier(void)
{
    if (VICTIM)
        exit(3);
    upc_barrier;
}

enum { LONG_BLOCK = 100000 };
static shared [8] char of_few[8 * THREADS], to_few[8 * THREADS];
static shared [LONG_BLOCK] char of_many[LONG_BLOCK * THREADS], to_many[LONG_BLOCK * THREADS];

// Each waits for the victim's data.
static void exits_in_broadcast(void)
{
    if (VICTIM)
        exit(3);
    upc_all_broadcast(to_few, &of_few[8 * (THREADS - 1)], 8, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
}

static void exits_in_long_broadcast(void)
{
    if (VICTIM)
        exit(3);
    upc_all_broadcast(to_many, &of_many[LONG_BLOCK * (THREADS - 1)], LONG_BLOCK, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
}

// Thread 0 waits for the victim in vain, whatever the others do.
static void exits_early(void)
{
    if (VICTIM)
        exit(0);
    if (MYTHREAD == 0)
        upc_barrier;
    forever();
}

static void leaves_main(void)
{
    if (VICTIM)
        return;
    upc_barrier;
}

static void exits_at_once(void)
{
    if (VICTIM)
        _exit(3);
    upc_barrier;
}

static void exits_at_once_well(void)
{
    if (VICTIM)
        _exit(0);
    upc_lock(lock);
    upc_barrier;
}

static void nested(int depth)
{
    if (depth == 0)
        upc_global_exit(7);
    nested(depth - 1);
}

static void global_exit(void)
{
    printf("unfinished");
    if (VICTIM)
        nested(20);
    upc_barrier;
}

static void global_exit_handler(void)
{
    upc_global_exit(9);
}

static void global_exit_at_exit(void)
{
    if (VICTIM) {
        atexit(global_exit_handler);
        exit(0);
    }
    upc_barrier;
}

static void global_exit_everywhere(void)
{
    upc_global_exit(5);
}

static void global_exit_well(void)
{
    upc_global_exit(0);
}

static void statuses(void)
{
    exit(MYTHREAD == THREADS - 1 ? 11 : MYTHREAD);
}

static void crash_with_children(void)
{
    if (MYTHREAD == 0 && fork() == 0)
        forever();
    if (MYTHREAD == 1 % THREADS)
        popen("sleep 1000", "w");
    upc_barrier;
    if (VICTIM)
        raise(SIGSEGV);
    upc_barrier;
}

static void all_crash(void)
{
    volatile int *volatile p = NULL;
    upc_barrier;
    *p = 1;
}

static const struct {
    const char *name;
    void (*run)(void);
} ends[] = {
#define END(name) {#name, name}
    END(idle),          END(busy),         END(in_barrier),         END(in_lock),        END(for_lock),
    END(in_wait),       END(in_allocation), END(in_children),       END(flood),          END(null_shared),
    END(null_index),    END(before_all),   END(overrun),            END(prefix_phases),  END(prefix_threads), END(prefix_blocks),
    END(null_private),  END(wild_private), END(wild_shared),        END(call_null),      END(stack),
    END(divide),        END(trap),         END(aborts),             END(no_memory),      END(no_private_memory),
    END(exits_in_barrier), END(exits_in_broadcast), END(exits_in_long_broadcast), END(exits_early), END(leaves_main),      END(exits_at_once),  END(exits_at_once_well),
    END(global_exit),   END(global_exit_at_exit), END(global_exit_everywhere), END(statuses), END(crash_with_children),
    END(all_crash),     END(deadlock),     END(all_fail),           END(global_exit_well),
    END(child_in_barrier), END(child_notifies), END(child_locks),   END(child_allocates), END(child_allocates_together),
    END(child_ends_job), END(child_writes_remote), END(ended_by_pthread), END(ended_by_child), END(ended_by_orphan),
    END(ended_by_alarm), END(ended_by_timer), END(slow),
};

int main(int argc, char **argv)
{
    lock = upc_all_lock_alloc();
    for (size_t i = 0; argc > 1 && i < sizeof ends / sizeof *ends; i++)
        if (strcmp(argv[1], ends[i].name) == 0) {
            ends[i].run();
            return 0;
        }
    fprintf(stderr, "no such end\n");
    return 100;
}
