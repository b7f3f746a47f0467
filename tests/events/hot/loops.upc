// Loops of single accesses in every form that may be counted at once, and in some that may not. What they compute is checked.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>

#define N 157
#define ROUNDS 9

struct cell {
    int key;
    unsigned bits : 5;
    short tail[3];
};

shared int cyclic[N * THREADS];
shared [3] int threes[N * THREADS];
shared [7] long sevens[14 * N * THREADS];
shared [N] double rows[THREADS][N];
shared [2] int table[4 * THREADS][6];
shared [5] struct cell cells[5 * N * THREADS];
shared int total;
shared [] int *heap;
strict shared int ready[THREADS];
upc_lock_t *lock;

static long sum;

static int twice(int x) { return 2 * x; }

/* Constant steps of every kind: one, whole blocks, whole rounds, none, parts of blocks. */
static void steps(void)
{
    int i;
    unsigned u;
    size_t z;
    long last = N * THREADS - 1;

    for (i = 0; i < N * THREADS; i++)
        sum += cyclic[i];
    for (i = 1; i <= last; i++)
        sum += cyclic[i] - cyclic[i - 1];
    for (u = 0; u < N; u++)
        sum += threes[3 * u % N + 1] + threes[u + 2];
    for (u = 0; u < N; u++)
        sum += threes[u];
    for (z = 0; z < sizeof cyclic / sizeof cyclic[0]; ++z)
        sum += threes[z];
    for (i = 0; i < N; i = i + 1)
        sum += sevens[7 * i] + sevens[14 * i] + sevens[i + 3];
    for (i = 0; i < N; i += 1)
        sum += sevens[2 * i + 1];
    for (i = 4; i < N; i++)
        sum += sevens[(i - 4) * 7 + 6];
    for (i = 0; i < N; i++)
        sum += cyclic[i * THREADS];
    for (i = 0; i < N; i++)
        sum += cyclic[5] + total;
    for (i = 0; N > i; i++)
        sum += cells[i].key + cells[5 * i + 1].tail[2];
}

/* Writes, reads and writes in one, bit-fields, rows. */
static void writes(void)
{
    int i, j, t;

    for (t = 0; t < THREADS; t++)
        for (i = 0; i < N; i++)
            rows[t][i] = t + i;
    upc_barrier;
    for (j = 0; j < 6; j++)
        for (i = MYTHREAD; i < 4 * THREADS; i++)
            table[i][j] = i + j;
    upc_barrier;
    for (t = 0; t < THREADS; t++)
        for (i = 0; i < N; i++)
            if (MYTHREAD == 0)
                rows[t][i] += 1;
    upc_barrier;
    for (i = 0; i < N; i++)
        sum += (long)rows[(MYTHREAD + 1) % THREADS][i];
    for (i = MYTHREAD; i < 5 * N * THREADS; i++)
        cells[i].bits = i % 7;
    upc_barrier;
    for (i = 0; i < 5 * N * THREADS; i++)
        sum += cells[i].bits;
}

/* Through pointers, of every block size, that begin in the middle of a block. */
static void pointers(void)
{
    shared int *one = &cyclic[3 % THREADS];
    shared [3] int *three = &threes[2];
    shared [7] long *seven = sevens + 4;
    shared [] int *here = heap;
    int i;

    for (i = 0; i < N; i++)
        sum += one[i] + three[i] + here[i];
    for (i = 0; i < N; i++)
        sum += seven[i];
    for (i = 0; i < N; i++)
        sum += seven[7 * i + 2];
    for (i = 0; i < N; i++)
        sum += *(three + i) + *seven;
    for (i = 0; i < N; i++)
        three++;
    for (i = 0; i < N; i++)
        sum += *three--;
}

