/* The wire by MPI. It takes its functions by the names of MPI's profiling interface (pmpi.h). Of a message the receiver
   has posted a receive; MPI keeps parcels until they are asked for, and moves the bytes of long transfers between the two
   memories. */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport/messages/net.h"
#include "transport/messages/wire.h"
#include "transport/mpi/pmpi.h"

enum {
    MESSAGE_TAG = 1,
    START_TAG = 2,
    PARCEL_TAG = WIRE_TAG_MOST + 1, /* the largest that each MPI allows */
    RECEIVES = 16,                  /* posted at once */
    SHORT_BYTES = 64,               /* of a message that MPI_Send takes */
    SHORT_MOST = 32,                /* of these, to one process, that it may not have received: Open MPI has space for 60 */
    AHEAD = 16,                     /* receives of short parcels of a process that are posted ahead */
    SENDERS = 8,                    /* the most such processes: some versions of MPI compare what comes with each receive */
    OFTEN = 8,                      /* short parcels that have come from such a process */
};

MPI_Comm wire_threads;
static MPI_Comm ways[2]; /* long transfers, by their way; parcels, by their length */

static void fail(int error, const char *what) __attribute__((__noreturn__, __cold__));
static void fail(int error, const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    MPI_Error_string(error, text, &length);
    net_fail(what, text);
}

static inline void check(int error, const char *what)
{
    if (error != MPI_SUCCESS)
        fail(error, what);
}

/* ---- Requests of MPI that are under way -------------------------------------------------------------------------- */

struct after {
    wire_done *done;
    uint64_t argument;
    int peer;
};

/* The two arrays are parallel. */
struct requests {
    MPI_Request *request;
    struct after *after;
    int *complete; /* output of MPI_Testsome */
    int count, capacity;
};

static struct requests sends, parcels, longs;

static void add_request(struct requests *all, MPI_Request request, struct after after)
{
    if (all->count == all->capacity) {
        all->capacity = all->capacity == 0 ? 64 : 2 * all->capacity;
        all->request = net_more(all->request, (size_t)all->capacity * sizeof *all->request);
        all->after = net_more(all->after, (size_t)all->capacity * sizeof *all->after);
        all->complete = net_more(all->complete, (size_t)all->capacity * sizeof *all->complete);
    }
    all->request[all->count] = request;
    all->after[all->count++] = after;
}

static int reap(struct requests *all)
{
    int complete;
    if (all->count == 0)
        return 0;
    check(MPI_Testsome(all->count, all->request, &complete, all->complete, MPI_STATUSES_IGNORE), "MPI_Testsome");
    if (complete == MPI_UNDEFINED || complete == 0)
        return 0;
    /* Backwards, so that the request that moves into a gap has been handled; requests that `done` adds are at the
       end. */
    for (int i = all->count - 1; i >= 0; i--)
        if (all->request[i] == MPI_REQUEST_NULL) {
            struct after after = all->after[i];
            all->count--;
            all->request[i] = all->request[all->count];
            all->after[i] = all->after[all->count];
            after.done(after.argument, after.peer);
        }
    return complete;
}

/* ---- Messages ------------------------------------------------------------------------------------------------------- */

/* What MPI_Send has sent to a process that may not have received it. What comes from the process says that it has, because it
   mostly is an answer. Of as many as there may be, the first one of the second half is marked: it is complete when the
   process has received it, and with it all before. MPICH with UCX has no marked ones, because there all that follows the
   first synchronous send to a process waits until that answers. */
struct shorts {
    MPI_Request marked; /* MPI_REQUEST_NULL: none is under way */
    int sent;
    unsigned char bytes[SHORT_BYTES]; /* of the marked one */
};
static struct shorts *shorts; /* by process */
static int shorts_count;
#ifdef OPEN_MPI
static const bool are_marked = true;
#else
static const bool are_marked = false;
#endif

static void note_arrival(int from)
{
    if (shorts[from].marked == MPI_REQUEST_NULL)
        shorts[from].sent = 0;
}

/* Returns whether MPI_Send takes a message without waiting: MPI keeps short ones until they are received. It costs less
   than MPI_Isend and MPI_Test. Only after many of them MPI could have no space left, and wait for the receiver. */
static bool goes_at_once(struct shorts *to, size_t bytes)
{
    int complete;
    if (bytes > SHORT_BYTES || wire_sends() != 0)
        return false;
    if (to->sent < SHORT_MOST)
        return true;
    if (to->marked == MPI_REQUEST_NULL)
        return false;
    check(MPI_Test(&to->marked, &complete, MPI_STATUS_IGNORE), "MPI_Test");
    if (complete)
        to->sent = SHORT_MOST / 2;
    return complete != 0;
}

