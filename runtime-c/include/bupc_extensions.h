/* <bupc_extensions.h>: the names of Berkeley UPC's extensions of the specification. <upc.h> declares
   them too, as that compiler's did. docs/extensions.md says what each does here. */
#pragma GCC system_header
#ifndef UPCR_BUPC_EXTENSIONS_H
#define UPCR_BUPC_EXTENSIONS_H

#include "bupc_extern.h"
#include <stddef.h>

/* Progress, environment, tracing */
extern void bupc_poll(void);
extern char *bupc_getenv(const char *name);
#define upc_poll                         bupc_poll
#define bupc_trace_printf(parenthesised) ((void)0)
extern void bupc_trace_setmask(const char *mask);
extern const char *bupc_trace_getmask(void);
extern void bupc_stats_setmask(const char *mask);
extern const char *bupc_stats_getmask(void);
extern int bupc_trace_gettracelocal(void);
extern void bupc_trace_settracelocal(int value);

/* Pointers-to-shared */
#define BUPC_DUMP_MIN_LENGTH 100
#define UPC_DUMP_MIN_LENGTH  BUPC_DUMP_MIN_LENGTH
extern int bupc_dump_shared(shared const void *ptr, char *buffer, int room);
#define upc_dump_shared bupc_dump_shared
extern void *bupc_cast(shared const void *ptr);
extern int bupc_castable(shared const void *ptr);
extern int bupc_thread_castable(unsigned int thread);
extern shared void *bupc_local_to_shared(void *ptr, int thread, int phase);
extern shared void *bupc_inverse_cast(void *ptr);
extern shared void *bupc_ptradd(shared void *p, size_t blockelems, size_t elemsz, ptrdiff_t elemincr);

/* Whether two types, or those of two expressions, are the same with all qualifiers. */
#define bupc_assert_type(a, b) __builtin_types_compatible_p(__typeof__(a) *, __typeof__(b) *)

/* Time */
typedef __UINT64_TYPE__ bupc_tick_t;
#define BUPC_TICK_MIN ((bupc_tick_t)0)
#define BUPC_TICK_MAX (~(bupc_tick_t)0)
extern bupc_tick_t bupc_ticks_now(void);
extern __UINT64_TYPE__ bupc_ticks_to_us(bupc_tick_t ticks);
extern __UINT64_TYPE__ bupc_ticks_to_ns(bupc_tick_t ticks);
extern double bupc_tick_granularityus(void);
extern double bupc_tick_overheadus(void);

/* Distance between threads */
#define BUPC_THREADS_SAME     0
#define BUPC_THREADS_VERYNEAR 100
#define BUPC_THREADS_NEAR     200
#define BUPC_THREADS_FAR      300
#define BUPC_THREADS_VERYFAR  400
extern unsigned int bupc_thread_distance(int thread_x, int thread_y);

/* Semaphores */
#define BUPC_SEM_BOOLEAN   1
#define BUPC_SEM_INTEGER   2
#define BUPC_SEM_SPRODUCER 4
#define BUPC_SEM_MPRODUCER 8
#define BUPC_SEM_SCONSUMER 16
#define BUPC_SEM_MCONSUMER 32
#define BUPC_SEM_MASK      63
#define BUPC_SEM_MAXVALUE  65535
typedef shared struct upcr_semaphore bupc_sem_t;
extern bupc_sem_t *bupc_sem_alloc(int flags);
extern void bupc_sem_free(bupc_sem_t *s);
extern void bupc_sem_post(bupc_sem_t *s);
extern void bupc_sem_postN(bupc_sem_t *s, size_t n);
extern void bupc_sem_wait(bupc_sem_t *s);
extern void bupc_sem_waitN(bupc_sem_t *s, size_t n);
extern int bupc_sem_try(bupc_sem_t *s);
extern int bupc_sem_tryN(bupc_sem_t *s, size_t n);
extern void bupc_memput_signal(shared void *dst, const void *src, size_t nbytes, bupc_sem_t *s, size_t n);
extern void bupc_memput_signal_async(shared void *dst, const void *src, size_t nbytes, bupc_sem_t *s, size_t n);

/* Non-blocking copies */
typedef struct upcr_transfer *bupc_handle_t;
#define BUPC_COMPLETE_HANDLE ((bupc_handle_t)0)
extern bupc_handle_t bupc_memcpy_async(shared void *dst, shared const void *src, size_t n);
extern bupc_handle_t bupc_memget_async(void *dst, shared const void *src, size_t n);
extern bupc_handle_t bupc_memput_async(shared void *dst, const void *src, size_t n);
extern bupc_handle_t bupc_memset_async(shared void *dst, int c, size_t n);
extern void bupc_waitsync(bupc_handle_t handle);
extern int bupc_trysync(bupc_handle_t handle);
extern void bupc_waitsync_all(bupc_handle_t *handles, size_t count);
extern int bupc_trysync_all(bupc_handle_t *handles, size_t count);
extern void bupc_waitsync_some(bupc_handle_t *handles, size_t count);
extern int bupc_trysync_some(bupc_handle_t *handles, size_t count);
extern void bupc_memcpy_asynci(shared void *dst, shared const void *src, size_t n);
extern void bupc_memget_asynci(void *dst, shared const void *src, size_t n);
extern void bupc_memput_asynci(shared void *dst, const void *src, size_t n);
extern void bupc_memset_asynci(shared void *dst, int c, size_t n);
extern void bupc_waitsynci(void);
extern int bupc_trysynci(void);
extern void bupc_begin_accessregion(void);
extern bupc_handle_t bupc_end_accessregion(void);

