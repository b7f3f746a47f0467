/* Handles of non-blocking transfers, for libraries other than <upc_nb.h> that have such functions. */
#ifndef UPCR_NB_H
#define UPCR_NB_H

#include "runtime.h"

#include "gasp/hooks.h"
#include "transport/transport.h"

struct upcr_transfer;

/* Begins a transfer and its event. What is started in its batch belongs to it. at_once: it will be complete when
   everything has been started. */
struct upcr_transfer *upcr_transfer_begin(enum upcr_event_index event, bool at_once) UPCR_HIDDEN;
struct upcr_batch *upcr_transfer_batch(struct upcr_transfer *transfer) UPCR_HIDDEN;

/* Returns the handle once everything has been started: NULL if it is already complete, unless it was reported to a
   tool as incomplete. */
struct upcr_transfer *upcr_transfer_started(struct upcr_transfer *transfer) UPCR_HIDDEN;

#endif