/* Accesses that not every iteration makes, loops that end early or call. */
static void others(void)
{
    int i;
    long largest = -1;

    for (i = 0; i < N * THREADS; i++)
        if (cyclic[i] > largest)
            largest = cyclic[i];
    for (i = 0; i < N; i++)
        sum += i % 3 == 0 ? threes[i] : 1;
    for (i = 0; i < N; i++)
        if (threes[i] < 0)
            sum++;
    for (i = 0; i < N; i++) {
        if (i % 4 == 0)
            continue;
        sum += sevens[i];
    }
    for (i = 0; i < N; i++) {
        if (cyclic[i] == N / 2)
            break;
        sum++;
    }
    for (i = 0; i < N; i++)
        sum += twice(threes[i]);
    for (i = 0; i < N; i++)
        sum += abs(cyclic[cyclic[i] % N]);
    for (i = N - 1; i >= 0; i--)
        sum += threes[i];
    for (i = 0; i < N; i += 3)
        sum += threes[i];
    i = 0;
    while (i < N)
        sum += threes[i++];
    do
        sum += cyclic[--i];
    while (i > 0);
    for (i = 0; i < N; i++) {
        sum += cyclic[i];
        if (sum < 0)
            i = N;
    }
    for (i = 0; i < 20; i++)
        sum += ready[i % THREADS];
    for (i = 0; i < 20; i++)
        sum += ready[THREADS - 1];
    sum += largest;
}

/* A function in whose loop it calls itself. */
static long depth(int n)
{
    long all = 0;
    int i;

    for (i = 0; i < 3; i++)
        all += cyclic[i + n] + (n > 0 ? depth(n - 1) : 0);
    return all;
}

static jmp_buf out;

/* Does not always come back. */
static int checked(int x)
{
    if (x > N / 3)
        longjmp(out, 1);
    return x;
}

static int through(int x) { return checked(x) + 1; }

/* Loops that a function which they call leaves, and one that is entered in the middle once more. */
static void left(void)
{
    static volatile int again;
    int i;

    if (setjmp(out) == 0)
        for (i = 0; i < N; i++)
            sum += through(cyclic[i]);
    for (i = 0; i < N; i++) {
        again = setjmp(out);
        sum += cyclic[i];
        if (i % 5 == 0 && !again)
            checked(N);
    }
}

static void owned(void)
{
    int i, k;

    upc_forall (i = 0; i < N * THREADS; i++; &threes[i]) {
        long all = 0;
        for (k = 0; k < 12; k++)
            all += cyclic[k] * threes[i] + sevens[k * 14 * THREADS];
        sum += all;
    }
    upc_forall (i = 1; i < N * THREADS; i++; &cyclic[i])
        sum += cyclic[i] + cyclic[i - 1];
}

static void calls(void)
{
    char buffer[64];
    int i, t;

    for (i = 0; i < 40; i++) {
        upc_lock(lock);
        total++;
        upc_unlock(lock);
    }
    for (t = 0; t < THREADS; t++)
        for (i = 0; i < 40; i++) {
            upc_memget(buffer, &rows[t][i], i % 2 == 0 ? 16 : 24);
            upc_memput(&table[t][0], buffer, 0);
        }
    for (i = 0; i < 40; i++)
        upc_memset(&sevens[7 * (MYTHREAD + THREADS)], 0, 8);
}

int main(void)
{
    long i, sums = 0;
    int round;
    static shared long all[THREADS];

    heap = upc_all_alloc(1, N * sizeof(int));
    lock = upc_all_lock_alloc();
    upc_forall (i = 0; i < N * THREADS; i++; &cyclic[i])
        cyclic[i] = i;
    upc_forall (i = 0; i < N * THREADS; i++; &threes[i])
        threes[i] = 3 * i;
    upc_forall (i = 0; i < 14 * N * THREADS; i++; &sevens[i])
        sevens[i] = i < 14 * THREADS ? 0 : 7 * i;
    if (MYTHREAD == 0)
        for (i = 0; i < N; i++)
            heap[i] = i;
    upc_barrier;
    for (round = 0; round < ROUNDS; round++) {
        steps();
        upc_barrier;
        writes();
        upc_barrier;
        pointers();
        others();
#ifndef FUNCTIONS /* Where those that longjmp leaves stand in a path of calls depends on what is reported: see xtask/src/suites/events/counted.rs. */
        left();
#endif
        sum += depth(3);
        owned();
        upc_barrier;
        calls();
        upc_barrier;
    }
    all[MYTHREAD] = sum;
    upc_barrier;
    if (MYTHREAD == 0) {
        for (i = 0; i < THREADS; i++)
            sums += all[i];
        printf("%ld %d\n", sums, total);
    }
    return 0;
}
