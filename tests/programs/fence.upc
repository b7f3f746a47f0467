// question: upc_fence orders relaxed accesses; a relaxed spin loop with a fence sees another thread's write
// threads: 2 3 4
// counts: UPC_BARRIER=THREADS, UPC_PUT=THREADS, UPC_PUT.remote=THREADS-1, UPC_GET.remote=THREADS-1
// races: yes, its flag is relaxed, with fences around it
#include "check.h"
#include <upc_relaxed.h>

shared int data, ready[THREADS];

int main(void)
{
    int t;
    if (MYTHREAD == 0) {
        data = 42;
        upc_fence;
        for (t = 1; t < THREADS; t++)
            ready[t] = 1;
        upc_fence;
    } else {
        while (!ready[MYTHREAD])
            upc_fence;
        upc_fence;
        CHECK(data == 42);
    }
    return pass();
}
