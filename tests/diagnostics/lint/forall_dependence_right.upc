// Silent where W0713 would be wrong: other elements, one thread, conditions that choose iterations, synchronisation.
#include <upc.h>
#define N 100

shared int a[N * THREADS], b[N * THREADS];
shared [4] int blocks[N * THREADS];
shared [N] double m[N * THREADS][N];
shared struct cell { int x, y, list[4]; } cells[N * THREADS];
strict shared int done[N * THREADS];

void elsewhere(int);

void other_elements(shared int *p, shared int *q, int n, int turn)
{
    int i, j;
    upc_forall (i = 1; i < N; i++; i)
        a[i] = b[i - 1];
    upc_forall (i = 1; i < N; i += 2; i)
        a[i] = a[i - 1] + a[i + 1];
    upc_forall (i = 1; i < N; i++; i)
        cells[i].x = cells[i - 1].y;
    upc_forall (i = 1; i < N; i++; i)
        cells[i].list[0] = cells[i - 1].list[1];
    upc_forall (i = 1; i < N; i++; i)
        p[i] = q[i - 1];
    upc_forall (i = 0; i < N / 2; i++; i)
        a[i] = a[i + N / 2];
    upc_forall (i = 0; i < N; i++; i)
        a[i] = a[i + n];
    upc_forall (i = 1; i < N; i++; i)
        m[turn][i] = m[1 - turn][i - 1];
    upc_forall (i = 0; i < N; i++; i)
        a[2 * i] = a[2 * i + 1];
    upc_forall (i = 1; i < N; i++; i)
        a[i] = b[i] + a[i];
    // Red and black points.
    upc_forall (i = 1; i < N; i++; &m[i][0])
        for (j = 1 + (i + turn) % 2; j < N; j += 2)
            m[i][j] = m[i - 1][j] + m[i + 1][j];
    upc_forall (i = 1; i < N; i++; &m[i][0])
        for (j = 1; j < N; j++)
            if ((i + j) % 2 == turn)
                m[i][j] = m[i - 1][j] + m[i + 1][j];
    upc_forall (i = 1; i < N; i++; i)
        if (i % 2)
            a[i] = a[i - 1];
    upc_forall (i = 0; i < N; i++; i)
        if (i < N / 2)
            a[i] = a[i + N / 2];
    // Elements that an inner loop selects: of the iteration's own part, of another array, under a condition, up to a
    // bound that is not known.
    upc_forall (i = 0; i < N; i++; i)
        for (j = 0; j < 4; j++)
            a[4 * i] += a[4 * i + j];
    upc_forall (i = 1; i < N; i++; i)
        for (j = 0; j < 3; j++)
            a[i] += b[i - 1 + j];
    upc_forall (i = 1; i < N; i++; i)
        for (j = 0; j < 3; j++)
            if (j == 1)
                a[i] += a[i - 1 + j];
    upc_forall (i = 1; i < N; i++; i)
        for (j = 0; j < n; j++)
            a[i] += a[i + j];
    upc_forall (i = 0; i < N; i++; i)
        for (j = 0; j < 3; j++) {
            a[i] = a[i + j];
            if (b[i])
                break;
        }
    upc_forall (i = 0; i < 2; i++; i)
        for (j = 2; j < 4; j++)
            a[i] = a[i + j];
}

void same_thread(int n)
{
    int i, j;
    upc_forall (i = 1; i < N; i++; &m[i][0])
        for (j = 1; j < N - 1; j++)
            m[i][j] = m[i][j - 1] + m[i][j + 1];
    upc_forall (i = 1; i < 4; i++; &blocks[i])
        blocks[i] = blocks[i - 1];
    upc_forall (i = THREADS; i < N * THREADS; i++; i)
        a[i] = a[i - THREADS];
    upc_forall (i = 1; i < N; i++; 0) //~ W0705
        a[i] = a[i - 1];
    upc_forall (i = 1; i < N; i++; continue)
        a[i] = a[i - 1];
    upc_forall (i = 0; i < THREADS; i++; i)
        for (j = 1; j < N; j++)
            m[i][j] = m[i][j - 1];
    for (i = 1; i < n; i++)
        a[i] = a[i - 1];
}

void synchronised(upc_lock_t *lock)
{
    int i;
    upc_forall (i = 1; i < N; i++; i) {
        while (!done[i - 1])
            ;
        a[i] = a[i - 1];
        done[i] = 1;
    }
    upc_forall (i = 1; i < N; i++; i) {
        elsewhere(i - 1);
        a[i] = a[i - 1];
        elsewhere(i);
    }
    upc_forall (i = 1; i < N; i++; i) {
        upc_lock(lock);
        a[i] = a[i - 1];
        upc_unlock(lock);
    }
}
