/* What the files of the wire by UCX share. Processes have the numbers that PMIx gives them, and of wire_name_threads on
   also those of their threads. */
#ifndef UPCR_UCX_H
#define UPCR_UCX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucp/api/ucp.h>

/* This process and its job. */
struct ucx_job {
    ucp_worker_h worker;
    int number, processes;
    int *neighbours; /* the processes of this machine, in their order */
    int neighbour_count;
    int me;       /* this process's thread */
    int *numbers; /* of each thread; NULL: all are the same as the thread's */
};

extern struct ucx_job ucx;

/* Returns the connection to a process, made when it is used first. */
ucp_ep_h ucx_endpoint(int number);

static inline ucp_ep_h ucx_endpoint_of(int thread)
{
    return ucx_endpoint(ucx.numbers == NULL ? thread : ucx.numbers[thread]);
}

/* Ends the job if a call has failed. */
void ucx_check(ucs_status_t status, const char *call);

/* Ends the job if a connection has failed since. */
void ucx_check_connections(void);

/* The bits of a tag: what it is for, the sender's number, a number. */
enum ucx_kind { UCX_START = 1, UCX_TELL, UCX_LONG, UCX_PARCEL };

static inline ucp_tag_t ucx_tag(enum ucx_kind kind, int way, int from, int tag)
{
    return (ucp_tag_t)kind << 56 | (ucp_tag_t)way << 48 | (ucp_tag_t)(uint32_t)from << 16 | (ucp_tag_t)tag;
}

/* Waits for an operation that was started, serving all others. */
void ucx_await(void *operation, const char *call);

/* Receives messages (ucx_messages.c). Called when the worker exists. */
void ucx_receive_messages(void);

#endif
