// flags: -Wno-unused-value
// question: names of Berkeley's extensions without their b, and its comparison of types, mean what they did there
// counts: UPC_BARRIER=3*THREADS, UPC_MEMPUT=THREADS, UPC_NB_PUT_INIT=THREADS, UPC_NB_GET_INIT=THREADS, UPCC_NB_MEMSET_INIT=THREADS, UPC_NB_SYNC=3*THREADS, UPCC_ATOMIC=2*THREADS, UPC_ALL_REDUCE=THREADS
#include <upc.h>
/* It may be defined late. */
#define BUPC_USE_UPC_NAMESPACE 1
#include <bupc_extensions.h>
#include <bupc_collectivev.h>
#include <upc_collective.h>
#include <inttypes.h>
#include <upc_nb.h>
#include "check.h"

shared [8] char target[8 * THREADS];
shared uint64_t cells[THREADS];
shared int ones[THREADS], sums[THREADS];

typedef shared [2] int *(*function)(const int *, shared float *);
function f;
shared int y;
shared [10] int x[100 * THREADS];
typedef int *T1;
shared [10] T1 arr1[100 * THREADS];
int *shared [10] arr2[100 * THREADS];
typedef shared [10] int *T2;
T2 arr3[100];
shared [10] int *arr4[100];

#define SAME(a, b) CHECK(bupc_assert_type(a, b))
#define OTHER(a, b) CHECK(!bupc_assert_type(a, b))

static void types(void)
{
    int foo;
    bupc_assert_type(foo, int);
    SAME(function, f);
    SAME(arr1, arr2);
    SAME(arr3, arr4);
    SAME(foo, int);
    SAME(MYTHREAD, int);
    SAME(THREADS, int);
    SAME(size_t, upc_blocksizeof(shared int[THREADS]));
    SAME(y, shared int);
    SAME(x[3], shared [10] int);
    SAME(&x[3], shared [10] int *);
    OTHER(const volatile int, int);
    OTHER(const volatile int *, int *);
    OTHER(int *const, int *);
    OTHER(int **const **, int ****);
    OTHER(int **volatile **, int ****);
    OTHER(shared [10] int, shared [2] int);
    OTHER(shared [10] int *, shared [2] int *);
    OTHER(function, int);
    OTHER(y, int);
}

static void copies(void)
{
    int next = (MYTHREAD + 1) % THREADS;
    char bytes[8] = "1234567", back[8];
    upc_handle_t handle = UPC_COMPLETE_HANDLE;
    handle = upc_memput_async(&target[8 * next], bytes, sizeof bytes);
    upc_waitsync(handle);
    upc_handle_t standard = upc_memget_nb(back, &target[8 * next], sizeof back);
    upc_sync(standard);
    CHECK(strcmp(back, "1234567") == 0);
    upc_memset_asynci(&target[8 * next], 'x', 8);
    upc_waitsynci();
    upc_barrier;
    CHECK(target[8 * MYTHREAD + 7] == 'x');
    upc_smemvec_t to = {&target[8 * next], 4};
    upc_pmemvec_t from = {bytes, 4};
    upc_memput_vlist(1, &to, 1, &from);
    CHECK(target[8 * next] == '1' && target[8 * next + 4] == 'x');
}

int main(void)
{
    types();
    copies();
    upc_sem_t *semaphore = upc_sem_alloc(UPC_SEM_INTEGER);
    upc_sem_postN(semaphore, 2);
    CHECK(upc_sem_try(semaphore) && upc_sem_try(semaphore) && !upc_sem_try(semaphore));
    upc_sem_free(semaphore);
    CHECK(upc_thread_distance(MYTHREAD, MYTHREAD) == UPC_THREADS_SAME);
    upc_barrier;
    upc_atomicU64_fetchadd_strict(&cells[0], 2);
    ones[MYTHREAD] = 1;
    upc_all_reduce_allI(sums, ones, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK(sums[MYTHREAD] == THREADS);
    CHECK(upc_atomicU64_read_strict(&cells[0]) == 2u * THREADS);
    int mine = MYTHREAD;
    CHECK(upc_allv_reduce_all(int, mine, UPC_MAX) == THREADS - 1);
    return pass();
}