/* Copies of scattered places. Each has a blocking function and one that returns a handle. */
typedef struct {
    void *addr;
    size_t len;
} bupc_pmemvec_t;
typedef struct {
    shared void *addr;
    size_t len;
} bupc_smemvec_t;

#define UPCR_SCATTERED(result, suffix)                                                                                                                         \
    extern result bupc_memcpy_vlist##suffix(size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount, bupc_smemvec_t const srclist[]);                 \
    extern result bupc_memput_vlist##suffix(size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount, bupc_pmemvec_t const srclist[]);                 \
    extern result bupc_memget_vlist##suffix(size_t dstcount, bupc_pmemvec_t const dstlist[], size_t srccount, bupc_smemvec_t const srclist[]);                 \
    extern result bupc_memcpy_ilist##suffix(size_t dstcount, shared void *const dstlist[], size_t dstlen, size_t srccount, shared const void *const srclist[], \
                                            size_t srclen);                                                                                                    \
    extern result bupc_memput_ilist##suffix(size_t dstcount, shared void *const dstlist[], size_t dstlen, size_t srccount, const void *const srclist[],        \
                                            size_t srclen);                                                                                                    \
    extern result bupc_memget_ilist##suffix(size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount, shared const void *const srclist[],        \
                                            size_t srclen);                                                                                                    \
    extern result bupc_memcpy_fstrided##suffix(shared void *dst, size_t dstlen, size_t dststride, size_t dstcount, shared void *src, size_t srclen,            \
                                               size_t srcstride, size_t srccount);                                                                             \
    extern result bupc_memput_fstrided##suffix(shared void *dst, size_t dstlen, size_t dststride, size_t dstcount, void *src, size_t srclen, size_t srcstride, \
                                               size_t srccount);                                                                                               \
    extern result bupc_memget_fstrided##suffix(void *dst, size_t dstlen, size_t dststride, size_t dstcount, shared void *src, size_t srclen, size_t srcstride, \
                                               size_t srccount);                                                                                               \
    extern result bupc_memcpy_strided##suffix(shared void *dst, const size_t dststrides[], shared const void *src, const size_t srcstrides[],                  \
                                              const size_t count[], size_t stridelevels);                                                                      \
    extern result bupc_memput_strided##suffix(shared void *dst, const size_t dststrides[], const void *src, const size_t srcstrides[], const size_t count[],   \
                                              size_t stridelevels);                                                                                            \
    extern result bupc_memget_strided##suffix(void *dst, const size_t dststrides[], shared const void *src, const size_t srcstrides[], const size_t count[],   \
                                              size_t stridelevels);
UPCR_SCATTERED(void, )
UPCR_SCATTERED(bupc_handle_t, _async)
#undef UPCR_SCATTERED

/* Atomic operations */
#define UPCR_ATOMIC_ACCESS(T, code, order)                                                  \
    extern T bupc_atomic##code##_read_##order(shared void *ptr);                            \
    extern void bupc_atomic##code##_set_##order(shared void *ptr, T value);                 \
    extern T bupc_atomic##code##_swap_##order(shared void *ptr, T value);                   \
    extern T bupc_atomic##code##_cswap_##order(shared void *ptr, T old_value, T new_value); \
    extern T bupc_atomic##code##_fetchadd_##order(shared void *ptr, T value);
#define UPCR_ATOMIC_BITS(T, code, order)                                           \
    extern T bupc_atomic##code##_mswap_##order(shared void *ptr, T mask, T value); \
    extern T bupc_atomic##code##_fetchand_##order(shared void *ptr, T value);      \
    extern T bupc_atomic##code##_fetchor_##order(shared void *ptr, T value);       \
    extern T bupc_atomic##code##_fetchxor_##order(shared void *ptr, T value);      \
    extern T bupc_atomic##code##_fetchnot_##order(shared void *ptr);
#define UPCR_ATOMIC_FLOATING(T, code)    UPCR_ATOMIC_ACCESS(T, code, relaxed) UPCR_ATOMIC_ACCESS(T, code, strict)
#define UPCR_ATOMIC_INTEGER(T, code)     UPCR_ATOMIC_FLOATING(T, code) UPCR_ATOMIC_BITS(T, code, relaxed) UPCR_ATOMIC_BITS(T, code, strict)
#define UPCR_ATOMIC(code, T, cell, kind) UPCR_ATOMIC_##kind(T, code)
#include "upcr/bupc_types.h"
UPCR_BUPC_TYPES(UPCR_ATOMIC)
#undef UPCR_ATOMIC_ACCESS
#undef UPCR_ATOMIC_BITS
#undef UPCR_ATOMIC
#undef UPCR_ATOMIC_INTEGER
#undef UPCR_ATOMIC_FLOATING

#endif

/* The name may be defined between two inclusions. */
#ifdef BUPC_USE_UPC_NAMESPACE
#include "upcr/bupc_namespace.h"
#endif
