// Thread 0 dies inside of a call, while thread 1 waits for it.
#include <string.h>
#include <upc.h>

shared int a[THREADS];

int main(void)
{
    shared [] char *wrong = NULL;
    a[MYTHREAD] = 1;
    upc_barrier;
    if (MYTHREAD == 0) {
        // Time for thread 1 to reach the barrier.
        sleep(1);
        upc_memset(wrong, 0, 100);
    }
    upc_fence;
    upc_barrier;
    return 0;
}