/* Returns whether MPI_Send has taken the message; if not, nothing has been sent. */
static bool send_at_once(const void *src, size_t bytes, int peer, int tag, MPI_Comm comm)
{
    struct shorts *to = &shorts[peer];
    if (!goes_at_once(to, bytes))
        return false;
    if (to->sent++ == SHORT_MOST / 2 && are_marked) {
        memcpy(to->bytes, src, bytes);
        check(MPI_Issend(to->bytes, (int)bytes, MPI_BYTE, peer, tag, comm, &to->marked), "MPI_Issend");
    } else {
        check(MPI_Send(src, (int)bytes, MPI_BYTE, peer, tag, comm), "MPI_Send");
    }
    return true;
}

/* Returns whether the bytes are free again; else a request is added. */
static bool start_send(struct requests *all, const void *src, size_t bytes, int tag, MPI_Comm comm, struct after after)
{
    MPI_Request request;
    int complete;
    check(MPI_Isend(src, (int)bytes, MPI_BYTE, after.peer, tag, comm, &request), "MPI_Isend");
    /* Most messages are sent at once, and a buffer that is used last is still in the processor's cache. */
    check(MPI_Test(&request, &complete, MPI_STATUS_IGNORE), "MPI_Test");
    if (!complete)
        add_request(all, request, after);
    return complete != 0;
}

bool wire_send(void *message, size_t bytes, int to, wire_done *done, uint64_t argument)
{
    return send_at_once(message, bytes, to, MESSAGE_TAG, wire_threads) ||
           start_send(&sends, message, bytes, MESSAGE_TAG, wire_threads, (struct after){done, argument, to});
}

int wire_sends(void)
{
    return sends.count + parcels.count;
}

int wire_reap_sends(void)
{
    return reap(&sends) + reap(&parcels);
}

/* Persistent requests with a buffer each. Messages from one process keep the order in which they were sent, because
   they are handled in the order in which the requests were started. That order is recorded, because a handler may
   not return, or a report that it makes may itself receive. */
static struct {
    MPI_Request request;
    struct net_message *message;
} receives[RECEIVES];
static unsigned char started[RECEIVES]; /* a ring of indices into receives */
static unsigned started_count, first_started;
static unsigned char handled[RECEIVES]; /* indices of receives whose messages have been handled */
static unsigned handled_count;

static void start_receives(void)
{
    while (handled_count != 0) {
        unsigned place = handled[--handled_count];
        check(MPI_Start(&receives[place].request), "MPI_Start");
        started[(first_started + started_count++) % RECEIVES] = (unsigned char)place;
    }
}

/* Receives are restarted only when there is nothing else to do: a thread that waits for this message continues before
   the next one is received. */
bool wire_take(struct wire_arrival *arrival)
{
    MPI_Status status;
    int come;
    if (started_count == 0)
        return false;
    unsigned place = started[first_started];
    check(MPI_Test(&receives[place].request, &come, &status), "MPI_Test");
    if (!come) {
        start_receives();
        return false;
    }
    first_started = (first_started + 1) % RECEIVES;
    started_count--;
    note_arrival(status.MPI_SOURCE);
    *arrival = (struct wire_arrival){receives[place].message, status.MPI_SOURCE, place};
    return true;
}

void wire_handled(const struct wire_arrival *arrival)
{
    handled[handled_count++] = (unsigned char)arrival->place;
    if (handled_count > RECEIVES / 2 || started_count == 0)
        start_receives();
}

void wire_open(void)
{
    for (unsigned i = 0; i < RECEIVES; i++) {
        receives[i].message = net_memory(NET_BYTES);
        handled[handled_count++] = (unsigned char)i;
        check(MPI_Recv_init(receives[i].message, NET_BYTES, MPI_BYTE, MPI_ANY_SOURCE, MESSAGE_TAG, wire_threads, &receives[i].request), "MPI_Recv_init");
    }
    start_receives();
    check(MPI_Barrier(wire_threads), "MPI_Barrier");
}

/* ---- Parcels -------------------------------------------------------------------------------------------------------- */

/* They use communicators without receives from any source, with which MPI would compare each of them: short ones that of
   one way, long ones that of the other. */
static MPI_Comm parcel_comm(size_t bytes)
{
    return ways[bytes <= SHORT_BYTES ? WIRE_PUT : WIRE_GET];
}

/* Receives of short parcels, posted ahead: what comes from a process that is ahead does not go through MPI's list of what
   nobody has asked for. None is cancelled before the end, because a parcel may have come to it. */
