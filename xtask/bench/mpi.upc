/* What the transport mpi does with messages, thread 0 being the one who asks. Arguments: accesses, megabytes, barriers. Each line printed: name,
   nanoseconds; for mpi_floor.c has the same without UPC. */
#include <string.h>
#include <upc.h>
#include <upc_nb.h>
#include "bench.h"

enum { LINE = 8192, LARGE = 1 << 20, WINDOW = 8, WORDS = 1 << 15, TIMES = 5 };

typedef struct { char bytes[LARGE]; } large;

shared large area[THREADS * WINDOW];
shared double word[THREADS];
shared double words[THREADS * WORDS];
/* Counts computations of thread 1 that are over. */
strict shared long over[THREADS];
static char here[WINDOW][LARGE];
static volatile double sink;

/* Reads of a word; the thread that has it waits in a barrier. */
static void gets(int count)
{
    upc_barrier;
    if (MYTHREAD == 0) {
        double start, sum = 0;
        for (int i = 0; i < count; i++)
            sum += word[1];
        start = bench_now();
        for (int i = 0; i < count; i++)
            sum += word[1];
        bench_print("small", (bench_now() - start) / count);
        start = bench_now();
        for (int i = 0; i < count / 4; i++)
            upc_memget(here[0], &area[1], LINE);
        bench_print("line", (bench_now() - start) / (count / 4));
        sink = sum;
    }
    upc_barrier;
}

static void puts_collected(int count)
{
    upc_barrier;
    if (MYTHREAD == 0) {
        double start = 0;
        for (int round = 0; round < 2; round++) {
            start = bench_now();
            for (int done = 0; done < count; done += WORDS)
                for (int i = 0; i < WORDS; i++)
                    words[1 + i * THREADS] = i;
            upc_fence;
        }
        bench_print("put", (bench_now() - start) / ((count + WORDS - 1) / WORDS * WORDS));
    }
    upc_barrier;
}

/* WINDOW transfers of a megabyte at a time. */
static void get_window(void)
{
    upc_handle_t handle[WINDOW];
    for (int w = 0; w < WINDOW; w++)
        handle[w] = upc_memget_nb(here[w], &area[1 + w * THREADS], LARGE);
    for (int w = 0; w < WINDOW; w++)
        upc_sync(handle[w]);
}

static void put_window(void)
{
    upc_handle_t handle[WINDOW];
    for (int w = 0; w < WINDOW; w++)
        handle[w] = upc_memput_nb(&area[1 + w * THREADS], here[w], LARGE);
    for (int w = 0; w < WINDOW; w++)
        upc_sync(handle[w]);
    upc_fence;
}

static void get_alone(void)
{
    upc_memget(here[0], &area[1], LARGE);
}

static void put_alone(void)
{
    upc_memput(&area[1], here[0], LARGE);
    upc_fence;
}

static void transfers(const char *name, void (*transfer)(void), int megabytes, int count)
{
    upc_barrier;
    if (MYTHREAD == 0) {
        double start;
        for (int i = 0; i < count / 4; i += megabytes)
            transfer();
        start = bench_now();
        for (int i = 0; i < count; i += megabytes)
            transfer();
        bench_print(name, (bench_now() - start) / count);
    }
    upc_barrier;
}

static double compute(long turns)
{
    double start = bench_now(), x = 1;
    for (long i = 0; i < turns; i++)
        x = x * 0.999999 + 1e-9;
    sink = x;
    return bench_now() - start;
}

/* Thread 1 computes for a tenth of a second, with thread 0 in a barrier, and with thread 0 reading a word of its memory. */
static void gets_of_the_busy(void)
{
    double alone[TIMES], asked[TIMES], get[TIMES];
    long turns = 1000000;
    if (MYTHREAD == 1)
        for (int round = 0; round < 3; round++)
            turns = (long)(turns * 1e8 / compute(turns));
    for (int t = 0; t < TIMES; t++) {
        upc_barrier;
        if (MYTHREAD == 1)
            alone[t] = compute(turns);
        upc_barrier;
        if (MYTHREAD == 1) {
            asked[t] = compute(turns);
            over[1]++;
        } else if (MYTHREAD == 0) {
            double start = bench_now();
            long count = 0;
            do
                count++;
            while (over[1] == t);
            get[t] = (bench_now() - start) / count;
        }
        upc_barrier;
    }
    if (MYTHREAD == 0)
        bench_print("busy", bench_median(get, TIMES));
    upc_barrier;
    if (MYTHREAD == 1) {
        bench_print("computation", bench_median(alone, TIMES));
        bench_print("asked", bench_median(asked, TIMES));
    }
    upc_barrier;
}

static void barriers(int count)
{
    double start = 0;
    for (int round = 0; round < 2; round++) {
        upc_barrier;
        start = bench_now();
        for (int i = 0; i < count; i++)
            upc_barrier;
    }
    if (MYTHREAD == 0)
        bench_print("barrier", (bench_now() - start) / count);
}

int main(int argc, char **argv)
{
    int accesses, megabytes;
    if (argc != 4)
        return 2;
    accesses = atoi(argv[1]);
    megabytes = atoi(argv[2]);
    memset(here, 1, sizeof here);
    for (int w = 0; w < WINDOW; w++)
        memset((large *)&area[MYTHREAD + w * THREADS], 1, LARGE);
    if (THREADS == 2) {
        gets(accesses);
        puts_collected(accesses * 100);
        transfers("large_get", get_window, WINDOW, megabytes);
        transfers("large_put", put_window, WINDOW, megabytes);
        transfers("alone_get", get_alone, 1, megabytes);
        transfers("alone_put", put_alone, 1, megabytes);
        gets_of_the_busy();
    }
    barriers(atoi(argv[3]));
    return 0;
}
