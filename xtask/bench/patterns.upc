/* Patterns of access in plain subscripts against the same in C on private memory. Each line printed: name, nanoseconds per element. */
#include <stdlib.h>
#include <string.h>
#include <upc.h>
#include <upc_atomic.h>
#include "bench.h"

#define EACH 8192
#define REPEAT 300
#define BLOCK 1024
#define ROWS 64
#define COLS 128

typedef struct { double x[3]; int kind; char tag; } item_t;

shared double cyclic_a[EACH * THREADS], cyclic_b[EACH * THREADS];
shared [BLOCK] double a[EACH * THREADS], b[EACH * THREADS];
shared [EACH] double own_a[EACH * THREADS], own_b[EACH * THREADS];
shared [EACH] int portion[EACH * THREADS];
shared [EACH] item_t items[EACH * THREADS], others[EACH * THREADS];
shared [] double *shared table[ROWS * THREADS], *shared next_table[ROWS * THREADS];
strict shared int flags[THREADS];
shared long counters[THREADS];
upc_atomicdomain_t *domain;

/* Alignment alone changes the time of a loop by a fifth: these have that of shared arrays. */
#define ALIGNED __attribute__((aligned(4096)))
ALIGNED double private_a[EACH], private_b[EACH], private_c[EACH];
ALIGNED int private_portion[EACH];
ALIGNED item_t private_items[EACH], private_others[EACH];
double *private_table[ROWS], *private_next[ROWS];
long private_counter, private_old;
int private_flag;
volatile int sink;

/* Each thread's share of the elements, by blocks. */
static void stencil_blocked(void)
{
    for (int i = MYTHREAD * BLOCK + 1; i < (MYTHREAD + 1) * BLOCK - 1; i++)
        b[i] = a[i - 1] + a[i] + a[i + 1];
}

static void stencil_integer(void)
{
    upc_forall (int i = 1; i < EACH * THREADS - 1; i++; i / BLOCK)
        b[i] = a[i - 1] + a[i] + a[i + 1];
}

static void stencil_affinity(void)
{
    upc_forall (int i = 1; i < EACH * THREADS - 1; i++; &b[i])
        b[i] = a[i - 1] + a[i] + a[i + 1];
}

static void stencil_cyclic(void)
{
    upc_forall (int i = 1; i < EACH * THREADS - 1; i++; &cyclic_b[i])
        cyclic_b[i] = cyclic_a[i - 1] + cyclic_a[i] + cyclic_a[i + 1];
}

static void stencil_private(void)
{
    for (int i = 1; i < EACH - 1; i++)
        private_b[i] = private_a[i - 1] + private_a[i] + private_a[i + 1];
}

/* What a thread of two does in the cyclic arrays: the neighbours of its elements are in another array, so the loop reads
   half as much again as the one above. */
static void stencil_halves(void)
{
    for (int i = 1; i < EACH; i++)
        private_b[i] = private_c[i - 1] + private_a[i] + private_c[i];
}

static void axpy_cyclic(void)
{
    upc_forall (int i = 0; i < EACH * THREADS; i++; i)
        cyclic_b[i] += 3 * cyclic_a[i];
}

static void axpy_walk(void)
{
    shared [EACH] double *p = &own_a[MYTHREAD * EACH], *q = &own_b[MYTHREAD * EACH];
    for (int i = 0; i < EACH; i++, p++, q++)
        *q += 3 * *p;
}

static void axpy_private(void)
{
    for (int i = 0; i < EACH; i++)
        private_b[i] += 3 * private_a[i];
}

static unsigned next(unsigned x) { return x * 1664525u + 1013904223u; }

static void random_read(void)
{
    int sum = 0, other = (MYTHREAD + 1) % THREADS * EACH;
    unsigned x = 1;
    for (int n = 0; n < EACH; n++, x = next(x))
        sum += portion[other + (x >> 19)];
    sink += sum;
}

static void random_write(void)
{
    int other = (MYTHREAD + 1) % THREADS * EACH;
    unsigned x = 1;
    for (int n = 0; n < EACH; n++, x = next(x))
        portion[other + (x >> 19)] = n;
}

static void random_read_private(void)
{
    int sum = 0;
    unsigned x = 1;
    for (int n = 0; n < EACH; n++, x = next(x))
        sum += private_portion[x >> 19];
    sink += sum;
}

static void random_write_private(void)
{
    unsigned x = 1;
    for (int n = 0; n < EACH; n++, x = next(x))
        private_portion[x >> 19] = n;
}

static void struct_copy(void)
{
    int mine = MYTHREAD * EACH;
    unsigned x = 1;
    for (int n = 0; n < EACH; n++, x = next(x))
        others[mine + (x >> 19)] = items[mine + n];
}

static void struct_private(void)
{
    unsigned x = 1;
    for (int n = 0; n < EACH; n++, x = next(x))
        memcpy(&private_others[x >> 19], &private_items[n], sizeof(item_t));
}

