/* The data that collective functions send from group to group. A small amount is sent as a message, which is kept at
   the receiver until it is requested; MPI copies a large amount from memory to memory. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include "transport/mpi/mpi.h"

enum { LARGEST_COUNT = 1 << 30 };

int upcr_tp_groups(void)
{
    return net.groups;
}

int upcr_tp_group_first(int group)
{
    return group < net.groups ? net.leader[group] : upcr_threads;
}

int upcr_tp_group_of(int thread)
{
    int low = 0, high = net.groups;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (net.leader[middle] <= thread)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- Parcels ----------------------------------------------------------------------------------------------------- */

/* Parcels that have come and were not requested yet, in the order in which they came. */
static struct parcel {
    struct parcel *next;
    int from;
    unsigned char bytes[];
} * first, **last = &first;
/* Number of parcels that have come. It changes within net_enter, which also orders the parcels themselves. */
static _Atomic uint32_t come;

void net_on_parcel(struct net_message *message, int from, size_t data)
{
    struct parcel *parcel = malloc(sizeof *parcel + data);
    if (parcel == NULL)
        upcr_die("out of private memory for messages");
    parcel->next = NULL;
    parcel->from = from;
    memcpy(parcel->bytes, message->data, data);
    *last = parcel;
    last = &parcel->next;
    atomic_fetch_add_explicit(&come, 1, memory_order_relaxed);
}

/* Takes the first parcel of a thread, if one has come. */
static bool take_piece(int from, void *dst, size_t n)
{
    struct parcel **at = &first, *parcel;
    net_enter();
    while (*at != NULL && (*at)->from != from)
        at = &(*at)->next;
    if ((parcel = *at) != NULL) {
        *at = parcel->next;
        if (last == &parcel->next)
            last = at;
    }
    net_leave();
    if (parcel == NULL)
        return false;
    memcpy(dst, parcel->bytes, n);
    free(parcel);
    return true;
}

static void receive_parcel(int from, void *dst, size_t n)
{
    struct net_patience patience = {0};
    uint32_t seen = atomic_load_explicit(&come, memory_order_relaxed);
    while (!take_piece(from, dst, n)) {
        while (atomic_load_explicit(&come, memory_order_relaxed) == seen)
            net_pause(&patience, NULL, 0);
        seen = atomic_load_explicit(&come, memory_order_relaxed);
    }
}

static void send_parcel(int to, const void *src, size_t n)
{
    net_enter();
    struct net_message *message = net_begin(NET_parcel);
    memcpy(message->data, src, n);
    net_send(message, to, n);
    net_leave();
}

/* ---- From memory to memory --------------------------------------------------------------------------------------- */

static void track(MPI_Request request, int error, const char *what, _Atomic int *left, int other)
{
    if (error != MPI_SUCCESS)
        net_fail(what, error);
    net_count(left, 1);
    net_track(request, net_one_less, (uint64_t)(uintptr_t)left, other);
}

static void start_receive(int from, char *dst, size_t n, _Atomic int *left)
{
    MPI_Request request;
    for (size_t done = 0; done < n; done += LARGEST_COUNT) {
        int bytes = (int)(n - done < LARGEST_COUNT ? n - done : LARGEST_COUNT);
        int error = MPI_Irecv(dst + done, bytes, MPI_BYTE, from, NET_EXCHANGE_TAG, net.gets, &request);
        track(request, error, "MPI_Irecv", left, from);
    }
}

static void start_send(int to, const char *src, size_t n, _Atomic int *left)
{
    MPI_Request request;
    for (size_t done = 0; done < n; done += LARGEST_COUNT) {
        int bytes = (int)(n - done < LARGEST_COUNT ? n - done : LARGEST_COUNT);
        int error = MPI_Isend(src + done, bytes, MPI_BYTE, to, NET_EXCHANGE_TAG, net.gets, &request);
        track(request, error, "MPI_Isend", left, to);
        net_sent++;
        net_sent_bytes += (size_t)bytes;
    }
}

void upcr_tp_exchange(int to, const void *src, size_t n, int from, void *dst, size_t m)
{
    _Atomic int left = 0;
    if (n > NET_AT_ONCE || m > NET_AT_ONCE) {
        net_enter();
        if (m > NET_AT_ONCE)
            start_receive(from, dst, m, &left);
        if (n > NET_AT_ONCE)
            start_send(to, src, n, &left);
        net_leave();
    }
    if (n != 0 && n <= NET_AT_ONCE)
        send_parcel(to, src, n);
    if (m != 0 && m <= NET_AT_ONCE)
        receive_parcel(from, dst, m);
    net_await(&left);
}
