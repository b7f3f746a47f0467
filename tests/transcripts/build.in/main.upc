#include <stdio.h>
#include <upc.h>
int half(int x);
int main(void)
{
    if (MYTHREAD == THREADS - 1)
        printf("%d\n", half(84));
    return 0;
}
