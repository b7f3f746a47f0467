/* Calls of MPI by C, each with its event. What is called by its name in the profiling interface raises none. Two processes. */
#include <mpi.h>

enum { MOST = 2 };

void calls(int me, int n)
{
    static char buffer[1000 + MPI_BSEND_OVERHEAD];
    int in[MOST] = {0}, out[MOST] = {1, 2}, ones[MOST] = {1, 1}, starts[MOST] = {0, 1};
    int next = (me + 1) % n, before = (me + n - 1) % n, flag, index, done, which[MOST];
    MPI_Request r[2];
    MPI_Comm turned;

    MPI_Buffer_attach(buffer, sizeof buffer);
    PMPI_Irecv(in, 2, MPI_INT, before, 1, MPI_COMM_WORLD, &r[0]);
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&me, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_SEND call="MPI_Send", peer=$u, n=4
    PMPI_Wait(&r[0], MPI_STATUS_IGNORE);
    PMPI_Irecv(in, 2, MPI_INT, before, 1, MPI_COMM_WORLD, &r[0]);
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Ssend(&me, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_SEND call="MPI_Ssend", peer=$u, n=4
    PMPI_Wait(&r[0], MPI_STATUS_IGNORE);
    PMPI_Irecv(in, 2, MPI_INT, before, 1, MPI_COMM_WORLD, &r[0]);
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Rsend(&me, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_SEND call="MPI_Rsend", peer=$u, n=4
    PMPI_Wait(&r[0], MPI_STATUS_IGNORE);
    PMPI_Irecv(in, 2, MPI_INT, before, 1, MPI_COMM_WORLD, &r[0]);
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Bsend(&me, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_SEND call="MPI_Bsend", peer=$u, n=4
    PMPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Irecv(in, 2, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &r[0]);
    //= 0 UPCC_MPI_IRECV call="MPI_Irecv", peer=-1, n=8
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Isend(&me, 1, MPI_INT, next, 2, MPI_COMM_WORLD, &r[1]);
    //= 0 UPCC_MPI_ISEND call="MPI_Isend", peer=$u, n=4
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    //= 0 UPCC_MPI_WAIT call="MPI_Waitall", requests=2
    MPI_Irecv(in, 2, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &r[0]);
    //= 0 UPCC_MPI_IRECV call="MPI_Irecv", peer=-1, n=8
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Issend(&me, 1, MPI_INT, next, 2, MPI_COMM_WORLD, &r[1]);
    //= 0 UPCC_MPI_ISEND call="MPI_Issend", peer=$u, n=4
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    //= 0 UPCC_MPI_WAIT call="MPI_Waitall", requests=2
    MPI_Irecv(in, 2, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &r[0]);
    //= 0 UPCC_MPI_IRECV call="MPI_Irecv", peer=-1, n=8
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Irsend(&me, 1, MPI_INT, next, 2, MPI_COMM_WORLD, &r[1]);
    //= 0 UPCC_MPI_ISEND call="MPI_Irsend", peer=$u, n=4
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    //= 0 UPCC_MPI_WAIT call="MPI_Waitall", requests=2
    MPI_Irecv(in, 2, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &r[0]);
    //= 0 UPCC_MPI_IRECV call="MPI_Irecv", peer=-1, n=8
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Ibsend(&me, 1, MPI_INT, next, 2, MPI_COMM_WORLD, &r[1]);
    //= 0 UPCC_MPI_ISEND call="MPI_Ibsend", peer=$u, n=4
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    //= 0 UPCC_MPI_WAIT call="MPI_Waitall", requests=2
    PMPI_Isend(&me, 1, MPI_INT, next, 3, MPI_COMM_WORLD, &r[0]);
    MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    //= 0 UPCC_MPI_PROBE call="MPI_Probe", peer=-1 -> result=1
    MPI_Iprobe(before, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    //= 0 UPCC_MPI_PROBE call="MPI_Iprobe", peer=$u -> result=1
    MPI_Recv(in, 2, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    //= 0 UPCC_MPI_RECV call="MPI_Recv", peer=-1, n=8 -> source=$u, received=4
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    //= 0 UPCC_MPI_WAIT call="MPI_Wait", requests=1
    MPI_Sendrecv(&me, 1, MPI_INT, next, 4, in, 2, MPI_INT, before, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    //= 0 UPCC_MPI_SENDRECV call="MPI_Sendrecv", peer=$u, n=4 -> source=$u, received=4
    /* In another communicator, ranks are others than threads. */
    PMPI_Comm_split(MPI_COMM_WORLD, 0, -me, &turned);
    MPI_Sendrecv(&me, 1, MPI_INT, n - 1 - next, 4, in, 2, MPI_INT, n - 1 - before, 4, turned, MPI_STATUS_IGNORE);
    //= 0 UPCC_MPI_SENDRECV call="MPI_Sendrecv", peer=$u, n=4 -> source=$u, received=4
    MPI_Bcast(in, 1, MPI_INT, n - 1, turned);
    //= 0 UPCC_MPI_COLLECTIVE call="MPI_Bcast", peer=0, n=4, members=$n
    PMPI_Comm_free(&turned);
    r[0] = r[1] = MPI_REQUEST_NULL;
    MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);
    //= 0 UPCC_MPI_WAIT call="MPI_Waitany", requests=2
    MPI_Waitsome(2, r, &done, which, MPI_STATUSES_IGNORE);
    //= 0 UPCC_MPI_WAIT call="MPI_Waitsome", requests=2
    MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
    //= 0 UPCC_MPI_TEST call="MPI_Test", requests=1 -> result=1
    MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
    //= 0 UPCC_MPI_TEST call="MPI_Testall", requests=2 -> result=1
    MPI_Testany(2, r, &index, &flag, MPI_STATUS_IGNORE);
    //= 0 UPCC_MPI_TEST call="MPI_Testany", requests=2 -> result=1
    MPI_Testsome(2, r, &done, which, MPI_STATUSES_IGNORE);
    //= 0 UPCC_MPI_TEST call="MPI_Testsome", requests=2 -> result=0
    MPI_Barrier(MPI_COMM_WORLD);
    //= 0 UPCC_MPI_BARRIER call="MPI_Barrier", members=$n
    MPI_Barrier(MPI_COMM_SELF);
    //= 0 UPCC_MPI_BARRIER call="MPI_Barrier", members=1
    MPI_Bcast(in, 2, MPI_INT, 0, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_COLLECTIVE call="MPI_Bcast", peer=0, n=8, members=$n
    MPI_Reduce(&me, in, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_COLLECTIVE call="MPI_Reduce", peer=0, n=4, members=$n
    MPI_Allreduce(MPI_IN_PLACE, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_COLLECTIVE call="MPI_Allreduce", peer=-1, n=8, members=$n
    MPI_Scan(&me, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_COLLECTIVE call="MPI_Scan", peer=-1, n=4, members=$n
    MPI_Exscan(&me, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_COLLECTIVE call="MPI_Exscan", peer=-1, n=4, members=$n
    MPI_Reduce_scatter_block(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_COLLECTIVE call="MPI_Reduce_scatter_block", peer=-1, n=$4n, members=$n
    MPI_Gather(&me, 1, MPI_INT, in, 1, MPI_INT, 0, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_COLLECTIVE call="MPI_Gather", peer=0, n=4, members=$n
    MPI_Gatherv(&me, 1, MPI_INT, in, ones, starts, MPI_INT, 0, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_COLLECTIVE call="MPI_Gatherv", peer=0, n=4, members=$n
    MPI_Scatter(out, 1, MPI_INT, in, 1, MPI_INT, 0, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_COLLECTIVE call="MPI_Scatter", peer=0, n=4, members=$n
    MPI_Scatterv(out, ones, starts, MPI_INT, in, 1, MPI_INT, 0, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_COLLECTIVE call="MPI_Scatterv", peer=0, n=4, members=$n
    MPI_Allgather(&me, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_COLLECTIVE call="MPI_Allgather", peer=-1, n=4, members=$n
    MPI_Allgatherv(&me, 1, MPI_INT, in, ones, starts, MPI_INT, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_COLLECTIVE call="MPI_Allgatherv", peer=-1, n=4, members=$n
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    //= 0 UPCC_MPI_COLLECTIVE call="MPI_Alltoall", peer=-1, n=$4n, members=$n
    void *attached;
    int size;
    MPI_Buffer_detach(&attached, &size);
}
