// threads: 1 3
// flags: -fsanitize=alignment -fsanitize-undefined-trap-on-error
// counts: UPC_BARRIER=6*THREADS, UPC_FORALL=2*THREADS, UPC_ALLOC=THREADS, UPC_FREE=THREADS, C_FUNC=5*THREADS
// counts: UPC_PUT=298*THREADS, UPC_PUT.remote=211*THREADS*(THREADS>1), UPC_GET=20*THREADS*THREADS+318*THREADS
/* Members of packed structures lie where their types would not: no access may take them to be aligned, in whatever way it is written. A trap
   of the sanitizer ends the program. */
#include <upc_relaxed.h>
#include <complex.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

typedef int any_int __attribute__((aligned(1)));
struct inner { char c; long long l; };
struct bits { int low : 5; unsigned high : 20; long long wide : 40; };
struct __attribute__((packed)) packed {
    char first;
    int i;
    double d;
    short rows[2][3];
    struct inner in;
    struct bits b;
    int own : 13;
    unsigned long more : 40;
    double _Complex z;
    shared int *p;
    void *q;
    _Bool flag;
    long double ld;
    union { float f; uint32_t u; };
    enum { RED, GREEN = 70000 } colour;
    char last;
};
#pragma pack(push, 2)
struct twos { short s; int i; double d; };
#pragma pack(pop)
struct __attribute__((packed, aligned(8))) whole { int i; double d; };

shared struct packed a[2 * THREADS];
shared[3] struct packed blocks[6 * THREADS];
shared struct twos twos[THREADS];
shared struct whole whole[THREADS];
strict shared struct packed ordered[THREADS];
shared struct packed initial = {1, 2, 3.5, {{1, 2}, {3}}, {4, 5}, {-6, 7, 8}, -9, 10, .p = (shared int *)&a[0], .ld = 1.25, .u = 11, .last = 12};
shared int plain[8 * THREADS];

#define EACH(P)                                                                                                                        \
    do {                                                                                                                               \
        (P).i = 5;                                                                                                                     \
        CHECK((P).i++ == 5 && (P).i == 6 && --(P).i == 5);                                                                             \
        (P).i <<= 2, (P).i |= 3;                                                                                                       \
        CHECK((P).i == 23);                                                                                                            \
        (P).d = 1.5, (P).d += (P).i;                                                                                                   \
        CHECK((P).d == 24.5);                                                                                                          \
        for (int r = 0; r < 2; r++)                                                                                                    \
            for (int k = 0; k < 3; k++)                                                                                                \
                (P).rows[r][k] = r * 3 + k, (P).rows[r][k] *= 2, ++*((P).rows[r] + k);                                                 \
        CHECK((P).rows[1][1] == 9 && *(*((P).rows + 1) + 2) == 11 && (&(P).rows[0][0])[1] == 3);                                       \
        (P).in.c = 'x', (P).in.l = 1LL << 40, (P).in.l -= 1;                                                                           \
        CHECK((P).in.l == (1LL << 40) - 1);                                                                                            \
        struct inner in = (P).in;                                                                                                      \
        in.l = 77;                                                                                                                     \
        (P).in = in;                                                                                                                   \
        CHECK((P).in.l == 77 && (P).in.c == 'x' && (&(P).in)->l == 77);                                                                \
        (P).b.low = -3, (P).b.high = 99, (P).b.wide = 1LL << 33, (P).b.high++, (P).b.wide /= 2;                                        \
        CHECK((P).b.low == -3 && (P).b.high == 100 && (P).b.wide == 1LL << 32);                                                        \
        struct bits b = (P).b;                                                                                                         \
        CHECK(b.high == 100);                                                                                                          \
        (P).own = -77, (P).more = 1UL << 39, (P).own -= 1, (P).more |= 1;                                                              \
        CHECK((P).own == -78 && (P).more == (1UL << 39) + 1);                                                                          \
        (P).z = 1 + 2 * I, __imag__(P).z += 3;                                                                                         \
        CHECK(__real__(P).z == 1 && __imag__(P).z == 5 && (P).z == 1 + 5 * I);                                                         \
        (P).p = &plain[5], (P).p += 2;                                                                                                 \
        CHECK((P).p == &plain[7] && upc_threadof((P).p) == 7 % THREADS);                                                               \
        (P).q = (void *)1, (P).flag = (P).p;                                                                                                 \
        CHECK((P).q == (void *)1 && (P).flag);                                                                                       \
        (P).ld = 2.5L, (P).ld *= 2, (P).f = 1, (P).colour = GREEN;                                                                     \
        CHECK((P).ld == 5 && (P).u == 0x3f800000 && (P).colour == GREEN);                                                              \
        (P).first = 1, (P).last = 2;                                                                                                   \
    } while (0)

