/*
 * apexmap: how fast remote memory is read, over spatial and temporal locality.
 *
 * After the Apex-MAP benchmark (Strohmaier and Shan), in the form in which Zhang studied caches
 * of UPC systems with it.  An access reads L consecutive doubles.  Its start is drawn from a power
 * law: for u uniform in [0, 1) it is the fraction u^(1/K) of the data.  With K = 1 all places are
 * equally likely; the smaller K is, the more often an access comes back to the same few places.
 * So L is spatial locality and K temporal locality.
 *
 * Each thread reads the data of the next one, so all data is remote (with one thread all of it is
 * local) and no two threads read the same.  The program prints megabytes per second and thread,
 * a row for each L and a column for each K.  On one machine this shows what the processor's caches
 * do with the two localities.  Where the next thread is reached by messages (-pshm-width=1), each
 * double is a message without the runtime's cache, and all figures are alike; with the cache they
 * rise with both localities:
 *
 *   upcc -O -pshm-width=1 -o apexmap apexmap.upc
 *   upcrun -n 2 -pshm-delay 2000 -cache=off apexmap
 *   upcrun -n 2 -pshm-delay 2000 -cache=on apexmap
 *
 * An argument is the number of doubles per measurement; more give steadier figures.
 *
 * The sums of what is read are verified.
 *
 * prints "apexmap: OK (...)".
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc_relaxed.h>

#define DATA (1 << 19)  /* doubles of each thread */
#define READS (1 << 13) /* doubles read by a measurement, unless the argument says otherwise */

static const int lengths[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
static const double shapes[] = {1.0, 0.5, 0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.0025, 0.001};
#define LENGTHS (int)(sizeof lengths / sizeof lengths[0])
#define SHAPES (int)(sizeof shapes / sizeof shapes[0])

shared [DATA] double data[DATA * THREADS];
shared double rate[THREADS];
shared int wrong[THREADS];

static double value(int i) { return i % 4099; }

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

/* Draws where the accesses of a measurement start, before the clock runs. */
static void draw(int *starts, int count, int length, double shape)
{
    static unsigned long state = 88172645463325252ul;
    int i;

    for (i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        starts[i] = (int)(pow((state >> 11) * 0x1p-53, 1 / shape) * (DATA - length));
    }
}

/* Reads `count` times `length` doubles of the next thread, and returns the time. */
static double measure(const int *starts, int count, int length, double *sum)
{
    shared [] double *next = (shared [] double *)&data[(MYTHREAD + 1) % THREADS * DATA];
    double start, total = 0;
    int i, j;

    upc_barrier; /* empties the cache */
    start = seconds();
    for (i = 0; i < count; i++)
        for (j = 0; j < length; j++)
            total += next[starts[i] + j];
    *sum = total;
    return seconds() - start;
}

/* Returns the same sum, computed from the values that the data has. */
static double expected(const int *starts, int count, int length)
{
    double total = 0;
    int i, j;

    for (i = 0; i < count; i++)
        for (j = 0; j < length; j++)
            total += value(starts[i] + j);
    return total;
}

int main(int argc, char **argv)
{
    int reads = argc > 1 ? atoi(argv[1]) : READS;
    int *starts, errors = 0, l, k, i, t;

    if (reads < lengths[LENGTHS - 1])
        reads = lengths[LENGTHS - 1];
    starts = malloc(reads * sizeof *starts);
    for (i = 0; i < DATA; i++)
        data[MYTHREAD * DATA + i] = value(i);
    upc_barrier;

    if (MYTHREAD == 0) {
        printf("MB/s per thread   K\n%8s", "L");
        for (k = 0; k < SHAPES; k++)
            printf("%9g", shapes[k]);
        printf("\n");
    }
    for (l = 0; l < LENGTHS; l++) {
        if (MYTHREAD == 0)
            printf("%8d", lengths[l]);
        for (k = 0; k < SHAPES; k++) {
            int count = reads / lengths[l];
            double sum, time;

            draw(starts, count, lengths[l], shapes[k]);
            time = measure(starts, count, lengths[l], &sum);
            errors += sum != expected(starts, count, lengths[l]);
            rate[MYTHREAD] = count * (double)lengths[l] * sizeof(double) / time / 1e6;
            upc_barrier;
            if (MYTHREAD == 0) {
                double mean = 0;

                for (t = 0; t < THREADS; t++)
                    mean += rate[t] / THREADS;
                printf("%9.1f", mean);
            }
        }
        if (MYTHREAD == 0) {
            printf("\n");
            fflush(stdout);
        }
    }
    free(starts);

    wrong[MYTHREAD] = errors;
    upc_barrier;
    if (MYTHREAD == 0) {
        errors = 0;
        for (t = 0; t < THREADS; t++)
            errors += wrong[t];
        if (errors != 0) {
            printf("apexmap: FAILED (%d sums are wrong)\n", errors);
            upc_global_exit(1);
        }
        printf("apexmap: OK (%d doubles a measurement)\n", reads);
    }
    return 0;
}
