/* How a thread is served while another one keeps the same target at work: thread 0 reads a word of thread 1 while thread 2 does nothing, sets a
   gigabyte of thread 1's memory, or frees a block of 512 MB there. Each line printed: name, nanoseconds of a read. */
#include <string.h>
#include <upc.h>
#include "bench.h"

enum { READS_MOST = 1 << 20, TIMES = 3 };

static const size_t SET = (size_t)1 << 30, FREED = (size_t)1 << 29;

shared double word[THREADS];
/* Phases of thread 2 that are over; it has affinity to thread 0, which reads it. */
strict shared long over;
/* The block of thread 1 that thread 2 works on. */
shared [] char *shared block;
static double reads[READS_MOST];
static volatile double sink;

static void nothing(void)
{
    double start = bench_now();
    while (bench_now() - start < 1e8)
        ;
}

static void set(void)
{
    upc_memset(block, 1, SET);
}

static void free_it(void)
{
    upc_free(block);
}

/* Thread 1 allocates and touches a block of so many bytes. */
static void provide(size_t bytes)
{
    if (MYTHREAD == 1) {
        shared [] char *mine = upc_alloc(bytes);
        if (mine == NULL)
            exit(2);
        memset((char *)mine, 2, bytes);
        block = mine;
    }
}

static size_t read_while(long phase, size_t count)
{
    double sum = 0;
    while (over == phase && count < READS_MOST) {
        double start = bench_now();
        sum += word[1];
        reads[count++] = bench_now() - start;
    }
    sink = sum;
    return count;
}

static void measure(const char *name, void (*work)(void), size_t bytes)
{
    static long phase;
    size_t count = 0;
    char text[64];
    for (int t = 0; t < TIMES; t++, phase++) {
        if (bytes != 0)
            provide(bytes);
        upc_barrier;
        if (MYTHREAD == 2) {
            work();
            upc_fence;
            over = phase + 1;
        } else if (MYTHREAD == 0) {
            count = read_while(phase, count);
        }
        upc_barrier;
    }
    if (MYTHREAD != 0 || count == 0)
        return;
    qsort(reads, count, sizeof *reads, bench_compare);
    snprintf(text, sizeof text, "%s_half", name);
    bench_print(text, reads[count / 2]);
    snprintf(text, sizeof text, "%s_most", name);
    bench_print(text, reads[count / 10 * 9]);
    snprintf(text, sizeof text, "%s_longest", name);
    bench_print(text, reads[count - 1]);
}

int main(void)
{
    if (THREADS != 3)
        return 2;
    measure("nothing", nothing, 0);
    provide(SET);
    measure("set", set, 0);
    if (MYTHREAD == 1)
        upc_free(block);
    measure("freed", free_it, FREED);
    return 0;
}
