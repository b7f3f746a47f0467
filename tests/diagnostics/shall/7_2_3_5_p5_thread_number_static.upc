// UPC 7.2.3.5 p5: in the static environment the numbers of the threads are known.
// flags: -T=4
#include <upc.h>

shared int a[25];
size_t f(void)
{
    return upc_affinitysize(sizeof(a), 4, THREADS) //~ W0620 @43 there is no thread `4`
        + upc_affinitysize(sizeof(a), 4, 7) //~ W0620 @42
        + upc_affinitysize(sizeof(a), 4, 3);
}
