// UPC 6.3.1 p1: THREADS is an expression, not an object.
// UPC 6.3.2 p1: MYTHREAD is an expression, not an object.
#include <upc.h>

void f(void)
{
    int n = THREADS, m = MYTHREAD;
    THREADS = 3; //~ E0611 @5
    MYTHREAD = 0; //~ E0611 @5
    MYTHREAD += 1; //~ E0611
    ++THREADS; //~ E0611
    (void)&THREADS; //~ E0611
    n = THREADS + m;
}
