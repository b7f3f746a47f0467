/* What the generated layout programs share: elements are dealt out one by one, as the specification's prose says (UPC 1.3, 6.5.2.1), and every
   address computation of the compiler is compared with where its element went. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

/* Where an element lies: its thread, its phase, how many elements of the array precede it on that thread. */
typedef struct {
    size_t thread, phase, index;
} place;

static size_t failures;

#define CHECK(condition)                                                                                                       \
    do {                                                                                                                       \
        if (!(condition) && failures++ < 20)                                                                                   \
            printf("%s:%d: thread %d of %d: %s\n", __FILE__, __LINE__, MYTHREAD, THREADS, #condition);                         \
    } while (0)

/* Two pointers-to-shared name the same place with the same phase; the generic type keeps it (6.4.3). */
static int same_place(shared void *p, shared void *q)
{
    return upc_threadof(p) == upc_threadof(q) && upc_phaseof(p) == upc_phaseof(q) && upc_addrfield(p) == upc_addrfield(q);
}
#define CHECK_SAME(p, q) CHECK(same_place(p, q))

/* Deals `n` elements in blocks (0: no end to a block) to the threads in turn, beginning with thread `first`. */
static place *deal(size_t n, size_t block, size_t first)
{
    place *table = malloc((n + 1) * sizeof *table);
    size_t *dealt = calloc(THREADS, sizeof *dealt);
    size_t thread = first, phase = 0, e;
    for (e = 0; e <= n; e++) {
        table[e].thread = thread;
        table[e].phase = block ? phase : 0;
        table[e].index = dealt[thread]++;
        if (++phase == block) {
            phase = 0;
            if (++thread == THREADS)
                thread = 0;
        }
    }
    free(dealt);
    return table;
}

/* The operators that describe an array `a` of `n` elements of type T in blocks of B; the bounds are constants (6.5.1). */
#define CHECK_SIZES(a, T, B, n)                                                                                                \
    do {                                                                                                                       \
        enum { elem_size = upc_elemsizeof(a), block_size = upc_blocksizeof(a), local_size = upc_localsizeof(a) };              \
        place *want = deal(n, B, 0);                                                                                           \
        size_t thread, e, count, sum = 0;                                                                                      \
        CHECK(elem_size == sizeof(T));                                                                                         \
        CHECK(block_size == (B));                                                                                              \
        CHECK(sizeof(a) == (n) * sizeof(T));                                                                                   \
        for (thread = 0; thread < THREADS; thread++) {                                                                         \
            for (e = count = 0; e < (n); e++)                                                                                  \
                count += want[e].thread == thread;                                                                             \
            CHECK(upc_affinitysize(sizeof(a), (B) * sizeof(T), thread) == count * sizeof(T));                                  \
            CHECK(local_size >= count * sizeof(T));                                                                            \
            sum += count;                                                                                                      \
        }                                                                                                                      \
        CHECK(sum == (n));                                                                                                     \
        CHECK(upc_threadof(&a) == 0 && upc_phaseof(&a) == 0);                                                                  \
        free(want);                                                                                                            \
    } while (0)

/* Subscripts of a two-dimensional array and pointers to its rows; `flat` points at its first element. */
#define CHECK_RANK_2(a, flat, T, B, d0, d1)                                                                                    \
    do {                                                                                                                       \
        shared[B] T(*row)[d1] = a;                                                                                             \
        ptrdiff_t i, j;                                                                                                        \
        for (i = 0; i < (ptrdiff_t)(d0); i++, row++) {                                                                         \
            CHECK_SAME(row, flat + i * (d1));                                                                                  \
            CHECK_SAME(a + i, row);                                                                                            \
            CHECK(row - a == i && (row >= a) && (i == 0) == (row == a) && (i > 0) == (a < row));                               \
            for (j = 0; j < (ptrdiff_t)(d1); j++) {                                                                            \
                CHECK_SAME(&a[i][j], flat + i * (d1) + j);                                                                     \
                CHECK_SAME(*row + j, flat + i * (d1) + j);                                                                     \
                CHECK_SAME(&(*(row - i))[i * (d1) + j], flat + i * (d1) + j);                                                  \
            }                                                                                                                  \
        }                                                                                                                      \
    } while (0)

/* The same of a three-dimensional array. */
#define CHECK_RANK_3(a, flat, T, B, d0, d1, d2)                                                                                \
    do {                                                                                                                       \
        shared[B] T(*plane)[d1][d2] = a;                                                                                       \
        shared[B] T(*row)[d2] = a[0];                                                                                          \
        ptrdiff_t i, j, k;                                                                                                     \
        for (i = 0; i < (ptrdiff_t)(d0); i++) {                                                                                \
            CHECK_SAME(plane + i, flat + i * (d1) * (d2));                                                                     \
            for (j = 0; j < (ptrdiff_t)(d1); j++, ++row) {                                                                     \
                CHECK_SAME(row, flat + (i * (d1) + j) * (d2));                                                                 \
                CHECK_SAME(a[i] + j, row);                                                                                     \
                CHECK(row - a[0] == i * (ptrdiff_t)(d1) + j);                                                                  \
                for (k = 0; k < (ptrdiff_t)(d2); k++)                                                                          \
                    CHECK_SAME(&a[i][j][k], flat + (i * (d1) + j) * (d2) + k);                                                 \
            }                                                                                                                  \
        }                                                                                                                      \
    } while (0)