struct ahead {
    unsigned first;   /* the oldest one */
    unsigned stopped; /* those before it that have received and are not posted */
    MPI_Request request[AHEAD];
    unsigned char bytes[AHEAD][SHORT_BYTES];
};

/* The processes that have them, or may get them. Of those with the same place, the first from which so many have come. */
static struct sender {
    int from; /* 1 + the process; 0: none */
    int count;
    struct ahead *ahead;
} senders[SENDERS];

static struct ahead *new_ahead(int from)
{
    struct ahead *ahead = net_memory(sizeof *ahead);
    ahead->first = 0;
    ahead->stopped = 0;
    for (int i = 0; i < AHEAD; i++) {
        check(MPI_Recv_init(ahead->bytes[i], SHORT_BYTES, MPI_BYTE, from, PARCEL_TAG, parcel_comm(SHORT_BYTES), &ahead->request[i]), "MPI_Recv_init");
        check(MPI_Start(&ahead->request[i]), "MPI_Start");
    }
    return ahead;
}

/* Returns the receives that are posted for the short parcels of a process; NULL: none are. */
static struct ahead *ahead_of(int from)
{
    struct sender *sender = &senders[(unsigned)from % SENDERS];
    if (sender->from != from + 1) {
        if (sender->ahead != NULL)
            return NULL;
        *sender = (struct sender){.from = from + 1};
    }
    if (sender->ahead == NULL && ++sender->count == OFTEN)
        sender->ahead = new_ahead(from);
    return sender->ahead;
}

/* The parcel that is received: by its own request, or by the oldest one that was posted ahead, whose bytes then go to dst. */
static struct expected {
    struct ahead *ahead; /* NULL: by its own request */
    MPI_Request once;
    int from;
    void *dst;
    size_t bytes;
} expected;

bool wire_send_parcel_at_once(const void *parcel, size_t bytes, int to)
{
    return send_at_once(parcel, bytes, to, PARCEL_TAG, parcel_comm(bytes));
}

bool wire_send_parcel(const void *parcel, size_t bytes, int to, wire_done *done, uint64_t argument)
{
    return start_send(&parcels, parcel, bytes, PARCEL_TAG, parcel_comm(bytes), (struct after){done, argument, to});
}

static void restart_ahead(struct ahead *ahead)
{
    for (; ahead->stopped != 0; ahead->stopped--)
        check(MPI_Start(&ahead->request[(ahead->first - ahead->stopped) % AHEAD]), "MPI_Start");
}

/* Takes the parcel that is received by the oldest of the receives that were posted ahead, if it has come. As those of
   messages, they are restarted where nothing has come, or when half of them have received. */
static bool take_ahead(struct ahead *ahead, void *dst, size_t bytes)
{
    int come;
    unsigned place = ahead->first;
    check(MPI_Test(&ahead->request[place], &come, MPI_STATUS_IGNORE), "MPI_Test");
    if (!come) {
        restart_ahead(ahead);
        return false;
    }
    memcpy(dst, ahead->bytes[place], bytes);
    ahead->first = (place + 1) % AHEAD;
    if (++ahead->stopped > AHEAD / 2)
        restart_ahead(ahead);
    return true;
}

bool wire_receive_parcel(void *dst, size_t bytes, int from)
{
    struct ahead *ahead = bytes <= SHORT_BYTES ? ahead_of(from) : NULL;
    if (ahead != NULL && take_ahead(ahead, dst, bytes)) {
        note_arrival(from);
        return true;
    }
    expected = (struct expected){ahead, MPI_REQUEST_NULL, from, dst, bytes};
    if (ahead != NULL)
        return false;
    check(MPI_Irecv(dst, (int)bytes, MPI_BYTE, from, PARCEL_TAG, parcel_comm(bytes), &expected.once), "MPI_Irecv");
    return wire_take_parcel();
}

bool wire_take_parcel(void)
{
    int come = 0;
    if (expected.ahead != NULL)
        come = take_ahead(expected.ahead, expected.dst, expected.bytes);
    else
        check(MPI_Test(&expected.once, &come, MPI_STATUS_IGNORE), "MPI_Test");
    if (come)
        note_arrival(expected.from);
    return come != 0;
}

static void cancel(MPI_Request *receive)
{
    MPI_Cancel(receive);
    MPI_Request_free(receive);
}

static void cancel_ahead(struct ahead *ahead)
{
    restart_ahead(ahead);
    for (int place = 0; place < AHEAD; place++)
        cancel(&ahead->request[place]);
}

