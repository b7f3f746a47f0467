// question: a pointer may stand before its declared array for a while: `p = a - 1`, counted from 1; loops downwards; affinity of a neighbour
// counts: UPC_FORALL=THREADS, UPC_BARRIER=2*THREADS, UPC_PUT=28*THREADS, UPC_PUT.remote=0, UPC_GET=21*THREADS*THREADS+20*THREADS, UPC_GET.remote=(21*THREADS+20)*(THREADS-1)
#include "check.h"

#define N 7
shared int a[N * THREADS];
shared [3] int b[3 * N * THREADS];
shared [4] short m[4 * THREADS][2];
static shared int *one_based = a - 1;

static int second(shared int *p) { return p[1]; }

int main(void)
{
    int i, k, n = 0;
    shared [3] int *q;
    for (i = MYTHREAD; i < N * THREADS; i += THREADS)
        a[i] = i;
    for (i = 0; i < 3 * N * THREADS; i++)
        if (upc_threadof(&b[i]) == MYTHREAD)
            b[i] = i;
    upc_barrier;
    for (k = -9; k <= 0; k++) {
        shared int *p = a + k;
        shared int *r = &a[k];
        q = b + k;
        CHECK(p == r && p - k == a && a - p == -k && p - a == k && p + (-k) == a && *(p - k) == 0);
        CHECK(q - k == b && b - q == -k && &q[-k] == b && q[1 - k] == 1 && upc_phaseof(q) == (k + 9) % 3);
        CHECK(upc_threadof(p) == ((k % THREADS) + THREADS) % THREADS && (k == 0 || p < a));
    }
    for (i = 1; i <= N * THREADS; i++)
        CHECK(one_based[i] == i - 1 && second(a - 2 + i) == i - 1 && second(&a[i - 2]) == i - 1);
    for (q = b + 3 * N * THREADS - 1; q != b - 1; q--)
        n++;
    for (q = b + 3 * N * THREADS; --q > &b[-1];)
        n++;
    CHECK(n == 6 * N * THREADS);
    CHECK((shared [4] short(*)[2])(m - 1) + 1 == m && &(m - 1)[1][1] == &m[0][1]);
    n = 0;
    upc_forall (i = 0; i < THREADS * N; i += 2; &a[i - 1])
        n++;
    for (i = 0; i < THREADS * N; i += 2)
        n -= (i + THREADS - 1) % THREADS == MYTHREAD;
    CHECK(n == 0);
    return pass();
}
