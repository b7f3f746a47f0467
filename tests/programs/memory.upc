// question: upc_memcpy, memget, memput and memset move the right bytes, of any size, between any threads
// counts: UPC_MEMSET=15*THREADS, UPC_MEMPUT=16*THREADS, UPC_MEMGET=15*THREADS, UPC_MEMCPY=14*THREADS, C_MALLOC=2*THREADS, UPC_BARRIER=44*THREADS
// counts: UPC_GET=11505*THREADS, UPC_GET.remote=11505*THREADS*(THREADS>1)
#include "check.h"
#include <stdlib.h>
#include <string.h>

#define B 1000
shared [B] unsigned char a[B * THREADS], b[B * THREADS];
shared [4] int v[4 * THREADS];
struct s { int i; double d; };
shared struct s s[THREADS];

int main(void)
{
    static const size_t sizes[] = { 0, 1, 2, 3, 7, 8, 15, 16, 31, 64, 100, 255, 999, 1000 };
    unsigned char *local = malloc(B), *again = malloc(B);
    int next = (MYTHREAD + 1) % THREADS, k;
    size_t i, n;
    struct s one;
    for (k = 0; k < (int)(sizeof sizes / sizeof sizes[0]); k++) {
        n = sizes[k];
        for (i = 0; i < B; i++)
            local[i] = (unsigned char)(i * 7 + MYTHREAD + k);
        upc_memset(&a[next * B], 0xA0 + k, B);
        upc_barrier;
        upc_memput(&a[next * B + (B - n)], local, n);
        upc_memget(again, &a[next * B + (B - n)], n);
        CHECK(memcmp(local, again, n) == 0);
        for (i = 0; i < B - n; i++)
            CHECK(a[next * B + i] == 0xA0 + k);
        upc_barrier;
        upc_memcpy(&b[MYTHREAD * B], &a[next * B + (B - n)], n);
        CHECK(memcmp((unsigned char *)&b[MYTHREAD * B], local, n) == 0);
        upc_barrier;
    }
    upc_memset(&v[4 * next], 0, 4 * sizeof(int));
    upc_memput(&v[4 * next + 1], (int[]){ MYTHREAD, 2 }, 2 * sizeof(int));
    one.i = MYTHREAD;
    one.d = 0.5;
    upc_memput(&s[next], &one, sizeof one);
    upc_barrier;
    CHECK(v[4 * next] == 0 && v[4 * next + 1] == MYTHREAD && v[4 * next + 2] == 2 && v[4 * next + 3] == 0);
    CHECK(s[next].i == MYTHREAD && s[next].d == 0.5);
    upc_memget(&one, &s[MYTHREAD], sizeof one);
    CHECK(one.i == (MYTHREAD + THREADS - 1) % THREADS);
    return pass();
}
