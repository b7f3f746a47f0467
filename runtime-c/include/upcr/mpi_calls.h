/* The MPI functions of a program that calls MPI itself (upcc -uses-mpi) and has instrumented units: each calls the function of MPI's profiling interface
   between the start and the end of an event. `upcc` includes this in the file that it compiles for the link of such a program. Calls by C, C++ and UPC
   arrive here, those of other languages call MPI itself. */
#pragma GCC system_header
#ifndef UPCR_MPI_CALLS_H
#define UPCR_MPI_CALLS_H

#include <mpi.h>

#include "upcr/mpi_support.h"

/* Returns the place of the call; NULL: its event is not reported. */
#define UPCR_MPI_PLACE_(event, call) \
    (upcr_inst_on && upcr_inst_is_wanted(UPCR_EVENT_UPCC_MPI_##event) ? upcr_mpi_place(call, __builtin_return_address(0)) : (upcr_site *)0)

static upcr_size upcr_mpi_bytes_(int count, MPI_Datatype type)
{
    int size = 0;
    if (count <= 0 || PMPI_Type_size(type, &size) != MPI_SUCCESS || size < 0)
        return 0;
    return (upcr_size)count * (upcr_size)size;
}

static int upcr_mpi_size_(MPI_Comm comm)
{
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

/* The arguments that end a reception: the sending thread, and the bytes that have come. */
static upcr_size upcr_mpi_received_(const MPI_Status *status, MPI_Datatype type)
{
    int count = 0;
    if (PMPI_Get_count(status, type, &count) != MPI_SUCCESS || count == MPI_UNDEFINED)
        return 0;
    return upcr_mpi_bytes_(count, type);
}

/* ---- Messages ------------------------------------------------------------------------------------------------------ */

#define UPCR_MPI_SEND_(name, event, parameters, arguments)                         \
    int MPI_##name parameters                                                      \
    {                                                                              \
        upcr_site *site = UPCR_MPI_PLACE_(event, "MPI_" #name);                    \
        if (!site)                                                                 \
            return PMPI_##name arguments;                                          \
        const int peer = upcr_mpi_thread(comm, to);                                \
        const upcr_size n = upcr_mpi_bytes_(count, type);                          \
        upcr_inst_start(site, UPCR_EVENT_UPCC_MPI_##event, "MPI_" #name, peer, n); \
        int result = PMPI_##name arguments;                                        \
        upcr_inst_end(site, UPCR_EVENT_UPCC_MPI_##event, "MPI_" #name, peer, n);   \
        return result;                                                             \
    }
#define UPCR_MPI_SENDS_(name, initiation)                                                                                                            \
    UPCR_MPI_SEND_(name, SEND, (const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), (from, count, type, to, tag, comm)) \
    UPCR_MPI_SEND_(initiation, ISEND, (const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request),        \
                   (from, count, type, to, tag, comm, request))
UPCR_MPI_SENDS_(Send, Isend)
UPCR_MPI_SENDS_(Bsend, Ibsend)
UPCR_MPI_SENDS_(Ssend, Issend)
UPCR_MPI_SENDS_(Rsend, Irsend)

int MPI_Recv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    upcr_site *site = UPCR_MPI_PLACE_(RECV, "MPI_Recv");
    MPI_Status own;
    if (!site)
        return PMPI_Recv(to, count, type, from, tag, comm, status);
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    const int peer = upcr_mpi_thread(comm, from);
    const upcr_size n = upcr_mpi_bytes_(count, type);
    upcr_inst_start(site, UPCR_EVENT_UPCC_MPI_RECV, "MPI_Recv", peer, n);
    int result = PMPI_Recv(to, count, type, from, tag, comm, status);
    upcr_inst_end(site, UPCR_EVENT_UPCC_MPI_RECV, "MPI_Recv", peer, n, upcr_mpi_thread(comm, status->MPI_SOURCE), upcr_mpi_received_(status, type));
    return result;
}

int MPI_Irecv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
{
    upcr_site *site = UPCR_MPI_PLACE_(IRECV, "MPI_Irecv");
    if (!site)
        return PMPI_Irecv(to, count, type, from, tag, comm, request);
    const int peer = upcr_mpi_thread(comm, from);
    const upcr_size n = upcr_mpi_bytes_(count, type);
    upcr_inst_start(site, UPCR_EVENT_UPCC_MPI_IRECV, "MPI_Irecv", peer, n);
    int result = PMPI_Irecv(to, count, type, from, tag, comm, request);
    upcr_inst_end(site, UPCR_EVENT_UPCC_MPI_IRECV, "MPI_Irecv", peer, n);
    return result;
}

int MPI_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag, void *in, int in_count, MPI_Datatype in_type, int from, int in_tag,
                 MPI_Comm comm, MPI_Status *status)
{
    upcr_site *site = UPCR_MPI_PLACE_(SENDRECV, "MPI_Sendrecv");
    MPI_Status own;
    if (!site)
        return PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status);
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    const int peer = upcr_mpi_thread(comm, to);
    const upcr_size n = upcr_mpi_bytes_(out_count, out_type);
    upcr_inst_start(site, UPCR_EVENT_UPCC_MPI_SENDRECV, "MPI_Sendrecv", peer, n);
    int result = PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status);
    upcr_inst_end(site, UPCR_EVENT_UPCC_MPI_SENDRECV, "MPI_Sendrecv", peer, n, upcr_mpi_thread(comm, status->MPI_SOURCE), upcr_mpi_received_(status, in_type));
    return result;
}

/* ---- Completion ---------------------------------------------------------------------------------------------------- */

#define UPCR_MPI_WAIT_(name, parameters, arguments, count)                                 \
    int MPI_##name parameters                                                              \
    {                                                                                      \
        upcr_site *site = UPCR_MPI_PLACE_(WAIT, "MPI_" #name);                             \
        if (!site)                                                                         \
            return PMPI_##name arguments;                                                  \
        upcr_inst_start(site, UPCR_EVENT_UPCC_MPI_WAIT, "MPI_" #name, (upcr_size)(count)); \
        int result = PMPI_##name arguments;                                                \
        upcr_inst_end(site, UPCR_EVENT_UPCC_MPI_WAIT, "MPI_" #name, (upcr_size)(count));   \
        return result;                                                                     \
    }
#define UPCR_MPI_TEST_(name, parameters, arguments, count, flag)                               \
    int MPI_##name parameters                                                                  \
    {                                                                                          \
        upcr_site *site = UPCR_MPI_PLACE_(TEST, "MPI_" #name);                                 \
        if (!site)                                                                             \
            return PMPI_##name arguments;                                                      \
        upcr_inst_start(site, UPCR_EVENT_UPCC_MPI_TEST, "MPI_" #name, (upcr_size)(count));     \
        int result = PMPI_##name arguments;                                                    \
        upcr_inst_end(site, UPCR_EVENT_UPCC_MPI_TEST, "MPI_" #name, (upcr_size)(count), flag); \
        return result;                                                                         \
    }
UPCR_MPI_WAIT_(Wait, (MPI_Request * request, MPI_Status *status), (request, status), 1)
UPCR_MPI_WAIT_(Waitall, (int count, MPI_Request list[], MPI_Status statuses[]), (count, list, statuses), count)
UPCR_MPI_WAIT_(Waitany, (int count, MPI_Request list[], int *index, MPI_Status *status), (count, list, index, status), count)
UPCR_MPI_WAIT_(Waitsome, (int count, MPI_Request list[], int *done, int which[], MPI_Status statuses[]), (count, list, done, which, statuses), count)
UPCR_MPI_TEST_(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status), 1, *flag)
UPCR_MPI_TEST_(Testall, (int count, MPI_Request list[], int *flag, MPI_Status statuses[]), (count, list, flag, statuses), count, *flag)
UPCR_MPI_TEST_(Testany, (int count, MPI_Request list[], int *index, int *flag, MPI_Status *status), (count, list, index, flag, status), count, *flag)
UPCR_MPI_TEST_(Testsome, (int count, MPI_Request list[], int *done, int which[], MPI_Status statuses[]), (count, list, done, which, statuses), count, *done > 0)

#define UPCR_MPI_PROBE_(name, parameters, arguments, flag)                        \
    int MPI_##name parameters                                                     \
    {                                                                             \
        upcr_site *site = UPCR_MPI_PLACE_(PROBE, "MPI_" #name);                   \
        if (!site)                                                                \
            return PMPI_##name arguments;                                         \
        const int peer = upcr_mpi_thread(comm, from);                             \
        upcr_inst_start(site, UPCR_EVENT_UPCC_MPI_PROBE, "MPI_" #name, peer);     \
        int result = PMPI_##name arguments;                                       \
        upcr_inst_end(site, UPCR_EVENT_UPCC_MPI_PROBE, "MPI_" #name, peer, flag); \
        return result;                                                            \
    }
UPCR_MPI_PROBE_(Probe, (int from, int tag, MPI_Comm comm, MPI_Status *status), (from, tag, comm, status), 1)
UPCR_MPI_PROBE_(Iprobe, (int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status), (from, tag, comm, flag, status), *flag)

/* ---- Collective functions ------------------------------------------------------------------------------------------- */

int MPI_Barrier(MPI_Comm comm)
{
    upcr_site *site = UPCR_MPI_PLACE_(BARRIER, "MPI_Barrier");
    if (!site)
        return PMPI_Barrier(comm);
    const int members = upcr_mpi_size_(comm);
    upcr_inst_start(site, UPCR_EVENT_UPCC_MPI_BARRIER, "MPI_Barrier", members);
    int result = PMPI_Barrier(comm);
    upcr_inst_end(site, UPCR_EVENT_UPCC_MPI_BARRIER, "MPI_Barrier", members);
    return result;
}

/* bytes: what this process contributes, or gets where only one contributes. */
#define UPCR_MPI_COLLECTIVE_(name, parameters, arguments, root, bytes)                         \
    int MPI_##name parameters                                                                  \
    {                                                                                          \
        upcr_site *site = UPCR_MPI_PLACE_(COLLECTIVE, "MPI_" #name);                           \
        if (!site)                                                                             \
            return PMPI_##name arguments;                                                      \
        const int peer = upcr_mpi_thread(comm, root), members = upcr_mpi_size_(comm);          \
        const upcr_size n = bytes;                                                             \
        upcr_inst_start(site, UPCR_EVENT_UPCC_MPI_COLLECTIVE, "MPI_" #name, peer, n, members); \
        int result = PMPI_##name arguments;                                                    \
        upcr_inst_end(site, UPCR_EVENT_UPCC_MPI_COLLECTIVE, "MPI_" #name, peer, n, members);   \
        return result;                                                                         \
    }
#define UPCR_MPI_OUT_ (out == MPI_IN_PLACE ? upcr_mpi_bytes_(in_count, in_type) : upcr_mpi_bytes_(out_count, out_type))
#define UPCR_MPI_IN_  (in == MPI_IN_PLACE ? upcr_mpi_bytes_(out_count, out_type) : upcr_mpi_bytes_(in_count, in_type))
#define UPCR_MPI_OWN_ (out == MPI_IN_PLACE ? 0 : upcr_mpi_bytes_(out_count, out_type))
UPCR_MPI_COLLECTIVE_(Bcast, (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm), (data, count, type, root, comm), root,
                     upcr_mpi_bytes_(count, type))
UPCR_MPI_COLLECTIVE_(Reduce, (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
                     (out, in, count, type, op, root, comm), root, upcr_mpi_bytes_(count, type))
UPCR_MPI_COLLECTIVE_(Allreduce, (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), (out, in, count, type, op, comm), -1,
                     upcr_mpi_bytes_(count, type))
UPCR_MPI_COLLECTIVE_(Scan, (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), (out, in, count, type, op, comm), -1,
                     upcr_mpi_bytes_(count, type))
UPCR_MPI_COLLECTIVE_(Exscan, (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), (out, in, count, type, op, comm), -1,
                     upcr_mpi_bytes_(count, type))
UPCR_MPI_COLLECTIVE_(Reduce_scatter_block, (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                     (out, in, count, type, op, comm), -1, upcr_mpi_bytes_(count, type) * (upcr_size)members)
UPCR_MPI_COLLECTIVE_(Gather, (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm),
                     (out, out_count, out_type, in, in_count, in_type, root, comm), root, UPCR_MPI_OUT_)
UPCR_MPI_COLLECTIVE_(Scatter, (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm),
                     (out, out_count, out_type, in, in_count, in_type, root, comm), root, UPCR_MPI_IN_)
UPCR_MPI_COLLECTIVE_(Allgather, (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type, MPI_Comm comm),
                     (out, out_count, out_type, in, in_count, in_type, comm), -1, UPCR_MPI_OUT_)
UPCR_MPI_COLLECTIVE_(Alltoall, (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type, MPI_Comm comm),
                     (out, out_count, out_type, in, in_count, in_type, comm), -1, UPCR_MPI_OUT_ *(upcr_size)members)
UPCR_MPI_COLLECTIVE_(Gatherv,
                     (const void *out, int out_count, MPI_Datatype out_type, void *in, const int in_counts[], const int starts[], MPI_Datatype in_type,
                      int root, MPI_Comm comm),
                     (out, out_count, out_type, in, in_counts, starts, in_type, root, comm), root, UPCR_MPI_OWN_)
UPCR_MPI_COLLECTIVE_(Scatterv,
                     (const void *out, const int out_counts[], const int starts[], MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type,
                      int root, MPI_Comm comm),
                     (out, out_counts, starts, out_type, in, in_count, in_type, root, comm), root, in == MPI_IN_PLACE ? 0 : upcr_mpi_bytes_(in_count, in_type))
UPCR_MPI_COLLECTIVE_(Allgatherv,
                     (const void *out, int out_count, MPI_Datatype out_type, void *in, const int in_counts[], const int starts[], MPI_Datatype in_type,
                      MPI_Comm comm),
                     (out, out_count, out_type, in, in_counts, starts, in_type, comm), -1, UPCR_MPI_OWN_)

#endif