/* The padding of a member that is not packed itself is copied, too. */
static void check_bytes(int t)
{
    struct inner in, back;
    memset(&in, 0x5a, sizeof in);
    a[t].in = in;
    memset(&back, 0, sizeof back);
    back = a[t].in;
    CHECK(memcmp(&in, &back, sizeof in) == 0);
    memset(&back, 0, sizeof back);
    back = ordered[t % THREADS].in = in;
    CHECK(memcmp(&in, &back, sizeof in) == 0);
    struct inner again = ordered[t % THREADS].in;
    CHECK(memcmp(&in, &again, sizeof in) == 0);
}

/* Loops that become private where the elements are. */
static void check_loops(void)
{
    int i;
    upc_forall (i = 0; i < 2 * THREADS; i++; &a[i]) {
        a[i].i = i, a[i].d = i / 2.0, a[i].in.l = a[i].i + 1, a[i].b.high = i, a[i].rows[1][2] = i;
        a[i].in.l += a[i].rows[1][2];
    }
    upc_forall (i = 0; i < 6 * THREADS; i++; &blocks[i])
        blocks[i].i = i, blocks[i].rows[0][1] = i, blocks[i].d = blocks[i].i + blocks[i].rows[0][1];
    upc_barrier;
    for (i = 0; i < 2 * THREADS; i++)
        CHECK(a[i].i == i && a[i].d == i / 2.0 && a[i].in.l == 2 * i + 1 && a[i].b.high == (unsigned)i);
    for (i = 0; i < 6 * THREADS; i++)
        CHECK(blocks[i].i == i && blocks[i].d == 2 * i);
    upc_barrier;
}

/* A type that asks for no alignment, by pointers too. */
static void check_types(int t)
{
    shared[] char *bytes = (shared[] char *)upc_alloc(64);
    shared[] any_int *n = (shared[] any_int *)(bytes + 1);
    *n = 5, n[2] = 7, n[2]++, *n *= 3;
    CHECK(*n == 15 && n[2] == 8);
    shared[] struct packed *p = (shared[] struct packed *)(bytes + 3);
    p->i = 9, p->rows[1][1] = 4;
    CHECK(p->i == 9 && p->rows[1][1]++ == 4 && p->rows[1][1] == 5);
    upc_free(bytes);
    twos[t].s = 1, twos[t].i = 2, twos[t].d = 3, twos[t].i += 5, twos[t].d /= 2;
    CHECK(twos[t].i == 7 && twos[t].d == 1.5);
    whole[t].i = 1, whole[t].d = 2, whole[t].d += whole[t].i;
    CHECK(whole[t].d == 3);
}

int main(void)
{
    const int next = (MYTHREAD + 1) % THREADS;
    CHECK(initial.i == 2 && initial.d == 3.5 && initial.rows[1][0] == 3 && initial.in.l == 5 && initial.b.wide == 8 && initial.own == -9);
    CHECK(initial.more == 10 && initial.p == (shared int *)&a[0] && initial.ld == 1.25L && initial.u == 11 && initial.last == 12);
    EACH(a[next]);
    upc_barrier;
    EACH(a[THREADS + MYTHREAD]);
    EACH(ordered[next]);
    shared struct packed *p = &a[next];
    EACH(*p);
    shared[3] struct packed *q = &blocks[3 * next + 1];
    EACH(q[1]);
    struct packed copy = a[next];
    blocks[3 * next] = copy;
    CHECK(blocks[3 * next].d == 24.5 && blocks[3 * next].rows[1][1] == 9);
    upc_barrier;
    check_bytes(next);
    upc_barrier;
    check_loops();
    check_types(next);
    return pass();
}
