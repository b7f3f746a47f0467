/* <upc_nb.h> of UPC 1.3 (library section, "UPC non-blocking transfer operations"). */
#pragma GCC system_header
#ifndef __UPC_NB_H__
#define __UPC_NB_H__

#include <stddef.h>

typedef struct upcr_transfer *upc_handle_t;
#ifndef UPC_COMPLETE_HANDLE
#define UPC_COMPLETE_HANDLE ((upc_handle_t)0)
#endif

/* Explicit handles */
extern upc_handle_t upc_memcpy_nb(shared void *__restrict__ dst, shared const void *__restrict__ src, size_t n);
extern upc_handle_t upc_memget_nb(void *__restrict__ dst, shared const void *__restrict__ src, size_t n);
extern upc_handle_t upc_memput_nb(shared void *__restrict__ dst, const void *__restrict__ src, size_t n);
extern upc_handle_t upc_memset_nb(shared void *dst, int c, size_t n);
extern int upc_sync_attempt(upc_handle_t handle);
extern void upc_sync(upc_handle_t handle);

/* Implicit handles */
extern void upc_memcpy_nbi(shared void *__restrict__ dst, shared const void *__restrict__ src, size_t n);
extern void upc_memget_nbi(void *__restrict__ dst, shared const void *__restrict__ src, size_t n);
extern void upc_memput_nbi(shared void *__restrict__ dst, const void *__restrict__ src, size_t n);
extern void upc_memset_nbi(shared void *dst, int c, size_t n);
extern int upc_synci_attempt(void);
extern void upc_synci(void);

#endif
