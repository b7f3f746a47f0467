/* Non-blocking transfers: the functions of <upc_nb.h>, and their handles for other libraries that have such functions. */
#ifndef UPCR_NB_H
#define UPCR_NB_H

#include "runtime.h"

#include "gasp/hooks.h"
#include "races/races.h"
#include "transport/transport.h"

struct upcr_transfer;

/* Begins a transfer and its event. What is started in its batch belongs to it. at_once: it will be complete when
   everything has been started. */
struct upcr_transfer *upcr_transfer_begin(enum upcr_event_index event, bool at_once) UPCR_HIDDEN;
struct upcr_batch *upcr_transfer_batch(struct upcr_transfer *transfer) UPCR_HIDDEN;

/* Returns the handle once everything has been started: NULL if it is already complete, unless it was reported to a
   tool as incomplete. */
struct upcr_transfer *upcr_transfer_started(struct upcr_transfer *transfer) UPCR_HIDDEN;

/* <upc_nb.h> (UPC 7.4) */
#pragma GCC visibility push(default)
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
#pragma GCC visibility pop

/* Where races are detected: the transfer accesses n bytes at a place until it is finished. */
void upcr_transfer_touch(struct upcr_transfer *transfer, upcr_pts_t place, size_t n, enum upcr_touch how, const char *function);

#endif
