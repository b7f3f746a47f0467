// question: do the bupc_atomic functions of each type return the old value and store the new one, those of Cray as well, and lose nothing under contention?
// counts: UPCC_ATOMIC=6204*THREADS, UPC_BARRIER=3*THREADS, UPC_PUT=80*THREADS, UPC_PUT.remote=80*THREADS*(THREADS>1), UPC_GET=162*THREADS, UPC_GET.remote=(162*THREADS-2)*(THREADS>1)
#include "../../programs/check.h"
#include <stdint.h>
#include <upc_cray.h>

typedef unsigned int uint;
typedef unsigned long ulong;
static shared uint64_t place[THREADS];
static shared long word[THREADS];
static shared int total;
static shared double sum;

#define ACCESS(T, code, order, x, y)                                                                                                   \
    do {                                                                                                                               \
        shared void *p = &place[(MYTHREAD + 1) % THREADS];                                                                             \
        bupc_atomic##code##_set_##order(p, x);                                                                                         \
        CHECK(bupc_atomic##code##_read_##order(p) == (T)(x));                                                                          \
        CHECK(bupc_atomic##code##_swap_##order(p, y) == (T)(x) && *(shared T *)p == (T)(y));                                           \
        CHECK(bupc_atomic##code##_cswap_##order(p, x, x) == (T)(y) && *(shared T *)p == (T)(y));                                       \
        CHECK(bupc_atomic##code##_cswap_##order(p, y, x) == (T)(y) && *(shared T *)p == (T)(x));                                       \
        CHECK(bupc_atomic##code##_fetchadd_##order(p, y) == (T)(x) && *(shared T *)p == (T)((T)(x) + (T)(y)));                         \
    } while (0)

#define BITS(T, code, order, x, y)                                                                                                     \
    do {                                                                                                                               \
        shared void *p = &place[(MYTHREAD + 1) % THREADS];                                                                             \
        ACCESS(T, code, order, x, y);                                                                                                  \
        *(shared T *)p = (x);                                                                                                          \
        CHECK(bupc_atomic##code##_mswap_##order(p, 0xf0, y) == (T)(x) && *(shared T *)p == (((T)(x) & ~(T)0xf0) | ((T)(y)&0xf0)));     \
        *(shared T *)p = (x);                                                                                                          \
        CHECK(bupc_atomic##code##_fetchand_##order(p, y) == (T)(x) && *(shared T *)p == ((T)(x) & (T)(y)));                            \
        *(shared T *)p = (x);                                                                                                          \
        CHECK(bupc_atomic##code##_fetchor_##order(p, y) == (T)(x) && *(shared T *)p == ((T)(x) | (T)(y)));                             \
        *(shared T *)p = (x);                                                                                                          \
        CHECK(bupc_atomic##code##_fetchxor_##order(p, y) == (T)(x) && *(shared T *)p == ((T)(x) ^ (T)(y)));                            \
        *(shared T *)p = (x);                                                                                                          \
        CHECK(bupc_atomic##code##_fetchnot_##order(p) == (T)(x) && *(shared T *)p == (T) ~(T)(x));                                     \
    } while (0)

#define INTEGER(T, code, x, y)                                                                                                         \
    BITS(T, code, strict, x, y);                                                                                                       \
    BITS(T, code, relaxed, y, x)

int main(void)
{
    int i;
    INTEGER(int, I, -77, 0x1234567);
    INTEGER(uint, UI, 3000000000u, 77);
    INTEGER(long, L, -(1L << 50), 0xabcdef);
    INTEGER(ulong, UL, 1UL << 63, 12345);
    INTEGER(int32_t, I32, -1, 0x7ffffff);
    INTEGER(uint32_t, U32, 0xdeadbeef, 0x0f0f0f0f);
    INTEGER(int64_t, I64, -3, 1LL << 40);
    INTEGER(uint64_t, U64, 0x123456789abcdef0ull, 0xffull);
    ACCESS(float, F, strict, 1.5f, -2.25f);
    ACCESS(float, F, relaxed, 1e20f, 3.f);
    ACCESS(double, D, strict, 1e200, 2.5);
    ACCESS(double, D, relaxed, 0.125, -8.);
    _amo_aadd_upc(&word[MYTHREAD], 3);
    CHECK(_amo_afadd_upc(&word[MYTHREAD], 4) == 3 && _amo_acswap_upc(&word[MYTHREAD], 7, 1) == 7);
    CHECK(_amo_afadd_upc(&word[MYTHREAD], 0) == 1);
    upc_barrier;
    for (i = 0; i < 3000; i++) {
        bupc_atomicI_fetchadd_relaxed(&total, 1);
        bupc_atomicD_fetchadd_strict(&sum, 0.5);
    }
    upc_barrier;
    CHECK(total == 3000 * THREADS && sum == 1500. * THREADS);
    return pass();
}
