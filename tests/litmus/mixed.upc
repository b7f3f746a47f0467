// question: does a strict access, a fence, an atomic operation or a semaphore order the relaxed accesses around it?
// threads: 2 3 4
#include "litmus.h"
#include <upc_atomic.h>

static relaxed shared [] int x[INSTANCES], y[INSTANCES];
static strict shared [] int flag[INSTANCES], other[INSTANCES];
static shared [] int cell[INSTANCES], cell2[INSTANCES];
static relaxed shared [] struct { int a[6]; } record[INSTANCES];
static relaxed shared [] char bulk[INSTANCES * 16];
static upc_atomicdomain_t *domain;

#define CLEAR x[i] = y[i] = 0, flag[i] = other[i] = 0, cell[i] = cell2[i] = 0
#define THREAD(t) if (MYTHREAD == t)
#define READ(n, place) mine[n][i] = (place)[i]

/* Strict flags over relaxed data. */
LITMUS(strict_flag, 2, CLEAR, THREAD(0) { x[i] = 1; flag[i] = 1; } THREAD(1) { READ(0, flag); READ(1, x); }, R(1, 0) == 1 && R(1, 1) == 0)

/* Relaxed reads before a strict write, relaxed writes after a strict read. */
LITMUS(relaxed_loads, 2, CLEAR, THREAD(0) { READ(0, x); flag[i] = 1; } THREAD(1) { READ(0, flag); x[i] = 1; }, R(0, 0) == 1 && R(1, 0) == 1)

/* A relaxed write before a strict read. */
LITMUS(write_before_strict_read, 2, CLEAR, THREAD(0) { x[i] = 1; READ(0, flag); } THREAD(1) { flag[i] = 1; READ(0, x); },
       R(0, 0) == 0 && R(1, 0) == 0)

LITMUS(fence_store_buffering, 2, CLEAR, THREAD(0) { x[i] = 1; upc_fence; READ(0, y); } THREAD(1) { y[i] = 1; upc_fence; READ(0, x); },
       R(0, 0) == 0 && R(1, 0) == 0)

LITMUS(fence_message, 2, CLEAR, THREAD(0) { x[i] = 1; upc_fence; y[i] = 1; } THREAD(1) { READ(0, y); upc_fence; READ(1, x); },
       R(1, 0) == 1 && R(1, 1) == 0)

LITMUS(fence_load_buffering, 2, CLEAR, THREAD(0) { READ(0, x); upc_fence; y[i] = 1; } THREAD(1) { READ(0, y); upc_fence; x[i] = 1; },
       R(0, 0) == 1 && R(1, 0) == 1)

/* Data larger than a word, and by a library function. */
LITMUS(record_and_flag, 2, (CLEAR, record[i].a[0] = record[i].a[5] = 0),
       THREAD(0) { record[i].a[0] = 1; record[i].a[5] = 1; flag[i] = 1; }
       THREAD(1) { READ(0, flag); mine[1][i] = record[i].a[5]; mine[2][i] = record[i].a[0]; }, R(1, 0) == 1 && (R(1, 1) == 0 || R(1, 2) == 0))

LITMUS(bulk_and_flag, 2, (CLEAR, upc_memset(&bulk[i * 16], 0, 16)),
       THREAD(0) { char text[16] = "123456789abcdef"; upc_memput(&bulk[i * 16], text, 16); flag[i] = 1; }
       THREAD(1) { char text[16]; READ(0, flag); upc_memget(text, &bulk[i * 16], 16); mine[1][i] = text[0] == '1' && text[14] == 'f'; },
       R(1, 0) == 1 && R(1, 1) == 0)

/* Strict atomic operations are strict accesses. */
static void atomic_set(shared [] int *place)
{
    int one = 1;
    upc_atomic_strict(domain, NULL, UPC_SET, place, &one, NULL);
}
static int atomic_get(shared [] int *place)
{
    int value;
    upc_atomic_strict(domain, &value, UPC_GET, place, NULL, NULL);
    return value;
}
LITMUS(atomic_store_buffering, 2, CLEAR, THREAD(0) { atomic_set(&cell[i]); mine[0][i] = atomic_get(&cell2[i]); }
       THREAD(1) { atomic_set(&cell2[i]); mine[0][i] = atomic_get(&cell[i]); }, R(0, 0) == 0 && R(1, 0) == 0)
LITMUS(atomic_message, 2, CLEAR, THREAD(0) { x[i] = 1; atomic_set(&cell[i]); } THREAD(1) { mine[0][i] = atomic_get(&cell[i]); READ(1, x); },
       R(1, 0) == 1 && R(1, 1) == 0)

/* Three threads: what came before a fence is seen by whoever sees what came after it. */
LITMUS(fence_causality, 3, CLEAR, THREAD(0) { x[i] = 1; } THREAD(1) { READ(0, x); upc_fence; y[i] = 1; }
       THREAD(2) { READ(0, y); upc_fence; READ(1, x); }, R(1, 0) == 1 && R(2, 0) == 1 && R(2, 1) == 0)

int main(void)
{
    domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_SET | UPC_GET, 0);
    FORBID(strict_flag);
    FORBID(relaxed_loads);
    FORBID(write_before_strict_read);
    FORBID(fence_store_buffering);
    FORBID(fence_message);
    FORBID(fence_load_buffering);
    FORBID(record_and_flag);
    FORBID(bulk_and_flag);
    FORBID(atomic_store_buffering);
    FORBID(atomic_message);
    FORBID(fence_causality);
    upc_all_atomicdomain_free(domain);
    return verdict();
}
