// question: shared values take part in C's conversions as their unqualified types do
// flags: -w
// counts: UPC_BARRIER=4*THREADS, UPC_PUT=21, UPC_PUT.remote=9*(THREADS>1)
#include "check.h"
#include <complex.h>

shared signed char c;
shared unsigned char uc;
shared unsigned short us;
shared int i;
shared unsigned u;
shared long long ll;
shared float f;
shared double d;
shared double complex z;
shared __int128 big;
typedef int v4 __attribute__((vector_size(16)));
shared v4 vec;
shared int *shared p;
shared int a[4 * THREADS];

static double half(double x) { return x / 2; }
static int narrow(short s) { return s; }

int main(void)
{
    if (MYTHREAD == 0) {
        c = -1;
        uc = 255;
        us = 65535;
        i = -1;
        u = 1;
        ll = 1LL << 40;
        f = 0.5f;
        d = 3;
        z = 1 + 2 * I;
        big = (__int128)1 << 100;
        vec = (v4){ 1, 2, 3, 4 };
        p = &a[2];
    }
    upc_barrier;
    CHECK(c + uc == 254 && (c < uc) && us + 1 == 65536 && (i < u) == 0 && (i < (int)u) == 1);
    CHECK(half(i) == -0.5 && half(f) == 0.25 && narrow(ll + 7) == 7 && ll >> 38 == 4 && (char)us == -1);
    CHECK(d / 2 == 1.5 && 7 / (int)d == 2 && f + d == 3.5 && (i ? 1 : 0) == 1 && !u == 0 && ~uc == -256);
    CHECK(creal(z) == 1 && cimag(z) == 2 && __real__ z == 1 && creal(z * z) == -3 && (big >> 98) == 4 && vec[2] == 3 && (vec + vec)[3] == 8);
    CHECK((u << uc % 8) == 128 && (1 ? c : u) == 0xffffffffu && sizeof(1 ? c : u) == 4 && sizeof(+c) == 4 && sizeof(c) == 1);
    CHECK(p + i == &a[1] && p - u == &a[1] && p[i] == a[1] && &p[-1] == a + 1 && i[p] == 0 && p - a == 2);
    CHECK(p + c == &a[1] && &a[us - 65534] == a + 1 && a + ll / (1LL << 40) == &a[1]);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        z *= 2;
        z += d;
        big -= 1;
        vec = vec * 2 + 1;
        p += i;
        f += 1;
        uc += 1;
        c--;
        us <<= 1;
    }
    upc_barrier;
    CHECK(creal(z) == 5 && cimag(z) == 4 && big == ((__int128)1 << 100) - 1 && vec[3] == 9 && p == &a[1] && f == 1.5f && uc == 0 && c == -2 && us == 65534);
    return pass();
}
