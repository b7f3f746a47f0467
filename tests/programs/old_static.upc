// question: block sizes and extents that macros compute from THREADS, layouts in typedefs, and THREADS in #if, in the static environment
// environment: static
#include <upc_relaxed.h>
#include <upc_strict.h>
#include "check.h"
#ifndef __UPC_STATIC_THREADS__
#error the static environment
#endif
#if THREADS > 4
#define N (4 * THREADS)
#else
#define N 24
#endif
#define CHUNK ((N + THREADS - 1) / THREADS)
#define BLK(n) ((n) / THREADS)
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define SHARED_INT(p) ((shared [CHUNK] int *)(p))
typedef shared [CHUNK] int *chunk_ptr;
typedef shared [BLK(N)] double row_t[N];
typedef int shared [2] pair_t;
typedef int shared *cyclic_ptr;
shared [CHUNK] int a[CHUNK * THREADS];
shared [(N + THREADS - 1) / THREADS] int uneven[N - 1];
shared [BLK(N)] float f1[N], f2[N];
shared [N / THREADS] int matrix[THREADS][N / THREADS];
shared [MIN(UPC_MAX_BLOCK_SIZE, 3)] int least[3 * THREADS];
row_t rows;
pair_t pairs[2 * THREADS];

int main()
{
    int i;
    chunk_ptr p = a;
    cyclic_ptr q = (cyclic_ptr)least;
    upc_forall (i = 0; i < N; i++; (int)(i / CHUNK))
        a[i] = i;
    upc_forall (i = 0; i < N - 1; i++; &uneven[i])
        uneven[i] = i;
    upc_forall (i = 0; i < N; i++; (i * THREADS) / N)
        f1[i] = f2[i] = rows[i] = i;
    upc_forall (i = 0; i < THREADS; i++; i)
        matrix[i][BLK(N) - 1] = i;
    upc_barrier;
    for (i = 0; i < N; i++) {
        CHECK(p[i] == i && SHARED_INT(&p[i])[0] == i);
        CHECK((int)upc_threadof(&a[i]) == i / CHUNK);
        CHECK(i == N - 1 || (uneven[i] == i && (int)upc_threadof(&uneven[i]) == i / CHUNK));
        CHECK(f1[i] == i && f2[i] == i && rows[i] == i);
    }
    for (i = 0; i < THREADS; i++) {
        CHECK(matrix[i][BLK(N) - 1] == i && (int)upc_threadof(&matrix[i][0]) == i);
        CHECK(upc_threadof(&pairs[2 * i + 1]) == (size_t)i && upc_threadof(&least[3 * i + 2]) == (size_t)i);
    }
    CHECK(q != NULL);
    CHECK(upc_blocksizeof(a) == CHUNK && upc_elemsizeof(rows) == sizeof(double) && upc_blocksizeof(pair_t) == 2);
    CHECK(upc_localsizeof(a) == CHUNK * sizeof(int) && sizeof(shared [3] int [6]) == 6 * sizeof(int));
    return pass();
}
