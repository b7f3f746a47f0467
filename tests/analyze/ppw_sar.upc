// finding: late-thread 48 thread 0
// why: more than the others outside events
/* Patches of a radar image, as in the case study of PPW (chapter 6.3): the master writes the result of the last
   iteration, reads the next patches, sends them to all others, and processes one itself. All others wait at the
   barrier until it has done so. A disk that takes 6 ms stands for the file. */
#include <stdio.h>
#include <unistd.h>
#include "work.h"

#define ITERATIONS 10
#define DISK 6000
#define PATCH 512

shared [PATCH] double patches[PATCH * THREADS];
double image[PATCH];

/* Writes the results and reads the next patches. */
static void transfer_file(int iteration, int microseconds)
{
    for (int i = 0; i < PATCH; i++)
        image[i] = iteration;
    usleep(microseconds);
}

static double process(void)
{
    double *patch = (double *)&patches[MYTHREAD * PATCH];

    work(300);
    return patch[0];
}

int main(void)
{
    double sum = 0;

    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
#ifdef ADVISED /* Each thread reads and writes its own patches. */
        transfer_file(iteration, DISK / THREADS);
        upc_memput(&patches[MYTHREAD * PATCH], image, sizeof image);
#else
        if (MYTHREAD == 0) {
            transfer_file(iteration, DISK);
            for (int to = 0; to < THREADS; to++)
                upc_memput(&patches[to * PATCH], image, sizeof image);
        }
#endif
        upc_barrier;
        sum += process();
        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf(sum == ITERATIONS * (ITERATIONS - 1) / 2 ? "PASS %.0f\n" : "FAIL %.0f\n",
               1e3 * DISK * ITERATIONS * (THREADS - 1));
    return 0;
}
