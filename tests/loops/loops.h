/* What generated programs of the suite `loops` share: arrays of every layout that are read or written, and for each access to one a function of the same
   meaning that touches no shared memory and counts. A program has every loop twice, `f7` on the arrays and `m7` by these functions. */
#ifndef LOOPS_H
#define LOOPS_H
#include <stdio.h>
#include <upc_relaxed.h>

enum {
    LEN = 60,  /* elements of an array for each thread */
    ROWS = 4,
    MOST = 8   /* threads */
};
typedef shared [] int *row_t;
struct cell {
    int x;
    unsigned bits : 7;
    int y;
};

#pragma pupc off

/* Read. */
static shared int cyclic[LEN * THREADS];
static shared [4] int fours[LEN * THREADS];
static shared [7] int sevens[LEN * THREADS];
static shared [5] struct cell cells[LEN * THREADS];
static shared [2] int table[LEN / 4 * THREADS][4];
static shared [] int single[LEN];
static shared [LEN] int blocks[THREADS][LEN];
static row_t rows[ROWS];
/* Written: of each thread its LEN elements; element by element in loops that share out iterations. */
static shared int mine[LEN * THREADS];
static shared [4] int ours[LEN * THREADS];
static shared [3] struct cell pairs[LEN * THREADS];
static shared int owned[LEN * THREADS];
static shared [4] int owned4[LEN * THREADS];

/* ---- The same without shared memory ---------------------------------------------------------------------------- */

enum { GET, PUT };
static long counts[2][MOST];
static int own_mine[LEN * MOST], own_ours[LEN * MOST], own_pairs[LEN * MOST];

static inline int value(int array, long i) { return (int)((i * 7 + array * 13) % 101); }

static inline int count(int way, long owner)
{
    counts[way][owner % THREADS]++;
    return 0;
}

static inline int m_cyclic(long i) { return count(GET, i) + value(0, i); }
static inline int m_fours(long i) { return count(GET, i / 4) + value(1, i); }
static inline int m_sevens(long i) { return count(GET, i / 7) + value(2, i); }
static inline int m_cells(long i) { return count(GET, i / 5) + value(3, i); }
static inline int m_table(long i) { return count(GET, i / 2) + value(4, i); }
static inline int m_single(long i) { return count(GET, 0) + value(5, i); }
static inline int m_rows(long i) { return count(GET, i / LEN) + value(6, i % LEN); }

static inline int put(long owner, int *to, int v)
{
    count(PUT, owner);
    return *to = v;
}
static inline int m_put_mine(long i, int v) { return put(i, &own_mine[i], v); }
static inline int m_put_ours(long i, int v) { return put(i / 4, &own_ours[i], v); }
static inline int m_put_pairs(long i, int v) { return put(i / 3, &own_pairs[i], v); }
static inline int m_get_mine(long i) { return count(GET, i) + own_mine[i]; }
static inline int m_get_ours(long i) { return count(GET, i / 4) + own_ours[i]; }
static inline int m_get_pairs(long i) { return count(GET, i / 3) + own_pairs[i]; }

static inline int id(int x) { return x; }

/* ---- */

static void start(void)
{
    if (MYTHREAD == 0) {
        for (int i = 0; i < LEN * THREADS; i++) {
            cyclic[i] = value(0, i);
            fours[i] = value(1, i);
            sevens[i] = value(2, i);
            cells[i].x = cells[i].bits = cells[i].y = value(3, i);
            table[i / 4][i % 4] = value(4, i);
            blocks[i / LEN][i % LEN] = value(6, i % LEN);
        }
        for (int i = 0; i < LEN; i++)
            single[i] = value(5, i);
    }
    for (int k = 0; k < ROWS; k++)
        rows[k] = (row_t)&blocks[k % THREADS][0];
    upc_barrier;
}

static void compare(const char *name, unsigned long (*on_arrays)(void), unsigned long (*without)(void))
{
    for (int round = 0; round < 4; round++) {
        unsigned long is = on_arrays(), should_be = without();
        if (is != should_be) {
            fprintf(stderr, "thread %d of %d: %s gives %lu, not %lu\n", MYTHREAD, THREADS, name, is, should_be);
            upc_global_exit(1);
        }
    }
}

/* Reads and writes of the thread, each to its own elements and to others'. */
static int finish(void)
{
    for (int i = MYTHREAD * LEN; i < (MYTHREAD + 1) * LEN; i++)
        if (mine[i] != own_mine[i] || ours[i] != own_ours[i] || pairs[i].y != own_pairs[i]) {
            fprintf(stderr, "thread %d of %d: element %d has another value\n", MYTHREAD, THREADS, i);
            upc_global_exit(1);
        }
    long all[2] = {0, 0};
    for (int way = GET; way <= PUT; way++)
        for (int owner = 0; owner < THREADS; owner++)
            all[way] += counts[way][owner];
    printf("counts %d %ld %ld %ld %ld\n", MYTHREAD, counts[GET][MYTHREAD], all[GET] - counts[GET][MYTHREAD], counts[PUT][MYTHREAD],
           all[PUT] - counts[PUT][MYTHREAD]);
    return 0;
}

#pragma pupc on
#endif
