/* Shared accesses with affinity to the own thread against the same loops on private memory; remote accesses against raw ones.
   Each line printed: name, nanoseconds per element. */
#include <stdlib.h>
#include <upc.h>
#include "bench.h"

#define EACH 32768
#define REPEAT 400
#define BLOCK 1024
shared int cyclic[EACH * THREADS];
shared [BLOCK] int blocked[EACH * THREADS];
shared [BLOCK] int target[EACH * THREADS];
int private_a[EACH], private_b[EACH]; /* external: no store to them is dead */
volatile int sink;

static int sum_cyclic(void)
{
    int i, sum = 0;
    upc_forall (i = 0; i < EACH * THREADS; i++; &cyclic[i])
        sum += cyclic[i];
    return sum;
}

static int sum_blocked(void)
{
    int i, sum = 0;
    upc_forall (i = 0; i < EACH * THREADS; i++; &blocked[i])
        sum += blocked[i];
    return sum;
}

static int copy_blocked(void)
{
    int i;
    upc_forall (i = 0; i < EACH * THREADS; i++; &blocked[i])
        target[i] = blocked[i] + 1;
    return 0;
}

static int walk(void)
{
    int n, sum = 0;
    shared int *p = &cyclic[MYTHREAD];
    for (n = 0; n < EACH; n++, p += THREADS)
        sum += *p;
    return sum;
}

static int through_cast(void)
{
    int n, sum = 0;
    int *p = (int *)&cyclic[MYTHREAD];
    for (n = 0; n < EACH; n++)
        sum += p[n];
    return sum;
}

static int private_sum(void)
{
    int n, sum = 0;
    for (n = 0; n < EACH; n++)
        sum += private_a[n];
    return sum;
}

static int private_copy(void)
{
    int n;
    for (n = 0; n < EACH; n++)
        private_b[n] = private_a[n] + 1;
    return 0;
}

static unsigned next(unsigned x) { return x * 1664525u + 1013904223u; }

/* Elements of the next thread in random order. */
static int remote_read(void)
{
    int n, sum = 0, other = (MYTHREAD + 1) % THREADS;
    unsigned x = 1;
    shared [] int *p = (shared [] int *)&cyclic[other];
    for (n = 0; n < EACH; n++, x = next(x))
        sum += p[x >> 17];
    return sum;
}

static int remote_write(void)
{
    int n, other = (MYTHREAD + 1) % THREADS;
    unsigned x = 1;
    shared [] int *p = (shared [] int *)&cyclic[other];
    for (n = 0; n < EACH; n++, x = next(x))
        p[x >> 17] = n;
    return 0;
}

static int raw_read(void)
{
    int n, sum = 0;
    unsigned x = 1;
    for (n = 0; n < EACH; n++, x = next(x))
        sum += private_a[x >> 17];
    return sum;
}

static int raw_write(void)
{
    int n;
    unsigned x = 1;
    for (n = 0; n < EACH; n++, x = next(x))
        private_a[x >> 17] = n;
    return 0;
}

static const struct { const char *name; int (*run)(void); } kernels[] = {
    { "sum_private", private_sum }, { "sum_cyclic", sum_cyclic }, { "sum_blocked", sum_blocked }, { "sum_walk", walk },
    { "sum_cast", through_cast }, { "copy_private", private_copy }, { "copy_blocked", copy_blocked }, { "read_raw", raw_read },
    { "read_remote", remote_read }, { "write_raw", raw_write }, { "write_remote", remote_write },
};

int main(void)
{
    size_t k;
    int i;
    for (k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        double start;
        sink = kernels[k].run();
        upc_barrier;
        start = bench_now();
        for (i = 0; i < REPEAT; i++)
            sink += kernels[k].run();
        if (MYTHREAD == 0)
            bench_print(kernels[k].name, (bench_now() - start) / REPEAT / EACH);
        upc_barrier;
    }
    return 0;
}
