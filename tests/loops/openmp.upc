// question: do OpenMP's loops and blocks hold loops of shared accesses, which keep the form that the pragma asks for?
#include "../programs/check.h"

#define N (12 * THREADS)

shared int c[N];
shared [4] int b[N];

static int total(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i % 5;
    return sum;
}

int main(void)
{
    int s = 0;
    for (int i = MYTHREAD; i < N; i += THREADS)
        c[i] = b[i] = i % 5;
    upc_barrier;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < N; i++)
        s += c[i];
    _Pragma("omp simd reduction(+ : s)") for (int i = 0; i < N; i++)
        s += c[i];
    CHECK(s == 2 * total(N));
#pragma omp parallel
    {
        int mine = 0;
#pragma omp for nowait
        for (int i = 0; i < N; i++)
            mine += c[i];
        for (int i = 0; i < N; i++)
            mine += c[i] - b[i];
#pragma omp atomic
        s += mine;
    }
    CHECK(s == 3 * total(N));
#pragma omp parallel for collapse(2) reduction(+ : s)
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            s += c[i] - b[j];
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++)
            s += b[i] - c[j];
    }
    CHECK(s == 3 * total(N));
#pragma omp parallel for reduction(+ : s)
    upc_forall (int i = 0; i < N; i++; &b[i])
        s += b[i];
    upc_forall (int i = 0; i < N; i++; &b[i])
        s -= b[i];
    CHECK(s == 3 * total(N));
    return pass();
}
