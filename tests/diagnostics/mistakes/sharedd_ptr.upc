#include <upc.h>
int f(void)
{
    shard int *p; //~ E0100 @5 `shard` is not a keyword and is not declared
    return *p;
}
