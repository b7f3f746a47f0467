#include <upc.h>
shared int a[10];
int main(void)
{
    upc_forall (int i = 0; i < 10; i++; i)
        a[i] = j;
    return 0;
}
