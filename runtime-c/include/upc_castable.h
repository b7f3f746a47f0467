/* <upc_castable.h> of UPC 1.3 (library section, "Castability functions"). */
#pragma GCC system_header
#ifndef __UPC_CASTABLE_H__
#define __UPC_CASTABLE_H__

#include <stddef.h>

/* Regions of shared memory, by where their objects come from */
#define UPC_CASTABLE_ALL_ALLOC    1
#define UPC_CASTABLE_GLOBAL_ALLOC 2
#define UPC_CASTABLE_ALLOC        4
#define UPC_CASTABLE_STATIC       8
#define UPC_CASTABLE_ALL          15

typedef struct {
    int guaranteedCastable;
    int probablyCastable;
} upc_thread_info_t;

extern void *upc_cast(const shared void *ptr);
extern upc_thread_info_t upc_thread_info(size_t threadId);

#endif
