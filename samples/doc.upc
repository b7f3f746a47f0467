/*
 * doc: data for a session with a debugger.
 *
 * Pointers-to-shared in every place where a debugger meets them: in a variable, behind an array, in
 * a structure that points to the next thread's.  docs/debugging.md stops at the line marked below
 * and looks at them.
 *
 *   upcc -g doc.upc -o doc && upcrun -gdb -n 4 ./doc
 */
#include <stdio.h>
#include <upc.h>

struct point {
    int x, y;
    shared struct point *next;
};

shared [2] int pairs[4 * THREADS];
shared struct point points[THREADS];

int main(void)
{
    shared [2] int *p = &pairs[5 % (4 * THREADS)]; /* thread 2, phase 1, if there are 4 threads */
    int i, expected, ok;

    upc_forall (i = 0; i < 4 * THREADS; i++; &pairs[i])
        pairs[i] = 200 + i;
    points[MYTHREAD].x = MYTHREAD;
    points[MYTHREAD].y = 10 * MYTHREAD;
    points[MYTHREAD].next = &points[(MYTHREAD + 1) % THREADS];
    upc_barrier;

    expected = 10 * ((MYTHREAD + 1) % THREADS); /* the session stops here */
    ok = *p == 200 + (int)(p - pairs) && points[MYTHREAD].next->y == expected;
    if (!ok) {
        printf("doc: FAILED (thread %d)\n", MYTHREAD);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("doc: OK (%d pairs, %d points)\n", 2 * THREADS, THREADS);
    return 0;
}

/* The events that all threads together raise. Tests compare them with a profile. */
// counts: UPC_BARRIER=2*THREADS
