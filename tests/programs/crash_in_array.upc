// question: does the report of a fault name the shared array, the element, and the line?
// threads: 2 3
// status: nonzero
// stderr: upc thread 1 of
// stderr: crash_in_array.upc:16 (touch): killed by SIGSEGV at address 0x
// stderr: (element 4003 of shared array `grid`, on thread 1)
#include "check.h"
#include <sys/mman.h>

shared [4000] int before[4000 * THREADS];
shared [4000] int grid[4000 * THREADS];

static void touch(char *place)
{
    mprotect((void *)((size_t)place & ~(size_t)4095), 4096, PROT_NONE);
    *(volatile char *)place = 1;
}

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 1)
        touch((char *)&grid[4003] + 1);
    upc_barrier;
    return pass();
}
