// question: do accesses by the linear image of an array, by pointers and by library functions reach the same elements?
// threads: 1 2 3 5
#include "check.h"
#include <string.h>
#include <upc_relaxed.h>

enum { BLOCK = 1024 };
typedef struct { double x[3]; int kind, tag : 5; } item_t;

shared [BLOCK] int a[BLOCK * THREADS];
static shared [BLOCK] item_t items[BLOCK * THREADS], others[BLOCK * THREADS];
shared char between;                              /* the next array must begin at a page again */
shared [BLOCK] short matrix[THREADS][4][BLOCK / 2]; /* two blocks of half a page on each thread */
shared [2 * BLOCK] short rows[THREADS][4][BLOCK / 2];
shared [BLOCK] int half[BLOCK / 2 * THREADS], twice[2 * BLOCK * THREADS];
shared [BLOCK] int behind[BLOCK * THREADS];
shared int counted[THREADS];

static unsigned next(unsigned x) { return x * 1664525u + 1013904223u; }

/* Each element is written by one way and read by another, in an order that the compiler does not know. */
static int mixed(unsigned x)
{
    int wrong = 0;
    for (int n = 0; n < 500; n++, x = next(x)) {
        int i = (int)(x >> 8) % (BLOCK * THREADS / 2) * 2 + MYTHREAD % 2, got;
        shared [BLOCK] int *p = &a[i];
        a[i] = n;
        wrong += *p != n;
        *p = n + 1;
        wrong += a[i] != n + 1;
        upc_memget(&got, &a[i], sizeof got);
        wrong += got != n + 1;
        got = n + 2;
        upc_memput(&a[i], &got, sizeof got);
        wrong += a[i]++ != n + 2;
        a[i] += 5;
        wrong += *p != n + 8;
        if (upc_threadof(&a[i]) == (size_t)MYTHREAD) {
            int *own = (int *)&a[i];
            *own = 7;
            wrong += a[i] != 7;
            a[i] = 8;
            wrong += *own != 8;
        }
    }
    return wrong;
}

/* One thread at a time. */
static void fill(void)
{
    for (int i = 0; i < BLOCK * THREADS; i++) {
        int k = (i * 7 + 3) % (BLOCK * THREADS);
        a[k] = k;
        items[k].kind = k;
        items[k].x[k % 3] = k;
        items[k].tag = k % 16;
        behind[k] = k;
        half[k / 2] = k / 2;
        twice[2 * k] = k;
        twice[2 * k + 1] = -k;
        rows[k / (2 * BLOCK)][k / 512 % 4][k % 512] = (short)k;
        matrix[k / (2 * BLOCK)][k / 512 % 4][k % 512] = (short)-k;
    }
    between = 1;
}

/* Walks by pointers, which find the elements by their blocks. */
static int wrong_ones(void)
{
    shared [BLOCK] int *p = a, *q = behind, *h = half, *t = twice;
    shared [BLOCK] item_t *r = items;
    int wrong = between != 1;
    for (int k = 0; k < BLOCK * THREADS; k++, p++, q++, r++) {
        wrong += *p != k || *q != k || r->kind != k || r->x[k % 3] != k || r->tag != k % 16 || upc_threadof(p) != (size_t)(k / BLOCK);
        wrong += *t++ != k;
        wrong += *t++ != -k;
        wrong += k % 2 == 0 && *h++ != k / 2;
        wrong += *(&rows[0][0][0] + k) != (short)k || *(&matrix[0][0][0] + k) != (short)-k;
    }
    return wrong;
}

int main(void)
{
    for (int turn = 0; turn < THREADS; turn++) {
        if (turn == MYTHREAD)
            CHECK(mixed(turn + 1) == 0);
        upc_barrier;
    }
    if (MYTHREAD == THREADS - 1)
        fill();
    upc_barrier;
    CHECK(wrong_ones() == 0);
    for (int n = 0, i = MYTHREAD; n < BLOCK; n++, i = (i + 17 * THREADS) % (BLOCK * THREADS)) {
        others[i] = items[i];
        counted[MYTHREAD]++;
    }
    upc_barrier;
    for (int i = MYTHREAD * BLOCK; i < (MYTHREAD + 1) * BLOCK; i++) {
        item_t *own = (item_t *)&others[i];
        CHECK(own->kind == i && own->tag == i % 16 && own->x[i % 3] == i);
    }
    CHECK(counted[(MYTHREAD + 1) % THREADS] == BLOCK);
    return pass();
}
