/* <upc_nb.h> (library section, "UPC non-blocking transfer operations"). Memory that is mapped is copied at once, by the initiation: every
   handle is complete. */
#include "runtime.h"

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

struct upcr_transfer *upc_memcpy_nb(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    upc_memcpy(dst, src, n);
    return NULL;
}

struct upcr_transfer *upc_memget_nb(void *dst, upcr_pts_t src, size_t n)
{
    upc_memget(dst, src, n);
    return NULL;
}

struct upcr_transfer *upc_memput_nb(upcr_pts_t dst, const void *src, size_t n)
{
    upc_memput(dst, src, n);
    return NULL;
}

struct upcr_transfer *upc_memset_nb(upcr_pts_t dst, int c, size_t n)
{
    upc_memset(dst, c, n);
    return NULL;
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
    upc_memcpy(dst, src, n);
}

void upc_memget_nbi(void *dst, upcr_pts_t src, size_t n)
{
    upc_memget(dst, src, n);
}

void upc_memput_nbi(upcr_pts_t dst, const void *src, size_t n)
{
    upc_memput(dst, src, n);
}

void upc_memset_nbi(upcr_pts_t dst, int c, size_t n)
{
    upc_memset(dst, c, n);
}

int upc_synci_attempt(void)
{
    return 1;
}

void upc_synci(void)
{
}
