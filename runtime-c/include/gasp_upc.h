/* <gasp_upc.h>: the events of UPC programs, and the types of their arguments (GASP 1.5, section A.5). */
#pragma GCC system_header
#ifndef UPCR_GASP_UPC_H
#define UPCR_GASP_UPC_H

#include "gasp.h"
#include <stddef.h>
#include "upcr/gasp_events.h"

/* Tools recognise old sets of events by this number; ours is at least as new as Berkeley UPC's of this version. */
#define GASP_UPC_VERSION 0x020311

#define GASP_UPC_EVT_NONE 0

/* A gasp_upc_PTS_t * is the address of a generic pointer-to-shared, a gasp_upc_lock_t * that of a pointer to a lock; in UPC they are
   shared void ** and upc_lock_t **. Valid during the callback. */
typedef void gasp_upc_PTS_t;
typedef void gasp_upc_lock_t;

/* A transfer between its initiation and its end; trivial: complete on return from the initiation. */
typedef struct upcr_transfer *gasp_upc_nb_handle_t;
#define GASP_NB_TRIVIAL     ((gasp_upc_nb_handle_t)0)
#define GASP_UPC_NB_TRIVIAL GASP_NB_TRIVIAL

/* The element type of a reduction, by the letters in its name. */
typedef enum {
    GASP_UPC_REDUCTION_C,
    GASP_UPC_REDUCTION_UC,
    GASP_UPC_REDUCTION_S,
    GASP_UPC_REDUCTION_US,
    GASP_UPC_REDUCTION_I,
    GASP_UPC_REDUCTION_UI,
    GASP_UPC_REDUCTION_L,
    GASP_UPC_REDUCTION_UL,
    GASP_UPC_REDUCTION_F,
    GASP_UPC_REDUCTION_D,
    GASP_UPC_REDUCTION_LD
} gasp_upc_reduction_t;

/* An extension: this thread also raises the pairs GASP_UPC_NB_GET_DATA and GASP_UPC_NB_PUT_DATA from this call on, or with 0 stops to. They show when the
   data of a transfer move, and overlap other pairs: a tool that calls it, in gasp_init, must not expect pairs to nest. */
#define GASP_UPCC_OVERLAPPING_EVENTS 1
#ifdef __cplusplus
extern "C"
#else
extern
#endif
    void
    gasp_upcc_overlapping_events(int on);

#endif
