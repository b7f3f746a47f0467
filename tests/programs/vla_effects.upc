// question: lengths of variable length arrays are computed once, where their declaration stands, beside shared accesses too
// counts: UPC_BARRIER=THREADS, UPC_PUT=9*THREADS, UPC_PUT.remote=0, UPC_GET=18*THREADS, UPC_GET.remote=0
#include "check.h"

shared int x[THREADS], calls[THREADS];

static int next(void) { return ++calls[MYTHREAD]; }
static int bound(int n, int a[n++][2]) { x[MYTHREAD] = n; return (int)(sizeof a[0] / sizeof(int)); }
static int shared_bound(int a[x[MYTHREAD]++]) { return x[MYTHREAD]; }
static int again(int n, int (*a)[n]) { n = x[MYTHREAD]; __typeof__(*a) b; return (int)(sizeof b / sizeof(int)); }

static void declarations(void)
{
    int n = 3;
    x[MYTHREAD] = 2;
    int a[next() + x[MYTHREAD]][n++];
    CHECK(calls[MYTHREAD] == 1 && n == 4 && sizeof a == 36);
    typedef int T[n++ + 0 * x[MYTHREAD]];
    T t;
    const T *p = (const T *)&t;
    n = 50;
    T u;
    CHECK(sizeof t == 16 && sizeof *p == 16 && sizeof u == 16 && sizeof(T) == 16 && n == 50);
    __typeof__(int[n++ - 48 + 0 * x[MYTHREAD]]) v, w;
    CHECK(sizeof v == 8 && sizeof w == 8 && n == 51);
    n = 5;
    int c[n + 0 * x[MYTHREAD]], (*pc)[n] = &c;
    n = 9;
    __typeof__(c) d;
    __auto_type pd = pc;
    CHECK(sizeof d == 20 && sizeof *pd == 20 && (char *)(pd + 1) - (char *)pd == 20 + 0 * x[MYTHREAD]);
    for (int e[n++ + 0 * x[MYTHREAD]], i = 0; i < 2; i++) {
        __typeof__(e) f;
        CHECK(sizeof f == 36 && n == 10);
    }
}

static void sizes(void)
{
    x[MYTHREAD] = 3;
    CHECK(sizeof(int[x[MYTHREAD]++]) == 12 && x[MYTHREAD] == 4);
    CHECK(sizeof(char[x[MYTHREAD]][next() - next() + 3]) == 8 && calls[MYTHREAD] == 3);
}

int main(void)
{
    declarations();
    sizes();
    CHECK(bound(3, NULL) == 2 && x[MYTHREAD] == 4);
    x[MYTHREAD] = 6;
    CHECK(shared_bound(NULL) == 7 && again(2, NULL) == 2);
    return pass();
}
