// A missing comma between arguments
#include <upc.h>
#include <stdio.h>

int main(void)
{
    printf("thread %d of %d\n" MYTHREAD, THREADS); //~ E0100 @32
    return 0;
}
