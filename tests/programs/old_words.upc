// question: the macros of the headers of UPC 1.0 are statements where the program declares no such name
// counts: UPC_BARRIER=6*THREADS, UPC_FENCE=3*THREADS, UPC_NOTIFY=2*THREADS, UPC_WAIT=2*THREADS, UPC_FORALL=2*THREADS, UPC_GET=4*THREADS, UPC_GET.remote=0, UPC_PUT=4*THREADS, UPC_PUT.remote=0
#include "check.h"

shared int hits[4 * THREADS];
shared [] char *text;
struct { int barrier; int wait; } counters;
enum fence { post, rail };

/* Declared here: its own names in this scope. */
static int own(int barrier)
{
    int wait = barrier, notify = 1;
    barrier;
    wait;
    notify;
    return barrier + wait;
}

/* A variable of an inner scope ends with it. */
static void scopes(void)
{
    { int barrier = 3; barrier; (void)barrier; }
    barrier;
    { typedef int fence; fence f = 1; (void)f; }
    fence;
}

static void labels(int n)
{
    goto wait;
barrier:
    n++;
wait:
    if (n < 2)
        goto barrier;
}

int main(void)
{
    int i, n = 3;
    forall (i = 0; i < 4 * THREADS; i++; &hits[i])
        hits[i] = i + 1;
    barrier;
    if (n) barrier 1; else fence;
    notify n;
    wait n;
    do barrier_notify; while (0);
    barrier_wait;
    switch (n) { case 3: barrier THREADS; }
    for (int j = 0; j < 2; j++) fence;
    forall (int j = 0; j < 4 * THREADS; j++; j)
        counters.barrier += hits[j] == j + 1 && upc_threadof(&hits[j]) == MYTHREAD;
    CHECK(counters.barrier == 4);
    CHECK(own(2) == 4);
    scopes();
    barrier;
    return pass();
}
