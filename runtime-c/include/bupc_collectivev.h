/* <bupc_collectivev.h>: Berkeley's collective operations on values. Each thread contributes one value; the caller needs no shared memory. All threads
   call with the same TYPE, root thread and operation. The result of a rooted operation is defined on the root only. */
#pragma GCC system_header
#ifndef UPCR_BUPC_COLLECTIVEV_H
#define UPCR_BUPC_COLLECTIVEV_H

#include <stddef.h>
/* Berkeley's header includes these two. */
#include <stdio.h>
#include <string.h>
#include "upc.h"
#include "upc_collective.h"

#define BUPC_COLLECTIVEV_VERSION_MAJOR 1
#define BUPC_COLLECTIVEV_VERSION_MINOR 2

/* Indices of the table upcr_element_types of the runtime. */
#define UPCR_VALUE_TYPE(TYPE)                                                                                                                       \
    _Generic((TYPE)0, char                                                                                                                          \
             : (char)-1 < 0 ? 0 : 1, signed char : 0, unsigned char : 1, _Bool : 1, short : 2, unsigned short : 3, int : 4, unsigned : 5, long : 6, \
               unsigned long : 7, long long : 6, unsigned long long : 7, float : 8, double : 9, long double : 10)

extern void upcr_value_reduce(void *value, int type, int root, upc_op_t op);
extern void upcr_value_prefix_reduce(void *value, int type, upc_op_t op);
extern void upcr_value_broadcast(void *value, size_t size, int root);
extern void upcr_value_scatter(void *value, size_t size, int root, const void *values);
extern void *upcr_value_gather(const void *value, size_t size, int root, void *values);
extern void *upcr_value_gather_all(const void *value, size_t size, void *values);
extern void upcr_value_permute(void *value, size_t size, int to);

extern void upcr_team_reduce_all(bupc_team_t team, void *value, int type, upc_op_t op);

/* A copy of the value, which the call replaces by its result. */
#define UPCR_VALUE(TYPE, value, call) \
    __extension__({                   \
        TYPE upcr_value_ = (value);   \
        call;                         \
        upcr_value_;                  \
    })

/* root -1: the result on all threads. */
#define bupc_allv_reduce(TYPE, value, root, op)  UPCR_VALUE(TYPE, value, upcr_value_reduce(&upcr_value_, UPCR_VALUE_TYPE(TYPE), root, op))
#define bupc_allv_reduce_all(TYPE, value, op)    bupc_allv_reduce(TYPE, value, -1, op)
#define bupc_allv_prefix_reduce(TYPE, value, op) UPCR_VALUE(TYPE, value, upcr_value_prefix_reduce(&upcr_value_, UPCR_VALUE_TYPE(TYPE), op))
#define bupc_allv_broadcast(TYPE, value, root)   UPCR_VALUE(TYPE, value, upcr_value_broadcast(&upcr_value_, sizeof(TYPE), root))
#define bupc_allv_permute(TYPE, value, to)       UPCR_VALUE(TYPE, value, upcr_value_permute(&upcr_value_, sizeof(TYPE), to))
#define bupc_allv_scatter(TYPE, root, values)                               \
    __extension__({                                                         \
        TYPE upcr_value_;                                                   \
        TYPE *upcr_values_ = (values);                                      \
        upcr_value_scatter(&upcr_value_, sizeof(TYPE), root, upcr_values_); \
        upcr_value_;                                                        \
    })
#define UPCR_GATHERED(TYPE, value, values, call) \
    __extension__({                              \
        TYPE upcr_value_ = (value);              \
        TYPE *upcr_values_ = (values);           \
        (TYPE *)call;                            \
    })
#define bupc_allv_gather(TYPE, value, root, values) UPCR_GATHERED(TYPE, value, values, upcr_value_gather(&upcr_value_, sizeof(TYPE), root, upcr_values_))
#define bupc_allv_gather_all(TYPE, value, values)   UPCR_GATHERED(TYPE, value, values, upcr_value_gather_all(&upcr_value_, sizeof(TYPE), upcr_values_))

/* The reduction of the values of a team's members, on each of them. */
#define bupc_teamv_reduce_all(TYPE, team, value, op) UPCR_VALUE(TYPE, value, upcr_team_reduce_all(team, &upcr_value_, UPCR_VALUE_TYPE(TYPE), op))

#endif

#ifdef BUPC_USE_UPC_NAMESPACE
#define upc_allv_broadcast     bupc_allv_broadcast
#define upc_allv_gather        bupc_allv_gather
#define upc_allv_gather_all    bupc_allv_gather_all
#define upc_allv_scatter       bupc_allv_scatter
#define upc_allv_permute       bupc_allv_permute
#define upc_allv_reduce        bupc_allv_reduce
#define upc_allv_reduce_all    bupc_allv_reduce_all
#define upc_allv_prefix_reduce bupc_allv_prefix_reduce
#endif
