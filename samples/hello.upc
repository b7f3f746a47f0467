/*
 * hello: threads, affinity and the barrier.
 *
 * Every thread runs main().  MYTHREAD tells it which one it is, THREADS how many there are.  A
 * shared array without a layout qualifier is dealt out one element to each thread in turn, so
 * greeting[t] has affinity to thread t: thread t owns it, and every other thread may read and
 * write it just by naming it.
 *
 *   upcc -o hello hello.upc && ./hello -n 4
 *
 * prints one line for each thread, in the order of their numbers, and then "hello: OK (...)".
 */
#include <stdio.h>
#include <upc.h>

shared int greeting[THREADS]; /* greeting[t]: who greeted thread t; affinity to thread t */

int main(void)
{
    int right = (MYTHREAD + 1) % THREADS;
    int left = (MYTHREAD + THREADS - 1) % THREADS;
    int t;

    greeting[right] = MYTHREAD; /* a put: the element belongs to the neighbour */

    upc_barrier; /* after it, everybody sees what everybody wrote before it */

    /* Taking turns: between two barriers only one thread speaks. */
    for (t = 0; t < THREADS; t++) {
        if (t == MYTHREAD) {
            printf("thread %d of %d: greeted by thread %d\n", MYTHREAD, THREADS,
                   greeting[MYTHREAD]);
            fflush(stdout);
        }
        upc_barrier t; /* named: threads that meet at different barriers stop the program */
    }

    if (greeting[MYTHREAD] != left || upc_threadof(&greeting[MYTHREAD]) != (size_t)MYTHREAD) {
        printf("hello: FAILED (thread %d was greeted by %d, not by %d)\n", MYTHREAD,
               greeting[MYTHREAD], left);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0) {
#ifdef __UPC_STATIC_THREADS__
        printf("hello: OK (%d threads, fixed when compiled)\n", THREADS);
#else
        printf("hello: OK (%d threads, chosen at start)\n", THREADS);
#endif
    }
    return 0;
}

/* The events that all threads together raise. Tests compare them with a profile. */
// counts: UPC_BARRIER=THREADS*THREADS+2*THREADS, UPC_PUT=THREADS, UPC_PUT.remote=THREADS*(THREADS>1), UPC_GET=2*THREADS, UPC_GET.remote=0
