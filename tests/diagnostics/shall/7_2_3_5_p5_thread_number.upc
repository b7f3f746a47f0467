// UPC 7.2.3.5 p5: the thread given to upc_affinitysize is one of 0 to THREADS-1.
#include <upc.h>

size_t f(size_t thread)
{
    return upc_affinitysize(100, 10, THREADS) //~ W0620 @38 there is no thread `THREADS`
        + upc_affinitysize(100, 10, -1) //~ W0620 @37
        + upc_affinitysize(100, 10, THREADS - 1)
        + upc_affinitysize(100, 10, 7)
        + upc_affinitysize(100, 10, MYTHREAD)
        + upc_affinitysize(100, 10, thread);
}
