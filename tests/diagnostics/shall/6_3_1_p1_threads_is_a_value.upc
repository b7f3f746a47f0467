// UPC 6.3.1 p1: THREADS is an expression, not an object.
// UPC 6.3.2 p1: MYTHREAD is an expression, not an object.
#include <upc.h>

void f(void)
{
    int n = THREADS, m = MYTHREAD;
    THREADS = 3; //~ E0611 @5 THREADS and MYTHREAD are values, not objects: they cannot be assigned to
    MYTHREAD = 0; //~ E0611 @5
    MYTHREAD += 1; //~ E0611 @5
    ++THREADS; //~ E0611 @7
    (void)&THREADS; //~ E0611 @12
    n = THREADS + m;
}
