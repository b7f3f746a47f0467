/* <upc_nb.h> (library section, "UPC non-blocking transfer operations"). Memory that is mapped is copied at once, by
   the initiation: its handles are complete, and the data's own events come inside those of the initiation. Transfers
   of other memory are under way until the program tests or waits for them; their data events begin with the
   initiation and end with the end of the call that finds them complete. */
#include "runtime.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "checks/checks.h"
#include "nb.h"
#include "races/races.h"

/* Enclose the movement of data. True: the beginning of the event was reported. */
static bool data_begins(enum upcr_event_index event, const struct upcr_transfer *handle)
{
    if (!upcr_has_events() || !upcr_events.wants(event))
        return false;
    upcr_events.began(event, handle);
    return true;
}

static void data_ends(bool reported, enum upcr_event_index event, const struct upcr_transfer *handle)
{
    if (reported)
        upcr_events.ended(event, handle);
}

/* A transfer under way. */
struct upcr_transfer {
    struct upcr_transfer *next; /* next transfer that may be reused */
    struct upcr_batch batch;
    uint32_t mark;
    bool reported; /* its event has begun */
    bool at_once;  /* complete as soon as it is started, and reported with the handle that means that */
    enum upcr_event_index event;
    uint32_t agent; /* the clock of its accesses, where races are detected */
};

enum { UNDER_WAY = 0x7a45fe12 };

static struct upcr_transfer *unused;

/* All transfers under way without a handle. */
static struct upcr_batch implicit;
static uint32_t implicit_agent;

struct upcr_transfer *upcr_transfer_begin(enum upcr_event_index event, bool at_once)
{
    struct upcr_transfer *transfer = unused;
    if (transfer != NULL)
        unused = transfer->next;
    else if ((transfer = malloc(sizeof *transfer)) == NULL)
        upcr_die("out of private memory for a non-blocking transfer");
    *transfer = (struct upcr_transfer){.mark = UNDER_WAY, .at_once = at_once, .event = event};
    transfer->reported = data_begins(event, at_once ? NULL : transfer);
    return transfer;
}

static void end(struct upcr_transfer *transfer)
{
    data_ends(transfer->reported, transfer->event, transfer->at_once ? NULL : transfer);
    if (upcr_is_racing())
        upcr_races.finished(transfer->agent);
    transfer->mark = 0;
    transfer->next = unused;
    unused = transfer;
}

struct upcr_batch *upcr_transfer_batch(struct upcr_transfer *transfer)
{
    return &transfer->batch;
}

struct upcr_transfer *upcr_transfer_started(struct upcr_transfer *transfer)
{
    /* A transfer that a tool knows by its handle keeps the handle until the program tests or waits for it. So does each transfer where
       races are detected: what it accesses is not synchronized before. */
    bool is_known = (transfer->reported && !transfer->at_once) || upcr_is_racing();
    /* A start does not wait, and does not serve others either. */
    if (is_known || atomic_load_explicit(&transfer->batch.left, memory_order_relaxed) != 0 || !upcr_is_finished(&transfer->batch))
        return transfer;
    end(transfer);
    return NULL;
}

static bool is_mapped(upcr_pts_t place)
{
    return upcr_mapped(upcr_threadof(place));
}

/* Where races are detected: an access of a transfer under way. agent: the clock of its accesses; 0: this is the first. */
static void touch(uint32_t *agent, upcr_pts_t place, size_t n, enum upcr_touch how, const char *function, const void *pc)
{
    *agent = upcr_races.touch_later(*agent, place, n, how, UPCR_SINCE_NOW, function, pc);
}

void upcr_transfer_touch(struct upcr_transfer *transfer, upcr_pts_t place, size_t n, enum upcr_touch how, const char *function)
{
    touch(&transfer->agent, place, n, how, function, NULL);
}

static void begin_copy(uint32_t *agent, upcr_pts_t dst, upcr_pts_t src, size_t n, const char *function, const void *pc)
{
    if (upcr_is_checked())
        upcr_checks.copy(dst, src, n);
    if (upcr_is_racing()) {
        touch(agent, src, n, UPCR_TOUCH_READ, function, pc);
        touch(agent, dst, n, UPCR_TOUCH_WRITE, function, pc);
    }
}

static void begin_read(uint32_t *agent, upcr_pts_t place, size_t n, const char *function, const char *what, const void *pc)
{
    if (upcr_is_checked())
        upcr_checks.transfer(place, n, what);
    if (upcr_is_racing())
        touch(agent, place, n, UPCR_TOUCH_READ, function, pc);
}

static void begin_write(uint32_t *agent, upcr_pts_t place, size_t n, const char *function, const char *what, const void *pc)
{
    if (upcr_is_checked())
        upcr_checks.transfer(place, n, what);
    if (upcr_is_racing())
        touch(agent, place, n, UPCR_TOUCH_WRITE, function, pc);
}

