/* Thread 0 works alone, and then all threads share the work: the barrier in line 12 stops the scaling. */
#include <stdio.h>
#include "../work.h"

int main(void)
{
    for (int step = 0; step < 10; step++) {
        if (MYTHREAD == 0)
            work(2000);

        /* The others wait. */
        upc_barrier;
        work(8000.0 / THREADS);
        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf("PASS\n");
    return 0;
}
