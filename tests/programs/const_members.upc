// question: do const members of shared objects, and of private ones that C cannot initialise, get their initial values: bit-fields, volatile ones, arrays, records?
// threads: 1 3
#include "check.h"

shared int a[4 * THREADS];
struct small { int a; const unsigned f : 11; };
struct parts {
    const char c;
    const unsigned low : 3;
    volatile const int middle : 17;
    unsigned free : 9;
    const long long wide : 61;
    const _Bool flag : 1;
    const unsigned long all : 64;
    volatile const double d;
    const char text[6];
    const struct small in;
    const struct small many[2];
    struct { int : 5; const int inner : 9; union { const unsigned u : 15; int whole; }; };
    int end;
};
struct __attribute__((packed)) packed { char c; const int f : 13; const unsigned long g : 57; const int n; volatile const long l; };
struct pointing { shared int *const p; const unsigned f : 3; volatile const int g : 27; const struct small in; const char text[4]; };
typedef const struct parts fixed;

#define PARTS {'c', 5, -65536, 300, -(1LL << 60), 7, ~1UL, 2.5, "hello", {1, 2046}, {{3, 4}, {5, 6}}, {-200, {32767}}, 9}
static shared struct small g = {-1, 1392};
shared struct parts s = PARTS;
shared const struct parts sc = PARTS;
strict shared fixed sf = PARTS;
shared struct packed sp = {1, -4096, (1UL << 57) - 2, 7, -8};
/* Designators that come back to what was initialised before, and neighbours that keep their values. */
shared struct parts again = {.middle = 1, .low = 7, .c = 'x', .middle = -1, .in = {1, 2}, .in.f = 3, .many[0 ... 1].f = 77, .free = 511};

static struct pointing p = {&a[1], 5, -(1 << 26), {7, 2047}, "abc"};
static const struct pointing pc = {&a[2], 6, 12345, {.f = 1}, "xyz"};
static struct pointing array[3] = {{&a[1], 1}, [2] = {&a[3], 2, -1, .in.f = 4}};
struct { const int n; const struct pointing in; } nested = {3, {a, 4, 5, {6, 7}, {'q'}}};

/* Whole values. */
static shared struct small whole = (struct small){3, 5};
static struct pointing of_whole = (struct pointing){&a[3], 1, 2, {3, 4}, "ab"};
static struct { int k; struct pointing in; } around = {1, (struct pointing){&a[1], .in = {5, 6}}};

#define CHECK_PARTS(x)                                                                                                                 \
    do {                                                                                                                               \
        CHECK((x).c == 'c' && (x).low == 5 && (x).middle == -65536 && (x).free == 300 && (x).wide == -(1LL << 60));                    \
        CHECK((x).flag == 1 && (x).all == ~1UL && (x).d == 2.5 && (x).text[0] == 'h' && (x).text[4] == 'o' && !(x).text[5]);           \
        CHECK((x).in.a == 1 && (x).in.f == 2046 && (x).many[0].f == 4 && (x).many[1].a == 5 && (x).many[1].f == 6);                    \
        CHECK((x).inner == -200 && (x).u == 32767 && (x).end == 9);                                                                    \
    } while (0)

int main(void)
{
    static shared struct small local = {8, 9};
    static const struct pointing in_block = {&a[0], 7, 99, {1, 2}, "no"};
    CHECK(g.a == -1 && g.f == 1392 && local.a == 8 && local.f == 9);
    CHECK_PARTS(s);
    CHECK_PARTS(sc);
    CHECK_PARTS(sf);
    CHECK(sp.c == 1 && sp.f == -4096 && sp.g == (1UL << 57) - 2 && sp.n == 7 && sp.l == -8);
    CHECK(again.c == 'x' && again.low == 7 && again.middle == -1 && again.free == 511 && again.wide == 0 && again.in.a == 1);
    CHECK(again.in.f == 3 && again.many[0].f == 77 && again.many[1].f == 77 && again.many[1].a == 0 && again.end == 0);
    CHECK(p.p == &a[1] && p.f == 5 && p.g == -(1 << 26) && p.in.a == 7 && p.in.f == 2047 && p.text[2] == 'c');
    CHECK(pc.p == &a[2] && pc.f == 6 && pc.g == 12345 && pc.in.a == 0 && pc.in.f == 1 && pc.text[0] == 'x');
    CHECK(array[0].p == &a[1] && array[0].f == 1 && !array[1].p && array[2].p == &a[3] && array[2].g == -1 && array[2].in.f == 4);
    CHECK(nested.n == 3 && nested.in.p == a && nested.in.f == 4 && nested.in.g == 5 && nested.in.in.f == 7 && nested.in.text[0] == 'q');
    CHECK(whole.a == 3 && whole.f == 5 && of_whole.p == &a[3] && of_whole.f == 1 && of_whole.in.f == 4 && of_whole.text[1] == 'b');
    CHECK(around.k == 1 && around.in.p == &a[1] && around.in.f == 0 && around.in.in.f == 6);
    CHECK(in_block.p == a && in_block.f == 7 && in_block.g == 99 && in_block.in.f == 2);
    return pass();
}