static void strict_reads(void)
{
    int sum = 0;
    for (int n = 0; n < EACH; n++)
        sum += flags[(MYTHREAD + 1) % THREADS];
    sink += sum;
}

static void atomic_loads(void)
{
    int sum = 0;
    for (int n = 0; n < EACH; n++)
        sum += __atomic_load_n(&private_flag, __ATOMIC_SEQ_CST);
    sink += sum;
}

static void memget_constant(void)
{
    double one, sum = 0;
    for (int n = 0; n < EACH; n++) {
        upc_memget(&one, &a[n % BLOCK], sizeof one);
        sum += one;
    }
    sink += (int)sum;
}

static void memget_private(void)
{
    double sum = 0;
    for (int n = 0; n < EACH; n++)
        sum += *(volatile double *)&private_a[n % BLOCK];
    sink += (int)sum;
}

static void atomic_add(void)
{
    long one = 1, old;
    for (int n = 0; n < EACH; n++)
        upc_atomic_relaxed(domain, &old, UPC_ADD, &counters[MYTHREAD], &one, NULL);
}

static void atomic_private(void)
{
    for (int n = 0; n < EACH; n++)
        *(volatile long *)&private_old = __atomic_fetch_add(&private_counter, 1, __ATOMIC_RELAXED);
}

static void heat_rows(void)
{
    for (int i = MYTHREAD * ROWS + 1; i < (MYTHREAD + 1) * ROWS - 1; i++)
        for (int j = 1; j < COLS - 1; j++)
            next_table[i][j] = 0.25 * (table[i - 1][j] + table[i + 1][j] + table[i][j - 1] + table[i][j + 1]);
}

static void heat_private(void)
{
    for (int i = 1; i < ROWS - 1; i++)
        for (int j = 1; j < COLS - 1; j++)
            private_next[i][j] =
                0.25 * (private_table[i - 1][j] + private_table[i + 1][j] + private_table[i][j - 1] + private_table[i][j + 1]);
}

static const struct { const char *name; void (*run)(void); int elements; } kernels[] = {
    { "stencil_private", stencil_private, EACH },
    { "stencil_halves", stencil_halves, EACH },
    { "stencil_blocked", stencil_blocked, BLOCK },
    { "stencil_integer", stencil_integer, EACH },
    { "stencil_affinity", stencil_affinity, EACH },
    { "stencil_cyclic", stencil_cyclic, EACH },
    { "axpy_private", axpy_private, EACH },
    { "axpy_cyclic", axpy_cyclic, EACH },
    { "axpy_walk", axpy_walk, EACH },
    { "random_read_private", random_read_private, EACH },
    { "random_read", random_read, EACH },
    { "random_write_private", random_write_private, EACH },
    { "random_write", random_write, EACH },
    { "struct_private", struct_private, EACH },
    { "struct_copy", struct_copy, EACH },
    { "atomic_loads", atomic_loads, EACH },
    { "strict_reads", strict_reads, EACH },
    { "memget_private", memget_private, EACH },
    { "memget_constant", memget_constant, EACH },
    { "atomic_private", atomic_private, EACH },
    { "atomic_add", atomic_add, EACH },
    { "heat_private", heat_private, ROWS * COLS },
    { "heat_rows", heat_rows, ROWS * COLS },
};

/* Memory that nothing has written is one page of zeros, which a loop reads faster. */
static void fill(void)
{
    for (int i = 0; i < EACH; i++) {
        private_a[i] = private_b[i] = private_c[i] = cyclic_a[i * THREADS + MYTHREAD] = cyclic_b[i * THREADS + MYTHREAD] = i;
        own_a[MYTHREAD * EACH + i] = own_b[MYTHREAD * EACH + i] = i;
        a[i * THREADS / BLOCK * BLOCK + i % BLOCK] = b[i * THREADS / BLOCK * BLOCK + i % BLOCK] = i;
        private_portion[i] = portion[MYTHREAD * EACH + i] = i;
        private_items[i].kind = private_others[i].kind = i;
        items[MYTHREAD * EACH + i] = others[MYTHREAD * EACH + i] = private_items[i];
    }
}

int main(void)
{
    fill();
    for (int i = MYTHREAD; i < ROWS * THREADS; i += THREADS) {
        table[i] = upc_alloc(COLS * sizeof(double));
        next_table[i] = upc_alloc(COLS * sizeof(double));
    }
    for (int i = 0; i < ROWS; i++) {
        private_table[i] = calloc(COLS, sizeof(double));
        private_next[i] = calloc(COLS, sizeof(double));
    }
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    upc_barrier;
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        kernels[k].run();
        double least = 0;
        for (int part = 0; part < 10; part++) {
            upc_barrier;
            double start = bench_now();
            for (int i = 0; i < REPEAT / 10; i++)
                kernels[k].run();
            double took = (bench_now() - start) / (REPEAT / 10) / kernels[k].elements;
            least = part == 0 || took < least ? took : least;
        }
        if (MYTHREAD == 0)
            bench_print(kernels[k].name, least);
        upc_barrier;
    }
    return 0;
}
