#include <upc.h>

shared int x;

int main(void)
{
    if (MYTHREAD == 0)
        x = THREAD; //~ E0300 @13
    return 0;
}
