/* Messages, parcels and long transfers by UCX. A message is an active message, whose handler keeps its bytes until they are
   taken. Parcels and long transfers are tagged; UCX moves the bytes of long ones from memory to memory where it can. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include "transport/messages/net.h"
#include "transport/messages/wire.h"
#include "transport/ucx/ucx.h"

enum { MESSAGE_ID = 1, KEPT_MOST = 64 };

/* ---- What is under way ---------------------------------------------------------------------------------------------- */

/* Something that is sent or received, until `done` has been called. */
struct under_way {
    struct under_way *next;
    struct flow *flow;
    wire_done *done;
    uint64_t argument;
    int peer;
};

/* Messages, or long transfers. */
struct flow {
    struct under_way *first, **last; /* those that are over, in their order */
    int count;                       /* those that are over, and the others */
};

static struct flow sends = {.last = &sends.first}, longs = {.last = &longs.first};
static struct under_way *unused;

static struct under_way *begin(struct flow *flow, wire_done *done, uint64_t argument, int peer)
{
    struct under_way *of = unused;
    if (of != NULL)
        unused = of->next;
    else
        of = net_memory(sizeof *of);
    *of = (struct under_way){.flow = flow, .done = done, .argument = argument, .peer = peer};
    flow->count++;
    return of;
}

static void drop(struct under_way *of)
{
    of->flow->count--;
    of->next = unused;
    unused = of;
}

static void is_over(struct under_way *of)
{
    *of->flow->last = of;
    of->flow->last = &of->next;
}

/* A connection that fails is reported where it is used next. */
static void on_sent(void *operation, ucs_status_t status, void *of)
{
    (void)status;
    ucp_request_free(operation);
    is_over(of);
}

static void on_received(void *operation, ucs_status_t status, const ucp_tag_recv_info_t *info, void *of)
{
    (void)info;
    on_sent(operation, status, of);
}

/* Calls `done` for what was over before; returns for how many. */
static int reap(struct flow *flow)
{
    int reaped = 0;
    struct under_way *of = flow->first, *next;
    flow->first = NULL;
    flow->last = &flow->first;
    for (; of != NULL; of = next, reaped++) {
        struct under_way over = *of;
        next = of->next;
        drop(of);
        over.done(over.argument, over.peer);
    }
    return reaped;
}

int wire_sends(void)
{
    return sends.count;
}

int wire_reap_sends(void)
{
    return reap(&sends);
}

int wire_longs(void)
{
    return longs.count;
}

int wire_reap_longs(void)
{
    return reap(&longs);
}

/* ---- Messages ------------------------------------------------------------------------------------------------------- */

/* Returns whether what a call has returned says that the bytes are free again. */
static bool is_sent(void *operation, struct under_way *of, const char *call)
{
    if (operation == NULL)
        drop(of);
    else if (UCS_PTR_IS_ERR(operation))
        ucx_check(UCS_PTR_STATUS(operation), call);
    return operation == NULL;
}

bool wire_send(void *message, size_t bytes, int to, wire_done *done, uint64_t argument)
{
    struct under_way *of = begin(&sends, done, argument, to);
    const ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS | UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        /* A message that the receiver fetches could be overtaken. */
        .flags = UCP_AM_SEND_FLAG_EAGER,
        .cb.send = on_sent,
        .user_data = of,
    };
    ucx_check_connections();
    /* UCX sends a short message at once only if it has no header of its own beside the data: so the sender's number stands
       in front of the message. */
    char *whole = (char *)message - WIRE_HEAD;
    memcpy(whole, &ucx.me, sizeof ucx.me);
    void *operation = ucp_am_send_nbx(ucx_endpoint_of(to), MESSAGE_ID, NULL, 0, whole, WIRE_HEAD + bytes, &param);
    return is_sent(operation, of, "ucp_am_send_nbx");
}

/* A message that has come. */
struct arrived {
    struct arrived *next;
    int from;
    struct net_message message; /* with its data, at most NET_BYTES */
};

static struct arrived *first_arrived, **last_arrived = &first_arrived, *free_arrived;
static int free_count;

static struct arrived *new_arrived(void)
{
    struct arrived *arrived = free_arrived;
    if (arrived == NULL)
        return net_memory(sizeof *arrived + NET_DATA_MOST);
    free_arrived = arrived->next;
    free_count--;
    return arrived;
}

static ucs_status_t on_message(void *nothing, const void *header, size_t header_bytes, void *data, size_t bytes, const ucp_am_recv_param_t *param)
{
    (void)nothing, (void)header, (void)header_bytes, (void)param;
    struct arrived *arrived = new_arrived();
    arrived->next = NULL;
    memcpy(&arrived->from, data, sizeof arrived->from);
    memcpy(&arrived->message, (const char *)data + WIRE_HEAD, bytes - WIRE_HEAD);
    *last_arrived = arrived;
    last_arrived = &arrived->next;
    return UCS_OK;
}

