// question: tags of prototypes' parameter lists, and those that the expressions of two statements of one block define, may be the same
// counts: UPC_BARRIER=THREADS, UPC_FORALL=THREADS, UPC_GET=7*THREADS, UPC_GET.remote=0
#include "check.h"

int apply(struct s { int a; } *a, shared int *p), other(struct s { char b; } *b, shared int *p);
int third(struct s { int a[3]; struct s *next; } *a, shared int *p);
int with_enum(enum e { A, B } a, shared int *p, int (*f)(struct s { long l; } x, enum e { C, D } y));
typedef shared int *(*callback)(struct t { int z; } x, struct t y);
shared int total[THREADS];

static int blocks(void)
{
    int k = total[MYTHREAD];
    if (sizeof(struct q { int a; }) == sizeof(int) + total[MYTHREAD])
        k++;
    if (sizeof(struct q { char a; }) == 1 + total[MYTHREAD])
        k++;
    while (k < 4 && sizeof(struct q { char a[2]; }) == 2 + total[MYTHREAD])
        k++;
    upc_forall (int i = 0; i < THREADS * (int)sizeof(struct q { char a[3]; }); i++; i)
        k++;
    switch (sizeof(enum { A = 3, B })) {
    default:
        k += A + B + total[MYTHREAD];
    }
    switch (sizeof(enum { A = 4, B })) {
    case 4:
        k += A * B + total[MYTHREAD];
    }
    return k;
}

int main(void)
{
    callback none = 0;
    CHECK(none == 0 && blocks() == 4 + 3 + 7 + 20);
    return pass();
}
