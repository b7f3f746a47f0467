// question: shared data that a thread has allocated can be read after the thread has left main
// threads: 2 3 8
#include <stdio.h>
#include <unistd.h>
#include <upc.h>

shared [] int *shared kept;
strict shared int ready;

int main(void)
{
    if (MYTHREAD == THREADS - 1) {
        kept = upc_alloc(sizeof(int));
        kept[0] = 4711;
        ready = 1;
        return 0;
    }
    while (!ready)
        ;
    if (MYTHREAD == 0) {
        usleep(20000);
        if (kept[0] == 4711)
            puts("PASS");
    }
    return 0;
}
