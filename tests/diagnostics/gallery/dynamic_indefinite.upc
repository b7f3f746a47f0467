// THREADS in an array of indefinite block size
#include <upc.h>

shared [] int a[THREADS]; //~ E0519 @16

int main(void)
{
    a[MYTHREAD] = MYTHREAD;
    return 0;
}
