#include <upc.h>

int orbit(int thread);
shared int moons[THREADS];

int main(void)
{
    int i;
    moons[MYTHREAD] = orbit(MYTHREAD);
    upc_barrier;
    for (i = 0; i < THREADS; i++)
        if (moons[i] != 2 * i)
            return 1;
    return 0;
}
