// question: do Berkeley's functions for a main of one's own do no harm, and does bupc_exit end all threads?
// status: 3
#include "../../programs/check.h"
#include <unistd.h>

int main(int argc, char **argv)
{
    bupc_init(&argc, &argv);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        bupc_exit(3);
    for (;;)
        pause();
}
