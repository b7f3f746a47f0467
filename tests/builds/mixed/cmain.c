#include <stdio.h>

#include <bupc_extern.h>

#include "worker.h"

static int rest(int argc, char **argv)
{
    (void)argv;
    int status = work();
    bupc_extern_barrier(3);
    printf("C: %d of thread %d\n", status, bupc_extern_mythread());
    return status + (argc != 1);
}

int main(int argc, char **argv)
{
    bupc_init_reentrant(&argc, &argv, &rest);
    return 1;
}
