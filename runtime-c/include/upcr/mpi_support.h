/* What the runtime tells the events of a program's own MPI calls. */
#ifndef UPCR_MPI_SUPPORT_H
#define UPCR_MPI_SUPPORT_H

#include <mpi.h>

#include "upcr/inst.h"

/* Returns the place of a call with this return address: its file and line where the program has line tables (-g). */
extern upcr_site *upcr_mpi_place(const char *call, const void *address) UPCR_HIDDEN;

/* Returns the UPC thread with that rank, in the other group of an intercommunicator; -1: none, or any. */
extern int upcr_mpi_thread(MPI_Comm comm, int rank) UPCR_HIDDEN;

/* Returns whether a unit requests the event, and a tool receives events. */
extern _Bool upcr_inst_is_wanted(enum upcr_event_index event) UPCR_HIDDEN;

#endif
