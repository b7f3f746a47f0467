/* How many messages an operation takes, and how much memory other threads cost. The suite `scale` reads what it prints: a line
   "KEY: MAX MEAN" for each operation, the messages for one of it that the busiest thread has sent and the mean over all threads, and a line
   "memory: OURS RSS", bytes that the runtime has taken because there are other threads and kilobytes of the largest process, both of the
   thread that has most; and "woken: MAX MEAN", how often a message has found a thread asleep that waits in a barrier, and has woken it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>
#include <upc_collective.h>
#include <bupc_collectivev.h>
#include <bupc_extensions.h>

struct traffic {
    unsigned long long messages, bytes, memory, woken;
};
void upcr_tp_traffic(struct traffic *traffic);

enum { TIMES = 8, TRIES = 3, ELEMENTS = 4096, LONG = 1 << 18 };

static shared double counted[THREADS];
static shared [] char *shared remote[THREADS];
static upc_lock_t *shared locks[THREADS];
static upc_lock_t *common;
static shared [ELEMENTS] double numbers[ELEMENTS * THREADS], prefixes[ELEMENTS * THREADS];
static shared double result;
static shared [8] char narrow[8 * THREADS], moved[8 * THREADS];
static shared void *wide;
static shared void *crossed; /* eight bytes for each thread, on each of them */
static shared void *all;            /* on thread 0 */
static shared int permutation[THREADS];
static shared [LONG] char copies[LONG * THREADS];
static shared [] char original[LONG];
static char column[64 * 8];
static int *values;
static upc_lock_t *next_lock; /* of the next thread */
static shared [] char *next_remote;

static void nothing(int turn) {}

static void barrier(int turn)
{
    upc_barrier;
}

static void split_barrier(int turn)
{
    upc_notify turn;
    upc_wait turn;
}

static void free_lock(int turn)
{
    upc_lock(next_lock);
    upc_unlock(next_lock);
}

static void wanted_lock(int turn)
{
    upc_lock(common);
    upc_unlock(common);
}

static void all_alloc(int turn)
{
    shared void *block = upc_all_alloc(THREADS, 64);
    upc_all_free(block);
}

static void growing_alloc(int turn)
{
    if (turn == 0)
        upc_all_free(upc_all_alloc(THREADS, 6 << 20));
}

/* By one thread. */
static void global_alloc(int turn)
{
    if (MYTHREAD == THREADS - 1)
        upc_free(upc_global_alloc(THREADS, 64));
}

static void large_free(int turn)
{
    if (MYTHREAD == THREADS - 1 && turn == 0)
        upc_free(upc_global_alloc(THREADS, 36 << 20));
}

static void strided_put(int turn)
{
    bupc_memput_fstrided(next_remote, 8, 64, 64, column, 8, 8, 64);
    upc_fence;
}

static void strided_get(int turn)
{
    bupc_memget_fstrided(column, 8, 8, 64, next_remote, 8, 64, 64);
}

static void broadcast(int turn)
{
    upc_all_broadcast(narrow, all, 8, 0);
}

static void long_broadcast(int turn)
{
    upc_all_broadcast(copies, original, LONG, 0);
}

static void scatter(int turn)
{
    upc_all_scatter(narrow, all, 8, 0);
}

static void gather(int turn)
{
    upc_all_gather(all, narrow, 8, 0);
}

static void gather_all(int turn)
{
    upc_all_gather_all(wide, narrow, 8, 0);
}

static void exchange(int turn)
{
    upc_all_exchange(crossed, wide, 8, 0);
}

static void permute(int turn)
{
    upc_all_permute(moved, narrow, permutation, 8, 0);
}

static void reduce(int turn)
{
    upc_all_reduceD(&result, numbers, UPC_ADD, ELEMENTS * THREADS, ELEMENTS, NULL, 0);
}

static void prefix_reduce(int turn)
{
    upc_all_prefix_reduceD(prefixes, numbers, UPC_ADD, ELEMENTS * THREADS, ELEMENTS, NULL, 0);
}

static void value_reduce(int turn)
{
    (void)bupc_allv_reduce_all(int, MYTHREAD, UPC_ADD);
}

static void value_gather(int turn)
{
    (void)bupc_allv_gather_all(int, MYTHREAD, values);
}

