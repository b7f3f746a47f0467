// Thread 0 dies inside of a call (KILLED: without having time for a last word), while the others wait for it.
#include <signal.h>
#include <string.h>
#include <upc.h>

#ifndef KILLED
#define KILLED 0
#endif

shared int a[THREADS];

int main(void)
{
    shared [] char *wrong = NULL;
    a[MYTHREAD] = 1;
    upc_barrier;
    if (MYTHREAD == 0) {
        // Time for the others to reach the barrier.
        sleep(1);
        if (KILLED)
            raise(SIGKILL);
        upc_memset(wrong, 0, 100);
    }
    upc_fence;
    upc_barrier;
    return 0;
}
