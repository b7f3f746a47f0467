/* <upc_nb.h> (library section, "UPC non-blocking transfer operations"). Memory that is mapped is copied at once, by the initiation: every
   handle is complete, and the data's own events come inside those of the initiation. */
#include "runtime.h"

#include "gasp/hooks.h"
#include "transport/transport.h"

struct upcr_transfer;

void upc_memcpy(upcr_pts_t dst, upcr_pts_t src, size_t n);
void upc_memget(void *dst, upcr_pts_t src, size_t n);
void upc_memput(upcr_pts_t dst, const void *src, size_t n);
void upc_memset(upcr_pts_t dst, int c, size_t n);

struct upcr_transfer *upc_memcpy_nb(upcr_pts_t dst, upcr_pts_t src, size_t n);
struct upcr_transfer *upc_memget_nb(void *dst, upcr_pts_t src, size_t n);
struct upcr_transfer *upc_memput_nb(upcr_pts_t dst, const void *src, size_t n);
struct upcr_transfer *upc_memset_nb(upcr_pts_t dst, int c, size_t n);
int upc_sync_attempt(struct upcr_transfer *handle);
void upc_sync(struct upcr_transfer *handle);
void upc_memcpy_nbi(upcr_pts_t dst, upcr_pts_t src, size_t n);
void upc_memget_nbi(void *dst, upcr_pts_t src, size_t n);
void upc_memput_nbi(upcr_pts_t dst, const void *src, size_t n);
void upc_memset_nbi(upcr_pts_t dst, int c, size_t n);
int upc_synci_attempt(void);
void upc_synci(void);

/* Around the moving of data. True: the event was told to begin. */
static bool data_begins(enum upcr_event_index event)
{
    if (!upcr_has_events() || !upcr_events.wants(event))
        return false;
    upcr_events.began(event, NULL);
    return true;
}

static struct upcr_transfer *data_ends(bool told, enum upcr_event_index event)
{
    if (told)
        upcr_events.ended(event, NULL);
    return NULL;
}

struct upcr_transfer *upc_memcpy_nb(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    bool told = data_begins(UPCR_EVENT_UPC_NB_PUT_DATA);
    upc_memcpy(dst, src, n);
    return data_ends(told, UPCR_EVENT_UPC_NB_PUT_DATA);
}

struct upcr_transfer *upc_memget_nb(void *dst, upcr_pts_t src, size_t n)
{
    bool told = data_begins(UPCR_EVENT_UPC_NB_GET_DATA);
    upc_memget(dst, src, n);
    return data_ends(told, UPCR_EVENT_UPC_NB_GET_DATA);
}

struct upcr_transfer *upc_memput_nb(upcr_pts_t dst, const void *src, size_t n)
{
    bool told = data_begins(UPCR_EVENT_UPC_NB_PUT_DATA);
    upc_memput(dst, src, n);
    return data_ends(told, UPCR_EVENT_UPC_NB_PUT_DATA);
}

struct upcr_transfer *upc_memset_nb(upcr_pts_t dst, int c, size_t n)
{
    bool told = data_begins(UPCR_EVENT_UPC_NB_PUT_DATA);
    upc_memset(dst, c, n);
    return data_ends(told, UPCR_EVENT_UPC_NB_PUT_DATA);
}

static void complete(const struct upcr_transfer *handle, const char *function)
{
    if (handle != NULL)
        upcr_die("%s: %p is no handle that a transfer of this thread has returned", function, (const void *)handle);
}

int upc_sync_attempt(struct upcr_transfer *handle)
{
    complete(handle, "upc_sync_attempt");
    return 1;
}

void upc_sync(struct upcr_transfer *handle)
{
    complete(handle, "upc_sync");
}

void upc_memcpy_nbi(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    upc_memcpy_nb(dst, src, n);
}

void upc_memget_nbi(void *dst, upcr_pts_t src, size_t n)
{
    upc_memget_nb(dst, src, n);
}

void upc_memput_nbi(upcr_pts_t dst, const void *src, size_t n)
{
    upc_memput_nb(dst, src, n);
}

void upc_memset_nbi(upcr_pts_t dst, int c, size_t n)
{
    upc_memset_nb(dst, c, n);
}

int upc_synci_attempt(void)
{
    return 1;
}

void upc_synci(void)
{
}
