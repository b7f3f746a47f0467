/* Synchronization statements, and the state of upc_forall. */
#ifndef UPCR_SYNC_H
#define UPCR_SYNC_H

#include "upcr/base.h"

/* Each implies the null strict access that the language asks for. named: whether the statement has an expression, whose
   value is `value`. A violation of the matching rules (language section, "Barrier statements") ends the job. */
extern void upcr_notify(int named, int value) UPCR_HIDDEN;
extern void upcr_wait(int named, int value) UPCR_HIDDEN;
extern void upcr_barrier(int named, int value) UPCR_HIDDEN;

/* > 0 inside a controlling upc_forall. */
extern int upcr_forall_depth UPCR_HIDDEN;

#endif
