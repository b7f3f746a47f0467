/* Non-blocking copies of <bupc_extensions.h>, by means of those of <upc_nb.h>. */
#include "runtime.h"

#include "nb.h"

#pragma GCC visibility push(default)
struct upcr_transfer *bupc_memcpy_async(upcr_pts_t dst, upcr_pts_t src, size_t n);
struct upcr_transfer *bupc_memget_async(void *dst, upcr_pts_t src, size_t n);
struct upcr_transfer *bupc_memput_async(upcr_pts_t dst, const void *src, size_t n);
struct upcr_transfer *bupc_memset_async(upcr_pts_t dst, int c, size_t n);
void bupc_waitsync(struct upcr_transfer *handle);
int bupc_trysync(struct upcr_transfer *handle);
void bupc_waitsync_all(struct upcr_transfer **handles, size_t count);
int bupc_trysync_all(struct upcr_transfer **handles, size_t count);
void bupc_waitsync_some(struct upcr_transfer **handles, size_t count);
int bupc_trysync_some(struct upcr_transfer **handles, size_t count);
void bupc_memcpy_asynci(upcr_pts_t dst, upcr_pts_t src, size_t n);
void bupc_memget_asynci(void *dst, upcr_pts_t src, size_t n);
void bupc_memput_asynci(upcr_pts_t dst, const void *src, size_t n);
void bupc_memset_asynci(upcr_pts_t dst, int c, size_t n);
void bupc_waitsynci(void);
int bupc_trysynci(void);
void bupc_begin_accessregion(void);
struct upcr_transfer *bupc_end_accessregion(void);
#pragma GCC visibility pop

struct upcr_transfer *bupc_memcpy_async(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    return upc_memcpy_nb(dst, src, n);
}

struct upcr_transfer *bupc_memget_async(void *dst, upcr_pts_t src, size_t n)
{
    return upc_memget_nb(dst, src, n);
}

struct upcr_transfer *bupc_memput_async(upcr_pts_t dst, const void *src, size_t n)
{
    return upc_memput_nb(dst, src, n);
}

struct upcr_transfer *bupc_memset_async(upcr_pts_t dst, int c, size_t n)
{
    return upc_memset_nb(dst, c, n);
}

void bupc_waitsync(struct upcr_transfer *handle)
{
    upc_sync(handle);
}

int bupc_trysync(struct upcr_transfer *handle)
{
    return upc_sync_attempt(handle);
}

/* Completes the handles that can be completed, and returns the number of the others. Completed ones become BUPC_COMPLETE_HANDLE, which later calls ignore. */
static size_t sweep(struct upcr_transfer **handles, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        if (handles[i] != NULL && upc_sync_attempt(handles[i]))
            handles[i] = NULL;
        left += handles[i] != NULL;
    }
    return left;
}

static size_t incomplete(struct upcr_transfer *const *handles, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        left += handles[i] != NULL;
    return left;
}

void bupc_waitsync_all(struct upcr_transfer **handles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        upc_sync(handles[i]);
        handles[i] = NULL;
    }
}

int bupc_trysync_all(struct upcr_transfer **handles, size_t count)
{
    return sweep(handles, count) == 0;
}

/* Waits until at least one of the pending handles is complete. */
void bupc_waitsync_some(struct upcr_transfer **handles, size_t count)
{
    size_t before = incomplete(handles, count);
    while (before != 0 && sweep(handles, count) == before)
        continue;
}

int bupc_trysync_some(struct upcr_transfer **handles, size_t count)
{
    size_t before = incomplete(handles, count);
    return before == 0 || sweep(handles, count) < before;
}

void bupc_memcpy_asynci(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    upc_memcpy_nbi(dst, src, n);
}

void bupc_memget_asynci(void *dst, upcr_pts_t src, size_t n)
{
    upc_memget_nbi(dst, src, n);
}

void bupc_memput_asynci(upcr_pts_t dst, const void *src, size_t n)
{
    upc_memput_nbi(dst, src, n);
}

void bupc_memset_asynci(upcr_pts_t dst, int c, size_t n)
{
    upc_memset_nbi(dst, c, n);
}

void bupc_waitsynci(void)
{
    upc_synci();
}

int bupc_trysynci(void)
{
    return upc_synci_attempt();
}

/* An access region collects implicit transfers under one handle. They are complete when they have been initiated, or here at the
   latest. */
void bupc_begin_accessregion(void)
{
}

struct upcr_transfer *bupc_end_accessregion(void)
{
    upc_synci();
    return NULL;
}
