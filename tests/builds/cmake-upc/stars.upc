#include <stdio.h>
#include <upc.h>
#include "sky.h"

int scale(int value);

int main(void)
{
    int i, sum = 0;
    shine();
    for (i = 0; i < STARS * THREADS; i++)
        sum += scale(brightness[i]);
#ifdef __UPC_STATIC_THREADS__
    const char *environment = "static";
#else
    const char *environment = "dynamic";
#endif
    if (MYTHREAD == 0)
        printf("%d threads, %d stars each, %s\n", THREADS, STARS, environment);
    return sum != 2 * STARS * STARS * THREADS;
}
