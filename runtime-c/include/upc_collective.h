/* <upc_collective.h> of UPC 1.3 (library section, "UPC Collective Utilities"), and upc_all_sort. */
#pragma GCC system_header
#ifndef __UPC_COLLECTIVE_H__
#define __UPC_COLLECTIVE_H__

#include <stddef.h>
#include "upc_types.h"
#include "upcr/collective_ops.h"

/* "Relocalization Operations". nbytes: of one block. No flag of a kind (UPC_IN_..., UPC_OUT_...) means its ALLSYNC. */
extern void upc_all_broadcast(shared void *__restrict__ dst, shared const void *__restrict__ src, size_t nbytes, upc_flag_t flags);
extern void upc_all_scatter(shared void *__restrict__ dst, shared const void *__restrict__ src, size_t nbytes, upc_flag_t flags);
extern void upc_all_gather(shared void *__restrict__ dst, shared const void *__restrict__ src, size_t nbytes, upc_flag_t flags);
extern void upc_all_gather_all(shared void *__restrict__ dst, shared const void *__restrict__ src, size_t nbytes, upc_flag_t flags);
extern void upc_all_exchange(shared void *__restrict__ dst, shared const void *__restrict__ src, size_t nbytes, upc_flag_t flags);
extern void upc_all_permute(shared void *__restrict__ dst, shared const void *__restrict__ src, shared const int *__restrict__ perm, size_t nbytes,
                            upc_flag_t flags);

/* "Computational Operations". blk_size: in elements, 0 for the indefinite block size. func: for UPC_FUNC and UPC_NONCOMM_FUNC, else ignored.
   bupc_all_reduce_all, Berkeley's: the result goes to dst on every thread, an array "shared T dst[THREADS]" of which any element is passed.
   A given program on a given number of threads combines the elements in the same order in every run, floating-point ones too. */
#define UPCR_REDUCTIONS(T, TYPE)                                                                                                                          \
    extern void upc_all_reduce##T(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op, size_t nelems, size_t blk_size,        \
                                  TYPE (*func)(TYPE, TYPE), upc_flag_t flags);                                                                            \
    extern void upc_all_prefix_reduce##T(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op, size_t nelems, size_t blk_size, \
                                         TYPE (*func)(TYPE, TYPE), upc_flag_t flags);                                                                     \
    extern void bupc_all_reduce_all##T(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op, size_t nelems, size_t blk_size,   \
                                       TYPE (*func)(TYPE, TYPE), upc_flag_t flags)
UPCR_REDUCTIONS(C, signed char);
UPCR_REDUCTIONS(UC, unsigned char);
UPCR_REDUCTIONS(S, signed short);
UPCR_REDUCTIONS(US, unsigned short);
UPCR_REDUCTIONS(I, signed int);
UPCR_REDUCTIONS(UI, unsigned int);
UPCR_REDUCTIONS(L, signed long);
UPCR_REDUCTIONS(UL, unsigned long);
UPCR_REDUCTIONS(F, float);
UPCR_REDUCTIONS(D, double);
UPCR_REDUCTIONS(LD, long double);
#undef UPCR_REDUCTIONS

/* Of the first UPC collectives, in no version of the specification: sorts n_elems elements of elem_size bytes, laid out with blk_size
   elements a block (0: indefinite). func compares two elements like qsort's function; equal elements may change their order. */
extern void upc_all_sort(shared void *A, size_t elem_size, size_t n_elems, size_t blk_size, int (*func)(shared void *, shared void *), upc_flag_t flags);

/* Teams. bupc_team_t, BUPC_TEAM_ALL, split, broadcast and exchange are Berkeley's. All members of a team call an operation on it, in the same
   order. src and dst are read and written on each member at the offset of the place that is passed, like elements of "shared [] T a[THREADS]";
   the source of a broadcast is at the place itself. UPC_IN_MYSYNC waits for all members, like UPC_IN_ALLSYNC. The handle is complete. */
typedef struct upcr_team *bupc_team_t;
typedef void *bupc_coll_handle_t;
#define BUPC_TEAM_ALL ((bupc_team_t)0)
#define bupc_team_all BUPC_TEAM_ALL

/* Members of the parent with the same color become a team. Its ranks follow relrank, and the parent's ranks where that is equal. */
extern bupc_team_t bupc_team_split(bupc_team_t parent, int color, int relrank);
extern void bupc_team_free(bupc_team_t team);
extern int bupc_team_size(bupc_team_t team);
extern int bupc_team_rank(bupc_team_t team);
extern int bupc_team_thread(bupc_team_t team, int rank);
extern void bupc_team_barrier(bupc_team_t team);
extern bupc_coll_handle_t bupc_team_broadcast(bupc_team_t team, shared void *dst, shared const void *src, size_t nbytes, upc_flag_t flags);
extern bupc_coll_handle_t bupc_team_gather_all(bupc_team_t team, shared void *dst, shared const void *src, size_t nbytes, upc_flag_t flags);
extern bupc_coll_handle_t bupc_team_exchange(bupc_team_t team, shared void *dst, shared const void *src, size_t nbytes, upc_flag_t flags);
extern void bupc_coll_wait(bupc_coll_handle_t handle);

#endif

/* The names that BUPC_USE_UPC_NAMESPACE asks for, which may be defined between two inclusions. */
#ifdef BUPC_USE_UPC_NAMESPACE
#define upc_team_t           bupc_team_t
#define upc_team_split       bupc_team_split
#define upc_team_broadcast   bupc_team_broadcast
#define upc_team_exchange    bupc_team_exchange
#define UPC_TEAM_ALL         BUPC_TEAM_ALL
#define upc_all_reduce_allC  bupc_all_reduce_allC
#define upc_all_reduce_allUC bupc_all_reduce_allUC
#define upc_all_reduce_allS  bupc_all_reduce_allS
#define upc_all_reduce_allUS bupc_all_reduce_allUS
#define upc_all_reduce_allI  bupc_all_reduce_allI
#define upc_all_reduce_allUI bupc_all_reduce_allUI
#define upc_all_reduce_allL  bupc_all_reduce_allL
#define upc_all_reduce_allUL bupc_all_reduce_allUL
#define upc_all_reduce_allF  bupc_all_reduce_allF
#define upc_all_reduce_allD  bupc_all_reduce_allD
#define upc_all_reduce_allLD bupc_all_reduce_allLD
#endif
