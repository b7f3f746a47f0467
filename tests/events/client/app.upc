/* The events that the tool receives. Two threads. */
#include <pupc.h>
#include <stdlib.h>
#include <upc.h>
#include <upc_collective.h>

shared int a[THREADS];
shared [2] int b[2 * THREADS];
shared long sum;
shared [1] long parts[THREADS];

static int work(int v)
{
    return v + 1;
}

int main(void)
{
    unsigned step = pupc_create_event("step", "number %d of %s");
    int next = (MYTHREAD + 1) % THREADS, v, two[2] = {7, 8};
    a[next] = 40 + MYTHREAD;
    upc_barrier 3;
    v = a[next];
    pupc_event_start(step, v, "app");
    upc_memput(&b[2 * next + 1], two, sizeof(int));
    v = work(v);
    pupc_event_end(step, v, "app");
    upc_barrier;
    upc_memget(two, &b[2 * next + 1], sizeof(int));
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_lock(lock);
    upc_unlock(lock);
    free(malloc(10));
    upc_all_reduceL(&sum, parts, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    return 0;
}
