#include <stdio.h>

#include "worker.h"

int main(int argc, char **argv)
{
    (void)argv;
    int status = work();
    printf("C: %d\n", status);
    return status + (argc != 1);
}
