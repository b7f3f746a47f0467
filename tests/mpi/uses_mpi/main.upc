// question: does a program that calls MPI itself work beside UPC's own messages?
// flags: -uses-mpi
// threads: 1 2 4
// not: messages-ucx its own calls of MPI need -network=mpi
// not: hosts-ucx its own calls of MPI need -network=mpi
#include <upc.h>
#include <stdio.h>
#include <mpi.h>
shared int a[THREADS];
int mpi_sum(int value);
int main(int argc, char **argv)
{
    int size, i, bad = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != THREADS)
        bad++;
    for (i = 0; i < 100; i++) {
        a[(MYTHREAD + 1) % THREADS] = i * MYTHREAD;
        upc_barrier;
        int sum = mpi_sum(a[MYTHREAD]);
        if (sum != i * THREADS * (THREADS - 1) / 2)
            bad++;
        upc_barrier;
    }
    if (bad)
        printf("thread %d: %d bad\n", MYTHREAD, bad);
    upc_barrier;
    if (MYTHREAD == 0 && !bad)
        puts("PASS");
    MPI_Finalize();
    return bad != 0;
}
