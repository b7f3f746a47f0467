#include <upc.h>
int f(void)
{
    shard int *p; //~ E0100 @5 `shard` is no keyword and not declared
    return *p;
}
