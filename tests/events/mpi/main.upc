// A program that calls MPI itself: calls.c has the events of these calls. The runtime's own messages raise none.
#include <mpi.h>
#include <upc.h>

shared int cells[THREADS];
void calls(int me, int n);

int main(int argc, char **argv)
{
    int next = (MYTHREAD + 1) % THREADS;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 20; i++) {
        cells[next] = i;
        upc_barrier;
    }
    calls(MYTHREAD, THREADS);
    upc_barrier;
    if (cells[MYTHREAD] != 19)
        upc_global_exit(1);
    MPI_Finalize();
    return 0;
}