void ucx_receive_messages(void)
{
    const ucp_am_handler_param_t param = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_FLAGS,
        .id = MESSAGE_ID,
        .flags = UCP_AM_FLAG_WHOLE_MSG,
        .cb = on_message,
    };
    ucx_check(ucp_worker_set_am_recv_handler(ucx.worker, &param), "ucp_worker_set_am_recv_handler");
}

bool wire_take(struct wire_arrival *arrival)
{
    if (first_arrived == NULL)
        ucp_worker_progress(ucx.worker);
    struct arrived *arrived = first_arrived;
    if (arrived == NULL) {
        ucx_check_connections();
        return false;
    }
    first_arrived = arrived->next;
    if (first_arrived == NULL)
        last_arrived = &first_arrived;
    *arrival = (struct wire_arrival){.message = &arrived->message, .from = arrived->from};
    return true;
}

void wire_handled(const struct wire_arrival *arrival)
{
    struct arrived *arrived = (struct arrived *)(void *)((char *)arrival->message - offsetof(struct arrived, message));
    if (free_count == KEPT_MOST) {
        free(arrived);
        return;
    }
    free_count++;
    arrived->next = free_arrived;
    free_arrived = arrived;
}

void wire_open(void)
{
    wire_meet(wire_all());
}

void wire_close(void)
{
    static const ucp_request_param_t usual;
    ucx_await(ucp_worker_flush_nbx(ucx.worker, &usual), "ucp_worker_flush_nbx");
}

/* ---- Parcels -------------------------------------------------------------------------------------------------------- */

/* UCX decides itself whether it copies the bytes, after it has begun. */
bool wire_send_parcel_at_once(const void *parcel, size_t bytes, int to)
{
    (void)parcel, (void)bytes, (void)to;
    return false;
}

bool wire_send_parcel(const void *parcel, size_t bytes, int to, wire_done *done, uint64_t argument)
{
    struct under_way *of = begin(&sends, done, argument, to);
    const ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.send = on_sent,
        .user_data = of,
    };
    ucx_check_connections();
    void *operation = ucp_tag_send_nbx(ucx_endpoint_of(to), parcel, bytes, ucx_tag(UCX_PARCEL, 0, ucx.me, 0), &param);
    return is_sent(operation, of, "ucp_tag_send_nbx");
}

static bool is_missing; /* the parcel that is received */

static void on_parcel(void *operation, ucs_status_t status, const ucp_tag_recv_info_t *info, void *nothing)
{
    (void)status, (void)info, (void)nothing;
    ucp_request_free(operation);
    is_missing = false;
}

bool wire_receive_parcel(void *dst, size_t bytes, int from)
{
    const ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK, .cb.recv = on_parcel};
    is_missing = true;
    void *operation = ucp_tag_recv_nbx(ucx.worker, dst, bytes, ucx_tag(UCX_PARCEL, 0, from, 0), ~(ucp_tag_t)0, &param);
    if (operation == NULL)
        is_missing = false;
    else if (UCS_PTR_IS_ERR(operation))
        ucx_check(UCS_PTR_STATUS(operation), "ucp_tag_recv_nbx");
    return !is_missing;
}

/* wire_take makes progress. */
bool wire_take_parcel(void)
{
    return !is_missing;
}

/* ---- Wakeups -------------------------------------------------------------------------------------------------------- */

const bool wire_wakes = true;

int wire_alarm(void)
{
    static int alarm = -1;
    if (alarm < 0)
        ucx_check(ucp_worker_get_efd(ucx.worker, &alarm), "ucp_worker_get_efd");
    ucs_status_t status = first_arrived != NULL ? UCS_ERR_BUSY : ucp_worker_arm(ucx.worker);
    if (status != UCS_OK && status != UCS_ERR_BUSY)
        ucx_check(status, "ucp_worker_arm");
    return status == UCS_OK ? alarm : WIRE_HAS_COME;
}

/* ---- Long transfers ------------------------------------------------------------------------------------------------- */

/* Judges what a call has returned. */
static void note_long(void *operation, struct under_way *of, const char *call)
{
    if (operation == NULL)
        is_over(of);
    else if (UCS_PTR_IS_ERR(operation))
        ucx_check(UCS_PTR_STATUS(operation), call);
}

void wire_send_long(const void *src, size_t bytes, int to, enum wire_way way, int tag, wire_done *done, uint64_t argument)
{
    struct under_way *of = begin(&longs, done, argument, to);
    const ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.send = on_sent,
        .user_data = of,
    };
    note_long(ucp_tag_send_nbx(ucx_endpoint_of(to), src, bytes, ucx_tag(UCX_LONG, way, ucx.me, tag), &param), of, "ucp_tag_send_nbx");
}

void wire_receive_long(void *dst, size_t bytes, int from, enum wire_way way, int tag, wire_done *done, uint64_t argument)
{
    struct under_way *of = begin(&longs, done, argument, from);
    const ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.recv = on_received,
        .user_data = of,
    };
    note_long(ucp_tag_recv_nbx(ucx.worker, dst, bytes, ucx_tag(UCX_LONG, way, from, tag), ~(ucp_tag_t)0, &param), of, "ucp_tag_recv_nbx");
}
