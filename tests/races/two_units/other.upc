#include <upc_relaxed.h>

extern shared int total;

void other(void)
{
    total = 2;
}
