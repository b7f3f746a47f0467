/* <upc_atomic.h> of UPC 1.3 (library section, "UPC atomic memory operations"). */
#pragma GCC system_header
#ifndef __UPC_ATOMIC_H__
#define __UPC_ATOMIC_H__

#include <stddef.h>
#include "upc_types.h"
#include "upcr/atomic_ops.h"

typedef shared struct upcr_atomicdomain upc_atomicdomain_t;

typedef int upc_atomichint_t;
#define UPC_ATOMIC_HINT_DEFAULT    0
#define UPC_ATOMIC_HINT_LATENCY    1
#define UPC_ATOMIC_HINT_THROUGHPUT 2

extern upc_atomicdomain_t *upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, upc_atomichint_t hints);
extern void upc_all_atomicdomain_free(upc_atomicdomain_t *ptr);

extern void upc_atomic_strict(upc_atomicdomain_t *domain, void *__restrict__ fetch_ptr, upc_op_t op, shared void *__restrict__ target,
                              const void *__restrict__ operand1, const void *__restrict__ operand2);
extern void upc_atomic_relaxed(upc_atomicdomain_t *domain, void *__restrict__ fetch_ptr, upc_op_t op, shared void *__restrict__ target,
                               const void *__restrict__ operand1, const void *__restrict__ operand2);

extern int upc_atomic_isfast(upc_type_t type, upc_op_t ops, shared void *addr);

#endif