static const struct {
    const char *key;
    void (*run)(int turn);
    int times; /* what one round counts for */
} operations[] = {
    {"barrier", barrier, TIMES},
    {"split_barrier", split_barrier, TIMES},
    {"free_lock", free_lock, TIMES},
    {"wanted_lock", wanted_lock, TIMES},
    {"all_alloc", all_alloc, TIMES},
    {"growing_alloc", growing_alloc, 1},
    {"global_alloc", global_alloc, TIMES},
    {"large_free", large_free, 1},
    {"strided_put", strided_put, TIMES},
    {"strided_get", strided_get, TIMES},
    {"broadcast", broadcast, TIMES},
    {"long_broadcast", long_broadcast, TIMES},
    {"scatter", scatter, TIMES},
    {"gather", gather, TIMES},
    {"gather_all", gather_all, TIMES},
    {"exchange", exchange, TIMES},
    {"permute", permute, TIMES},
    {"reduce", reduce, TIMES},
    {"prefix_reduce", prefix_reduce, TIMES},
    {"value_reduce", value_reduce, TIMES},
    {"value_gather", value_gather, TIMES},
};

static double sent(void)
{
    struct traffic traffic;
    upcr_tp_traffic(&traffic);
    return traffic.messages;
}

/* Messages of this thread for TIMES turns and the barriers around them. */
static double count(void (*run)(int turn))
{
    upc_barrier;
    double before = sent();
    upc_barrier;
    for (int turn = 0; turn < TIMES; turn++)
        run(turn);
    upc_barrier;
    upc_barrier;
    return sent() - before;
}

/* The largest and the mean of the threads' values, on thread 0. */
static void over_threads(double value, double *most, double *mean)
{
    *most = *mean = 0;
    counted[MYTHREAD] = value;
    upc_barrier;
    for (int t = 0; MYTHREAD == 0 && t < THREADS; t++) {
        *most = counted[t] > *most ? counted[t] : *most;
        *mean += counted[t] / THREADS;
    }
    upc_barrier;
}

/* The least of several tries: a thread that waits for long may say so. */
static void measure(const char *key, void (*run)(int turn), int times)
{
    double best_most = 1e9, best_mean = 1e9, most, mean;
    for (int try = 0; try < (times == 1 ? 1 : TRIES); try++) {
        double empty = count(nothing);
        over_threads((count(run) - empty) / times, &most, &mean);
        best_most = most < best_most ? most : best_most;
        best_mean = mean < best_mean ? mean : best_mean;
    }
    if (MYTHREAD == 0)
        printf("%s: %.2f %.2f\n", key, best_most, best_mean);
}

/* How often this thread is woken while it waits in a barrier and thread 0 reads from each, one after the other, with rests in between. */
static double woken(void)
{
    struct traffic before, after;
    upc_barrier;
    upcr_tp_traffic(&before);
    for (int t = 1; MYTHREAD == 0 && t < THREADS; t++) {
        usleep(5000);
        next_remote = remote[t];
    }
    upc_barrier;
    upcr_tp_traffic(&after);
    return after.woken - before.woken;
}

static double resident(void)
{
    char line[200];
    double kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, "RssAnon:", 8) == 0)
            sscanf(line + 8, "%lf", &kilobytes);
    if (status != NULL)
        fclose(status);
    return kilobytes;
}

int main(void)
{
    struct traffic traffic;
    double ours, mean, kilobytes;
    remote[MYTHREAD] = (shared [] char *)upc_alloc(64 * 64);
    locks[MYTHREAD] = upc_global_lock_alloc();
    common = upc_all_lock_alloc();
    permutation[MYTHREAD] = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < ELEMENTS; i++)
        numbers[MYTHREAD * ELEMENTS + i] = i;
    wide = upc_all_alloc(THREADS, 8 * THREADS);
    crossed = upc_all_alloc(THREADS, 8 * THREADS);
    all = upc_all_alloc(1, 8 * THREADS);
    values = malloc(THREADS * sizeof *values);
    upc_barrier;
    next_lock = locks[(MYTHREAD + 1) % THREADS];
    next_remote = remote[(MYTHREAD + 1) % THREADS];
    upc_barrier;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        measure(operations[i].key, operations[i].run, operations[i].times);
    upcr_tp_traffic(&traffic);
    over_threads(traffic.memory, &ours, &mean);
    over_threads(resident(), &kilobytes, &mean);
    if (MYTHREAD == 0)
        printf("memory: %.0f %.0f\n", ours, kilobytes);
    over_threads(woken(), &ours, &mean);
    if (MYTHREAD == 0)
        printf("woken: %.2f %.2f\n", ours, mean);
    return 0;
}
