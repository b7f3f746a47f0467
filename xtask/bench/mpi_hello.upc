/* The start and the end of a job over messages; mpi_hello_floor.c has the same without UPC. */
#include <upc.h>

int main(void)
{
    upc_barrier;
    return 0;
}