#define CALLER __builtin_return_address(0)

struct upcr_transfer *upc_memcpy_nb(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    struct upcr_transfer *transfer = upcr_transfer_begin(UPCR_EVENT_UPC_NB_PUT_DATA, is_mapped(dst) && is_mapped(src));
    begin_copy(&transfer->agent, dst, src, n, "upc_memcpy_nb", CALLER);
    upcr_start_copy(dst, src, n, &transfer->batch);
    return upcr_transfer_started(transfer);
}

struct upcr_transfer *upc_memget_nb(void *dst, upcr_pts_t src, size_t n)
{
    struct upcr_transfer *transfer = upcr_transfer_begin(UPCR_EVENT_UPC_NB_GET_DATA, is_mapped(src));
    begin_read(&transfer->agent, src, n, "upc_memget_nb", "upc_memget_nb reads", CALLER);
    upcr_start_get(dst, src, n, &transfer->batch);
    return upcr_transfer_started(transfer);
}

struct upcr_transfer *upc_memput_nb(upcr_pts_t dst, const void *src, size_t n)
{
    struct upcr_transfer *transfer = upcr_transfer_begin(UPCR_EVENT_UPC_NB_PUT_DATA, is_mapped(dst));
    begin_write(&transfer->agent, dst, n, "upc_memput_nb", "upc_memput_nb writes", CALLER);
    upcr_start_put(dst, src, n, &transfer->batch);
    return upcr_transfer_started(transfer);
}

struct upcr_transfer *upc_memset_nb(upcr_pts_t dst, int c, size_t n)
{
    struct upcr_transfer *transfer = upcr_transfer_begin(UPCR_EVENT_UPC_NB_PUT_DATA, is_mapped(dst));
    begin_write(&transfer->agent, dst, n, "upc_memset_nb", "upc_memset_nb writes", CALLER);
    upcr_start_set(dst, c, n, &transfer->batch);
    return upcr_transfer_started(transfer);
}

static void check_handle(const struct upcr_transfer *handle, const char *function)
{
    if ((upcr_all_mapped() && !upcr_is_racing()) || handle->mark != UNDER_WAY)
        upcr_die("%s: %p is not a handle that a transfer of this thread has returned", function, (const void *)handle);
}

int upc_sync_attempt(struct upcr_transfer *handle)
{
    if (handle == NULL)
        return 1;
    check_handle(handle, "upc_sync_attempt");
    if (!upcr_is_finished(&handle->batch))
        return 0;
    end(handle);
    return 1;
}

void upc_sync(struct upcr_transfer *handle)
{
    if (handle == NULL)
        return;
    check_handle(handle, "upc_sync");
    upcr_finish(&handle->batch);
    end(handle);
}

/* Encloses a transfer without a handle. Its event ends with the initiation, because it cannot be determined later
   which transfer is complete. */
#define IMPLICITLY(event, transfer)           \
    bool reported = data_begins(event, NULL); \
    transfer;                                 \
    data_ends(reported, event, NULL)

void upc_memcpy_nbi(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    begin_copy(&implicit_agent, dst, src, n, "upc_memcpy_nbi", CALLER);
    IMPLICITLY(UPCR_EVENT_UPC_NB_PUT_DATA, upcr_start_copy(dst, src, n, &implicit));
}

void upc_memget_nbi(void *dst, upcr_pts_t src, size_t n)
{
    begin_read(&implicit_agent, src, n, "upc_memget_nbi", "upc_memget_nbi reads", CALLER);
    IMPLICITLY(UPCR_EVENT_UPC_NB_GET_DATA, upcr_start_get(dst, src, n, &implicit));
}

void upc_memput_nbi(upcr_pts_t dst, const void *src, size_t n)
{
    begin_write(&implicit_agent, dst, n, "upc_memput_nbi", "upc_memput_nbi writes", CALLER);
    IMPLICITLY(UPCR_EVENT_UPC_NB_PUT_DATA, upcr_start_put(dst, src, n, &implicit));
}

void upc_memset_nbi(upcr_pts_t dst, int c, size_t n)
{
    begin_write(&implicit_agent, dst, n, "upc_memset_nbi", "upc_memset_nbi writes", CALLER);
    IMPLICITLY(UPCR_EVENT_UPC_NB_PUT_DATA, upcr_start_set(dst, c, n, &implicit));
}

static void finish_implicit(void)
{
    if (upcr_is_racing())
        upcr_races.finished(implicit_agent);
    implicit_agent = 0;
}

int upc_synci_attempt(void)
{
    if (!upcr_is_finished(&implicit))
        return 0;
    finish_implicit();
    return 1;
}

void upc_synci(void)
{
    upcr_finish(&implicit);
    finish_implicit();
}
