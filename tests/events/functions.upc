// Entry and exit of functions, also of those without UPC in them, and with signatures as they were written.
#include <stddef.h>
#include <upc.h>

shared int a[THREADS];

static int plain(const char *text, size_t n)    //#plain
{
    return text[n] == 0;
}

int *
spread(int *p, double (*f)(double, int [2]))    //#spread
{
    return f ? NULL : p;
}

int old(x, y)                                   //#old
    int x, y;
{
    return x + y;
}

void empty() {}                                 //#empty

static shared int *place(int i)                 //#place
{
    return &a[i];
}

int main(int argc, char **argv)                 //#main
{
    int v = 0;
    //= main:1 C_FUNC START funcsig="int main(int argc, char **argv)"
    plain("", 0);                               //= plain:1 C_FUNC funcsig="static int plain(const char *text, size_t n)"
    spread(&v, NULL);                           //= spread-1:1 C_FUNC funcsig="int * spread(int *p, double (*f)(double, int [2]))"
    old(1, 2);                                  //= old:1 C_FUNC funcsig="int old(x, y) int x, y;"
    empty();                                    //= empty:1 C_FUNC funcsig="void empty()"
    *place(0) = old(argc > 0, argv != NULL);    //#call
    //= place:1 C_FUNC funcsig="static shared int *place(int i)"
    //= old:1 C_FUNC funcsig="int old(x, y) int x, y;"
    //= call:5 UPC_PUT @0 is_relaxed=1, dst=a[0], src=*, n=4
    return 0;
    //= main:1 C_FUNC END funcsig="int main(int argc, char **argv)"
}
//= - UPC_COLLECTIVE_EXIT status=0
