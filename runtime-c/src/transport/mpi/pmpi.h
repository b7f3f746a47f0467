/* The runtime calls MPI by the names of MPI's profiling interface, so that its own messages are no events of the program (upcr/mpi_calls.h), and those
   of no other tool that redefines the functions. MPI_Init and its kin are the runtime's (wire_start.c). */
#ifndef UPCR_PMPI_H
#define UPCR_PMPI_H

#include <mpi.h>

#if defined(MPICH_VERSION) && defined(__GNUC__) && !defined(__clang__)
/* MPICH's prototypes have arrays of statuses, and gcc takes MPI_STATUSES_IGNORE for one that is too short. */
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

#define MPI_Allgather           PMPI_Allgather
#define MPI_Allreduce           PMPI_Allreduce
#define MPI_Barrier             PMPI_Barrier
#define MPI_Bcast               PMPI_Bcast
#define MPI_Cancel              PMPI_Cancel
#define MPI_Comm_dup            PMPI_Comm_dup
#define MPI_Comm_free           PMPI_Comm_free
#define MPI_Comm_rank           PMPI_Comm_rank
#define MPI_Comm_set_errhandler PMPI_Comm_set_errhandler
#define MPI_Comm_size           PMPI_Comm_size
#define MPI_Comm_split          PMPI_Comm_split
#define MPI_Comm_split_type     PMPI_Comm_split_type
#define MPI_Error_string        PMPI_Error_string
#define MPI_Irecv               PMPI_Irecv
#define MPI_Isend               PMPI_Isend
#define MPI_Issend              PMPI_Issend
#define MPI_Recv                PMPI_Recv
#define MPI_Recv_init           PMPI_Recv_init
#define MPI_Request_free        PMPI_Request_free
#define MPI_Send                PMPI_Send
#define MPI_Start               PMPI_Start
#define MPI_Test                PMPI_Test
#define MPI_Testsome            PMPI_Testsome
#define MPI_Waitall             PMPI_Waitall

/* All threads: ranks are thread numbers. */
extern MPI_Comm wire_threads;

#endif
