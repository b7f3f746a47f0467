// All errors of a file are reported, each once, and nothing follows from them.
#include <upc.h>

int twice(int a, int b);
struct point { int x, y; };

int f(void)
{
    struct point p = { 1, 2 };
    int x = missing + 1; //~ E0300 @13 missing
    x = missing + twice(1); //~ E0310
    p.z = 3; //~ E0312
    p = x; //~ E0305
    3 = x; //~ E0303
    x = *x; //~ E0313
    x(); //~ E0309
    {
        const int c = 1;
        c = 2; //~ E0304
    }
    goto nowhere; //~ E0404
    return p; //~ E0305
}

int f(int); //~ E0200
struct point { int z; }; //~ E0201
int x = 1, x = 2; //~ E0201
void g(void)
{
    case 3:; //~ E0402
    switch (1) {
    case 1:
    case 1:; //~ E0403
    }
    unknown_t y; //~ E0219
    later_undeclared = 1; //~ E0300
}
_Static_assert(sizeof(int) == 1, "int is wider"); //~ E0217
int after_all = 1;
