/* <upc.h> of UPC 1.3 (library section, "UPC utilities"). */
#pragma GCC system_header
#ifndef __UPC_H__
#define __UPC_H__

#include <stddef.h>
/* Other compilers' <upc.h> includes it, so programs use int64_t and ssize_t without including its header. */
#include <sys/types.h>
#include "upc_types.h"

/* Termination of all threads */
extern void upc_global_exit(int status);

/* Shared memory allocation */
extern shared void *upc_global_alloc(size_t nblocks, size_t nbytes);
extern shared void *upc_all_alloc(size_t nblocks, size_t nbytes);
extern shared void *upc_alloc(size_t nbytes);
extern void upc_free(shared void *ptr);
extern void upc_all_free(shared void *ptr);
/* Not in UPC 1.3, but still in use: space for nblocks * nbytes bytes with affinity to the caller. */
extern shared void *upc_local_alloc(size_t nblocks, size_t nbytes);

/* Pointer-to-shared manipulation */
extern size_t upc_threadof(shared const volatile void *ptr);
extern size_t upc_phaseof(shared const volatile void *ptr);
extern shared void *upc_resetphase(shared const volatile void *ptr);
extern size_t upc_addrfield(shared const volatile void *ptr);
extern size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);

/* Locks */
typedef shared struct upcr_lock upc_lock_t;
extern upc_lock_t *upc_global_lock_alloc(void);
extern upc_lock_t *upc_all_lock_alloc(void);
extern void upc_lock_free(upc_lock_t *ptr);
extern void upc_all_lock_free(upc_lock_t *ptr);
extern void upc_lock(upc_lock_t *ptr);
extern int upc_lock_attempt(upc_lock_t *ptr);
extern void upc_unlock(upc_lock_t *ptr);
/* A function of UPC 1.0 that old programs still call: a lock is ready when it is allocated. */
extern void upc_lock_init(upc_lock_t *ptr);

/* Shared string handling */
extern void upc_memcpy(shared void *__restrict__ dst, shared const void *__restrict__ src, size_t n);
extern void upc_memget(void *__restrict__ dst, shared const void *__restrict__ src, size_t n);
extern void upc_memput(shared void *__restrict__ dst, const void *__restrict__ src, size_t n);
extern void upc_memset(shared void *dst, int c, size_t n);

/* Declarations that programs for Berkeley UPC also expect from this header */
#include "bupc_extensions.h"

/* upcc includes these where a program uses their names without including them, because that compiler's <upc.h> included them. */
#ifdef UPCR_BRING_STDLIB
#include <stdlib.h>
#endif
#ifdef UPCR_BRING_INTTYPES
#include <inttypes.h>
#endif
#ifdef UPCR_BRING_ASSERT
#include <assert.h>
#endif

#endif