void wire_close(void)
{
    MPI_Waitall(sends.count, sends.request, MPI_STATUSES_IGNORE);
    /* A parcel that nobody has asked for may never be complete. */
    for (int i = 0; i < parcels.count; i++)
        MPI_Request_free(&parcels.request[i]);
    for (int i = 0; i < shorts_count; i++)
        if (shorts[i].marked != MPI_REQUEST_NULL)
            MPI_Request_free(&shorts[i].marked);
    for (int i = 0; i < RECEIVES; i++)
        cancel(&receives[i].request);
    for (int i = 0; i < SENDERS; i++)
        if (senders[i].ahead != NULL)
            cancel_ahead(senders[i].ahead);
}

/* ---- Wakeups -------------------------------------------------------------------------------------------------------- */

const bool wire_wakes = false;

int wire_alarm(void)
{
    return WIRE_HAS_COME;
}

/* ---- Long transfers ------------------------------------------------------------------------------------------------- */

void wire_send_long(const void *src, size_t bytes, int to, enum wire_way way, int tag, wire_done *done, uint64_t argument)
{
    MPI_Request request;
    check(MPI_Isend(src, (int)bytes, MPI_BYTE, to, tag, ways[way], &request), "MPI_Isend");
    add_request(&longs, request, (struct after){done, argument, to});
}

void wire_receive_long(void *dst, size_t bytes, int from, enum wire_way way, int tag, wire_done *done, uint64_t argument)
{
    MPI_Request request;
    check(MPI_Irecv(dst, (int)bytes, MPI_BYTE, from, tag, ways[way], &request), "MPI_Irecv");
    add_request(&longs, request, (struct after){done, argument, from});
}

int wire_longs(void)
{
    return longs.count;
}

int wire_reap_longs(void)
{
    return reap(&longs);
}

/* ---- Sets of processes ---------------------------------------------------------------------------------------------- */

struct wire_set {
    MPI_Comm comm;
};

static struct wire_set *new_set(MPI_Comm comm)
{
    struct wire_set *set = net_memory(sizeof *set);
    set->comm = comm;
    return set;
}

struct wire_set *wire_all(void)
{
    static struct wire_set all;
    all.comm = MPI_COMM_WORLD;
    return &all;
}

struct wire_set *wire_machine(void)
{
    MPI_Comm comm;
    check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, wire_number(), MPI_INFO_NULL, &comm), "MPI_Comm_split_type");
    return new_set(comm);
}

struct wire_set *wire_range(int first, int count)
{
    MPI_Comm comm;
    (void)count;
    check(MPI_Comm_split(wire_threads, first, 0, &comm), "MPI_Comm_split");
    return new_set(comm);
}

void wire_free(struct wire_set *set)
{
    MPI_Comm_free(&set->comm);
    free(set);
}

int wire_place(const struct wire_set *set)
{
    int place;
    MPI_Comm_rank(set->comm, &place);
    return place;
}

void wire_broadcast(struct wire_set *set, void *data, size_t bytes)
{
    check(MPI_Bcast(data, (int)bytes, MPI_BYTE, 0, set->comm), "MPI_Bcast");
}

void wire_gather(struct wire_set *set, void *of_all, size_t bytes)
{
    check(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, of_all, (int)bytes, MPI_BYTE, set->comm), "MPI_Allgather");
}

uint64_t wire_least(struct wire_set *set, uint64_t value)
{
    uint64_t least;
    check(MPI_Allreduce(&value, &least, 1, MPI_UINT64_T, MPI_MIN, set->comm), "MPI_Allreduce");
    return least;
}

void wire_meet(struct wire_set *set)
{
    check(MPI_Barrier(set->comm), "MPI_Barrier");
}

void wire_tell(int to, const void *data, size_t bytes)
{
    check(MPI_Send(data, (int)bytes, MPI_BYTE, to, START_TAG, wire_threads), "MPI_Send");
}

void wire_hear(int from, void *data, size_t bytes)
{
    check(MPI_Recv(data, (int)bytes, MPI_BYTE, from, START_TAG, wire_threads, MPI_STATUS_IGNORE), "MPI_Recv");
}

/* ---- Names for threads ---------------------------------------------------------------------------------------------- */

void wire_name_threads(int me, int threads)
{
    check(MPI_Comm_split(MPI_COMM_WORLD, 0, me, &wire_threads), "MPI_Comm_split");
    shorts_count = threads;
    shorts = net_memory((size_t)threads * sizeof *shorts);
    for (int i = 0; i < threads; i++)
        shorts[i] = (struct shorts){.marked = MPI_REQUEST_NULL};
    MPI_Comm_set_errhandler(wire_threads, MPI_ERRORS_RETURN);
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        check(MPI_Comm_dup(wire_threads, &ways[way]), "MPI_Comm_dup");
        MPI_Comm_set_errhandler(ways[way], MPI_ERRORS_RETURN);
    }
}
