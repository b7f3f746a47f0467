// question: bit-fields of shared structs are read, written, incremented and assigned without touching their neighbours
// counts: UPC_BARRIER=5*THREADS, UPC_FORALL=THREADS, UPC_PUT=9*THREADS+24, UPC_PUT.remote=7*(THREADS>1)
#include "check.h"

struct bits {
    unsigned a : 3;
    signed b : 5;
    unsigned : 0;
    unsigned long long wide : 40;
    _Bool flag : 1;
    unsigned last : 20;
};

shared struct bits s;
shared [3] struct bits array[3 * THREADS];
strict shared struct bits t;
/* Bit-fields of unnamed members. */
shared union { struct { unsigned low : 16, high : 16; }; unsigned whole; } halves;
shared struct { int n; union { struct { unsigned char r : 3, g : 3, b : 2; } rgb; struct { signed char x : 4, y : 4; }; }; } pixels[2 * THREADS];

int main(void)
{
    int e;
    if (MYTHREAD == THREADS - 1) {
        s.a = 5;
        s.b = -3;
        s.wide = 1ull << 39;
        s.flag = 4;
        s.last = 0xfffff;
        CHECK((s.a = 15) == 7);
        s.a = 5;
    }
    upc_barrier;
    CHECK(s.a == 5 && s.b == -3 && s.wide == 1ull << 39 && s.flag == 1 && s.last == 0xfffff);
    upc_barrier;
    if (MYTHREAD == 0) {
        CHECK(s.a++ == 5 && ++s.a == 7 && ++s.a == 0);
        CHECK(s.b-- == -3 && (s.b -= 2) == -6 && (s.b *= 2) == -12);
        s.wide |= 1;
        s.wide >>= 1;
        s.last ^= 0xff;
        CHECK(s.wide == 1ull << 38 && s.last == 0xfff00 && s.flag == 1 && s.b == -12);
    }
    upc_forall (e = 0; e < 3 * THREADS; e++; &array[e]) {
        array[e].a = e;
        array[e].b = -e % 7;
        array[e].last = e * e;
    }
    upc_barrier;
    for (e = 0; e < 3 * THREADS; e++) {
        struct bits copy = array[e];
        CHECK(array[e].a == (e & 7) && array[e].b == -e % 7 && array[e].last == e * e && array[e].wide == 0 && !array[e].flag);
        CHECK(copy.a == (e & 7) && copy.b == -e % 7 && copy.last == e * e);
    }
    if (MYTHREAD == 0) {
        halves.whole = 0x12345678;
        halves.high += 0xffff;
        halves.low <<= 4;
        CHECK(halves.whole == 0x12336780);
        pixels[THREADS].rgb.g = 9;
        pixels[THREADS].y--;
        CHECK(pixels[THREADS].x == -8 && pixels[THREADS].y == -1 && pixels[THREADS].rgb.b == 3);
        t.b = 9;
        t.flag = 1;
        t.b += 3;
    }
    upc_barrier;
    CHECK(t.b == 12 && t.flag && t.a == 0);
    return pass();
}
