/* Handles of non-blocking transfers, for the libraries that have functions of that kind besides <upc_nb.h>. */
#ifndef UPCR_NB_H
#define UPCR_NB_H

#include "runtime.h"

#include "gasp/hooks.h"
#include "transport/transport.h"

struct upcr_transfer;

/* A transfer begins, and its event; what is started in its batch belongs to it. at_once: it will be complete when all has been started. */
struct upcr_transfer *upcr_transfer_begin(enum upcr_event_index event, bool at_once) UPCR_HIDDEN;
struct upcr_batch *upcr_transfer_batch(struct upcr_transfer *transfer) UPCR_HIDDEN;

/* The handle once all has been started: NULL if it is complete already, unless a tool was told otherwise. */
struct upcr_transfer *upcr_transfer_started(struct upcr_transfer *transfer) UPCR_HIDDEN;

#endif
