// The parser recovers: one message for each mistake, and the code after it is still checked.
#include <upc.h>

int a = ; //~ E0100 @9

int f(void)
{
    int x = 1;
    x = (x + ; //~ E0100 @14
    x++;
    if x > 1) //~ E0100 @8
        return 2;
    return undeclared; //~ E0300 @12
}

shared [3 int b; //~ E0100

int g(void)
{
    upc_forall (int i = 0; i < 3) //~ E0100
        ;
    return also_undeclared; //~ E0300 @12
}
struct s { int x int y; }; //~ E0100
int h(void) { return still_undeclared; } //~ E0300 @22
