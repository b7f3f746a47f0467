#include <upc.h>
#include "sky.h"

shared int brightness[STARS * THREADS];

void shine(void)
{
    int i;
    upc_forall (i = 0; i < STARS * THREADS; i++; &brightness[i])
        brightness[i] = STARS;
    upc_barrier;
}
