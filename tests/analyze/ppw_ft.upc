// finding: late-thread 40 thread 1
// why: more than the others in upc_memget at
// distance: 2000000
/* The transposition of a Fourier transform, as in the case study of PPW (chapter 6.2): each thread gets its planes from
   all others, one blocking upc_memget after the other, and waits at a barrier. Thread 1 has more planes than the others,
   two, or where transfers are short, as many as take longer than a thread that has gone to sleep takes to wake up. All wait
   at the barrier for its transfers. The remedy of the study: transfers that do not block. */
#include <stdio.h>
#include <upc_nb.h>
#include "work.h"

#define N 64
#define STEPS (DISTANCE ? 12 / THREADS + 2 : 200)
#define MOST (DISTANCE ? 2 : 64) /* planes of a thread */

shared [N * MOST] double planes[N * MOST * THREADS];
double chunk[MOST][N];

int main(void)
{
    int mine = MYTHREAD == 1 ? MOST : 1;
    double sum = 0;

    for (int i = 0; i < N * MOST; i++)
        planes[MYTHREAD * N * MOST + i] = i;
    upc_barrier;
    for (int step = 0; step < STEPS; step++) {
        work(100);
        for (int other = 1; other < THREADS; other++) {
            int from = (MYTHREAD + other) % THREADS;
            for (int plane = 0; plane < mine; plane++)
#ifdef ADVISED
                upc_memget_nbi(chunk[plane], &planes[from * N * MOST + plane * N], sizeof chunk[plane]);
#else
                upc_memget(chunk[plane], &planes[from * N * MOST + plane * N], sizeof chunk[plane]);
#endif
        }
        upc_synci();
        sum += chunk[mine - 1][1];
        upc_barrier;
    }
    if (MYTHREAD == 0)
        planted(sum == STEPS, (double)STEPS * (THREADS - 1) * (THREADS - 1) * (MOST - 1) * DISTANCE);
    return 0;
}
