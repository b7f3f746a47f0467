// Silent: one thread.
// flags: -T=1
#include <upc.h>

shared int count;

int main(void)
{
    count++;
    return 0;
}
