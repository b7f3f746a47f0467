// question: in loops by owner, references to neighbours that leave the thread's block only at its ends reach the same elements as anywhere else
// counts: UPC_BARRIER=14*THREADS, UPC_FORALL=28*THREADS, UPC_PUT.remote=0
#include "check.h"

#define BLOCKS 3
typedef struct { char tag; short v[3]; } item_t;
shared [8] int a[8 * BLOCKS * THREADS], b[8 * BLOCKS * THREADS];
shared [12] long c[12 * BLOCKS * THREADS];
shared [8 * 5] int rows[8 * BLOCKS * THREADS][5], sums[8 * BLOCKS * THREADS][5];
shared [16] item_t items[16 * BLOCKS * THREADS];
shared [4] int small[4 * BLOCKS * THREADS];

static int value(int i) { return i * i % 97 + i; }

static void fill(void)
{
    int i, j;
    upc_forall (i = 0; i < 8 * BLOCKS * THREADS; i++; &a[i]) {
        a[i] = value(i);
        b[i] = -1;
    }
    upc_forall (i = 0; i < 12 * BLOCKS * THREADS; i++; &c[i])
        c[i] = value(i);
    upc_forall (i = 0; i < 8 * BLOCKS * THREADS; i++; &rows[i][0])
        for (j = 0; j < 5; j++)
            rows[i][j] = value(5 * i + j);
    upc_forall (i = 0; i < 16 * BLOCKS * THREADS; i++; &items[i])
        items[i].v[1] = (short)value(i);
    upc_forall (i = 0; i < 4 * BLOCKS * THREADS; i++; &small[i])
        small[i] = value(i);
    upc_barrier;
}

/* `first` and `last` cut the blocks at both ends. */
static void one_behind_and_one_ahead(int first, int last)
{
    int i, ran = 0;
    upc_forall (i = first; i < last; i++; &b[i]) {
        if (i % 7 == 3)
            continue;
        b[i] = a[i - 1] + 1000 * a[i + 1];
        ran++;
    }
    CHECK(i == (first < last ? last : first));
    upc_barrier;
    for (i = first; i < last; i++)
        if (i % 7 != 3) {
            CHECK(b[i] == value(i - 1) + 1000 * value(i + 1));
            ran -= upc_threadof(&b[i]) == (size_t)MYTHREAD;
        }
    CHECK(ran == 0);
    upc_barrier;
}

/* Blocks of other sizes are other blocks. */
static void at_an_offset(void)
{
    unsigned long i;
    long sum = 0, expected = 0;
    upc_forall (i = 1; i <= 8 * BLOCKS * THREADS - 3; i++; &a[i + 2])
        sum += a[i + 1] + c[i] + a[i + 2] * 3L + a[i];
    for (i = 1; i <= 8 * BLOCKS * THREADS - 3; i++)
        if (upc_threadof(&a[i + 2]) == (size_t)MYTHREAD)
            expected += a[i + 1] + c[i] + a[i + 2] * 3L + a[i];
    CHECK(sum == expected);
    upc_barrier;
}

static void rows_and_members(void)
{
    int i, j;
    long sum = 0, expected = 0;
    upc_forall (i = 1; i < 8 * BLOCKS * THREADS - 1; i++; &sums[i][0])
        for (j = 1; j < 4; j++)
            sums[i][j] = rows[i - 1][j] + rows[i + 1][j + 1] - rows[i][j - 1];
    upc_barrier;
    for (i = 1; i < 8 * BLOCKS * THREADS - 1; i++)
        for (j = 1; j < 4; j++)
            CHECK(sums[i][j] == value(5 * (i - 1) + j) + value(5 * (i + 1) + j + 1) - value(5 * i + j - 1));
    upc_forall (i = 2; i < 16 * BLOCKS * THREADS; i++; &items[i])
        sum += items[i].v[1] * items[i - 2].v[1];
    for (i = 2; i < 16 * BLOCKS * THREADS; i++)
        if (upc_threadof(&items[i]) == (size_t)MYTHREAD)
            expected += (long)value(i) * value(i - 2);
    CHECK(sum == expected);
}

/* The pointer's phase and thread shift the blocks. */
static void through_pointers(int first)
{
    shared [12] long *p = &c[first];
    int i, n = 12 * BLOCKS * THREADS - first - 1;
    long sum = 0, expected = 0;
    upc_forall (i = 1; i < n; i++; p + i)
        sum += p[i - 1] + 7 * p[i] + 31 * p[i + 1];
    for (i = 1; i < n; i++)
        if (upc_threadof(p + i) == (size_t)MYTHREAD)
            expected += value(first + i - 1) + 7L * value(first + i) + 31L * value(first + i + 1);
    CHECK(sum == expected);
}

/* Too small a block, and steps too wide for it. */
static void few(void)
{
    int i;
    long sum = 0, expected = 0;
    upc_forall (i = 3; i < 4 * BLOCKS * THREADS - 3; i++; &small[i])
        sum += small[i - 1] * 2 + small[i + 3] + small[i - 3];
    for (i = 3; i < 4 * BLOCKS * THREADS - 3; i++)
        if (upc_threadof(&small[i]) == (size_t)MYTHREAD)
            expected += value(i - 1) * 2 + value(i + 3) + value(i - 3);
    CHECK(sum == expected);
}

int main(void)
{
    int i;
    fill();
    one_behind_and_one_ahead(1, 8 * BLOCKS * THREADS - 1);
    one_behind_and_one_ahead(11, 8 * BLOCKS * THREADS - 5);
    one_behind_and_one_ahead(7, 8);
    one_behind_and_one_ahead(8, 9);
    one_behind_and_one_ahead(5, 5);
    at_an_offset();
    rows_and_members();
    for (i = 0; i < 14; i++)
        through_pointers(i);
    few();
    return pass();
}
