// question: do Berkeley's collective operations on values, and its reduction to all threads, give what a loop over the threads gives?
// counts: UPC_ALL_REDUCE=22*THREADS, UPC_BARRIER=THREADS, UPC_FORALL=11*THREADS, C_MALLOC=4*THREADS*THREADS, C_FREE=4*THREADS*THREADS
// counts: UPC_PUT=33*THREADS, UPC_PUT.remote=0, UPC_GET=33*THREADS, UPC_GET.remote=11*THREADS*(THREADS>1)
#include "../../programs/check.h"
#include <bupc_collectivev.h>
#include <stdlib.h>
#include <string.h>

struct big {
    int number;
    char text[300];
};

static int root_of(int round)
{
    return round % THREADS;
}

#define REDUCE(T, op, expression)                                                                                                      \
    do {                                                                                                                               \
        T mine = (T)(MYTHREAD + 2), total = 2, a, b = 0;                                                                               \
        for (t = 1; t < THREADS; t++) {                                                                                                \
            a = total;                                                                                                                 \
            b = (T)(t + 2);                                                                                                            \
            total = (T)(expression);                                                                                                   \
        }                                                                                                                              \
        CHECK(bupc_allv_reduce_all(T, mine, op) == total);                                                                             \
        CHECK(bupc_allv_reduce(T, mine, -1, op) == total);                                                                             \
        a = bupc_allv_reduce(T, mine, root_of(round), op);                                                                             \
        CHECK(MYTHREAD != root_of(round) || a == total);                                                                               \
        a = bupc_allv_prefix_reduce(T, mine, op);                                                                                      \
        CHECK(MYTHREAD != THREADS - 1 || a == total);                                                                                  \
        CHECK(MYTHREAD != 0 || a == 2);                                                                                                \
        (void)b;                                                                                                                       \
    } while (0)

#define ALL_OPS(T)                                                                                                                     \
    REDUCE(T, UPC_ADD, a + b);                                                                                                         \
    REDUCE(T, UPC_MULT, a * b);                                                                                                        \
    REDUCE(T, UPC_MAX, a > b ? a : b);                                                                                                 \
    REDUCE(T, UPC_MIN, a < b ? a : b)

static void reductions(int round)
{
    int t;
    ALL_OPS(unsigned char);
    ALL_OPS(short);
    ALL_OPS(unsigned short);
    ALL_OPS(int);
    ALL_OPS(unsigned);
    ALL_OPS(long);
    ALL_OPS(unsigned long);
    ALL_OPS(long long);
    ALL_OPS(float);
    ALL_OPS(double);
    ALL_OPS(long double);
    REDUCE(int, UPC_OR, a | b);
    REDUCE(int, UPC_XOR, a ^ b);
}

static void movement(int round)
{
    int t, root = root_of(round), *numbers = malloc(THREADS * sizeof(int)), *result;
    struct big mine, got, *all = malloc(THREADS * sizeof(struct big));
    mine.number = MYTHREAD * 10 + round;
    memset(mine.text, 'a' + MYTHREAD, sizeof mine.text);
    got = bupc_allv_broadcast(struct big, mine, root);
    CHECK(got.number == root * 10 + round && got.text[299] == 'a' + root);
    got = bupc_allv_permute(struct big, mine, (MYTHREAD + 1) % THREADS);
    CHECK(got.number == (MYTHREAD + THREADS - 1) % THREADS * 10 + round);
    CHECK(bupc_allv_gather_all(struct big, mine, all) == all);
    for (t = 0; t < THREADS; t++)
        CHECK(all[t].number == t * 10 + round && all[t].text[0] == 'a' + t);
    all[0].number = -1;
    CHECK(bupc_allv_gather_all(struct big, mine, MYTHREAD == root ? all : NULL) == (MYTHREAD == root ? all : NULL));
    CHECK(all[0].number == (MYTHREAD == root ? round : -1));
    result = bupc_allv_gather(int, mine.number, root, MYTHREAD == root ? numbers : NULL);
    for (t = 0; MYTHREAD == root && t < THREADS; t++)
        CHECK(result[t] == t * 10 + round);
    for (t = 0; t < THREADS; t++)
        numbers[t] = t * t + round;
    t = bupc_allv_scatter(int, root, MYTHREAD == root ? numbers : NULL);
    CHECK(t == MYTHREAD * MYTHREAD + round);
    free(numbers);
    free(all);
}

/* The reduction to all threads, of each type. */
#define TO_ALL(L, T)                                                                                                                   \
    static shared T source_##L[3 * THREADS], everywhere_##L[THREADS];                                                                  \
    static T smaller_##L(T a, T b)                                                                                                     \
    {                                                                                                                                  \
        return a < b ? a : b;                                                                                                          \
    }                                                                                                                                  \
    static void to_all_##L(void)                                                                                                       \
    {                                                                                                                                  \
        int i;                                                                                                                         \
        T sum = 0;                                                                                                                     \
        upc_forall (i = 0; i < 3 * THREADS; i++; &source_##L[i])                                                                       \
            source_##L[i] = (T)(i + 2);                                                                                                \
        for (i = 0; i < 3 * THREADS - 1; i++)                                                                                          \
            sum = (T)(sum + (T)(i + 2));                                                                                               \
        bupc_all_reduce_all##L(everywhere_##L, source_##L, UPC_ADD, 3 * THREADS - 1, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_MYSYNC);        \
        CHECK(everywhere_##L[MYTHREAD] == sum);                                                                                        \
        bupc_all_reduce_all##L(everywhere_##L, source_##L, UPC_FUNC, 3 * THREADS - 1, 1, smaller_##L, 0);                              \
        CHECK(everywhere_##L[MYTHREAD] == 2 && everywhere_##L[(MYTHREAD + 1) % THREADS] == 2);                                         \
    }
TO_ALL(C, signed char)
TO_ALL(UC, unsigned char)
TO_ALL(S, short)
TO_ALL(US, unsigned short)
TO_ALL(I, int)
TO_ALL(UI, unsigned)
TO_ALL(L, long)
TO_ALL(UL, unsigned long)
TO_ALL(F, float)
TO_ALL(D, double)
TO_ALL(LD, long double)

int main(void)
{
    int round;
    for (round = 0; round < 2 * THREADS; round++) {
        reductions(round);
        movement(round);
    }
    to_all_C();
    to_all_UC();
    to_all_S();
    to_all_US();
    to_all_I();
    to_all_UI();
    to_all_L();
    to_all_UL();
    to_all_F();
    to_all_D();
    to_all_LD();
    return pass();
}
