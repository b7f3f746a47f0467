// W0621: pointers-to-shared among the variable arguments of the C library.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

shared int a[THREADS];
shared char name[16 * THREADS];
shared struct { int n; } *box;
shared [] int *shared row;

void wrong(char *to, shared int *p)
{
    printf("%d\n", a); //~ W0621 @20 `printf` cannot use a pointer-to-shared: argument 2 is a `shared int *`
    printf("%d %s\n", a[0], name); //~ W0621 @29 argument 3
    scanf("%d", &a[MYTHREAD]); //~ W0621 @17 `scanf` cannot use
    sscanf(to, "%d", p); //~ W0621
    fprintf(stderr, "%p %p\n", p + 1, &box->n); //~ W0621 @32 argument 3 //~ W0621 @39 argument 4
    snprintf(to, 4, "%d", row); //~ W0621
}

int sum(int n, ...)
{
    va_list list;
    int all = 0;
    va_start(list, n);
    while (n--)
        all += *va_arg(list, shared int *);
    va_end(list);
    return all;
}

// Silent: values, pointers-to-local, the program's own functions.
void right(char *to, shared int *p)
{
    int n;
    printf("%d %d %d\n", a[0], *p, box->n);
    printf("%d\n", (int)upc_threadof(p));
    printf("%zu\n", upc_addrfield(p));
    printf("%p\n", (void *)&a[MYTHREAD]);
    scanf("%d", &n);
    scanf("%d", (int *)&a[MYTHREAD]);
    sum(2, &a[0], p);
    a[MYTHREAD] = n;
}
