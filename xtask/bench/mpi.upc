/* What the transport mpi does with messages, thread 0 being the one who asks. Arguments: accesses, megabytes, barriers. Each line printed: name,
   nanoseconds; for mpi_floor.c has the same without UPC. */
#include <string.h>
#include <upc.h>
#include <upc_nb.h>
#include "bench.h"

enum { LINE = 8192, LARGE = 1 << 20, WINDOW = 8, WORDS = 1 << 15, TIMES = 5, WHOLE = 64 << 20 };

typedef struct { char bytes[LARGE]; } large;

shared large area[THREADS * WINDOW];
shared double word[THREADS];
shared double words[THREADS * WORDS];
/* Counts computations of thread 1 that are over. */
strict shared long over[THREADS];
static char here[WINDOW][LARGE];
static volatile double sink;

/* Reads of a word; the place of each depends on the one before, so that the compiler can neither move nor collect them. */
static double read_words(int count)
{
    double start = bench_now();
    int at = 1;
    for (int i = 0; i < count; i++)
        at = 1 + (int)word[at];
    sink = at;
    return (bench_now() - start) / count;
}

/* The thread that has the words waits in a barrier. */
static void gets(int count)
{
    upc_barrier;
    if (MYTHREAD == 0) {
        double start;
        read_words(count);
        bench_print("small", read_words(count));
        start = bench_now();
        for (int i = 0; i < count / 4; i++)
            upc_memget(here[0], &area[1], LINE);
        bench_print("line", (bench_now() - start) / (count / 4));
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

static shared [] char *whole; /* of thread 1 */
static char *copy;

static upc_handle_t start_whole(int is_put)
{
    return is_put ? upc_memput_nb(whole, copy, WHOLE) : upc_memget_nb(copy, whole, WHOLE);
}

/* Computation beside a transfer of 64 MB: what a start takes, and how much the computation is longer for it. A transfer alone has two
   processors, one for each side. Beside the computation both sides have one, and the transfer takes up to twice as long. */
static void overlap(int is_put, const char *alone, const char *in_start, const char *exposed)
{
    double whole_time[TIMES], start_time[TIMES], exposed_time[TIMES];
    long turns = 1000000;
    for (int t = -1; MYTHREAD == 0 && t < TIMES; t++) {
        int i = t < 0 ? 0 : t;
        double start = bench_now(), own, started;
        upc_sync(start_whole(is_put));
        whole_time[i] = bench_now() - start;
        for (int round = 0; round < 3; round++)
            turns = (long)(turns * 2.4 * whole_time[i] / compute(turns));
        own = compute(turns);
        start = bench_now();
        upc_handle_t handle = start_whole(is_put);
        started = bench_now();
        compute(turns);
        upc_sync(handle);
        start_time[i] = started - start;
        exposed_time[i] = bench_now() - start - own;
    }
    if (MYTHREAD == 0) {
        bench_print(alone, bench_median(whole_time, TIMES));
        bench_print(in_start, bench_median(start_time, TIMES));
        bench_print(exposed, bench_median(exposed_time, TIMES));
    }
    upc_barrier;
}

/* Reads of a word of a thread whose memory is set to one value meanwhile. */
static void gets_beside_a_set(void)
{
    double longest[TIMES], sum = 0;
    for (int t = 0; MYTHREAD == 0 && t < TIMES; t++) {
        longest[t] = 0;
        upc_handle_t handle = upc_memset_nb(whole, t, WHOLE);
        while (handle != UPC_COMPLETE_HANDLE && !upc_sync_attempt(handle)) {
            double start = bench_now();
            sum += word[1];
            double time = bench_now() - start;
            longest[t] = time > longest[t] ? time : longest[t];
        }
    }
    sink = sum;
    if (MYTHREAD == 0)
        bench_print("beside_set", bench_median(longest, TIMES));
    upc_barrier;
}

static void whole_transfers(void)
{
    shared [] char *mine = MYTHREAD == 1 ? upc_alloc(WHOLE) : NULL;
    static shared [] char *shared place;
    copy = malloc(WHOLE);
    if (copy == NULL)
        exit(2);
    memset(copy, 1, WHOLE);
    if (MYTHREAD == 1) {
        memset((char *)mine, 1, WHOLE);
        place = mine;
    }
    upc_barrier;
    whole = place;
    overlap(0, "whole_get", "start_get", "exposed_get");
    overlap(1, "whole_put", "start_put", "exposed_put");
    gets_beside_a_set();
    free(copy);
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
        whole_transfers();
    }
    barriers(atoi(argv[3]));
    return 0;
}
