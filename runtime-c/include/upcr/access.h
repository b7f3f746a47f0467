/* Reads and writes of shared objects. In every macro T is a complete, unqualified object type other than an array; p and v are evaluated
   once. */
#ifndef UPCR_ACCESS_H
#define UPCR_ACCESS_H

#include "upcr/base.h"
#ifdef UPCR_REMOTE
#include "upcr/remote.h"
#endif

/* The value of a statement expression of type T, with all of its bytes. gcc splits a structure that is only copied into its members, and loses
   the padding between them. It does not split one in a union with a volatile member, and the memory accesses are then no slower. Scalars have
   no padding. */
#define UPCR_WHOLE_(T)                                                                                     \
    union {                                                                                                \
        __typeof__(T) upcr_v_;                                                                             \
        __typeof__(*__builtin_choose_expr(UPCR_IS_RECORD_(T), (volatile char *)0, (char *)0)) upcr_apart_; \
    }
#define UPCR_IS_RECORD_(T) (__builtin_classify_type(*(__typeof__(T) *)0) >= 12)

/* A write of the structure v whose value is used, with all of its bytes: `access` is a macro below that writes upcr_kept. */
#define UPCR_KEPT(T, v, access)                        \
    (__extension__({                                   \
         UPCR_WHOLE_(T) upcr_kept_ = {.upcr_v_ = (v)}; \
         (void)access;                                 \
         upcr_kept_;                                   \
     }).upcr_v_)
#define upcr_kept upcr_kept_.upcr_v_

/* An access to a place that may lack the alignment of T: a macro below, with the type upcr_unaligned. The second is for reads other than
   of bit-fields. */
#define UPCR_UNALIGNED(T, access) \
    __extension__({               \
        UPCR_UNALIGNED_(T);       \
        access;                   \
    })
#define UPCR_UNALIGNED_GET(T, access)         \
    (__extension__({                          \
         UPCR_UNALIGNED_(T);                  \
         (UPCR_WHOLE_(T)){.upcr_v_ = access}; \
     }).upcr_v_)
#define UPCR_UNALIGNED_(T) typedef __typeof__(T) upcr_unaligned __attribute__((__aligned__(1)))

UPCR_INLINE void upcr_compiler_barrier(void)
{
    __asm__ __volatile__("" : : : "memory");
}

/* Every earlier access of this thread is performed before any later one. A locked instruction on the stack is the
   fastest full barrier of x86; mfence is several times slower. */
UPCR_INLINE void upcr_full_fence(void)
{
#ifdef __x86_64__
    __asm__ __volatile__("lock; or{l $0, -4(%%rsp)| dword ptr [rsp - 4], 0}" : : : "memory", "cc");
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* After a strict read: later accesses stay after it. x86 never moves them before a load. */
UPCR_INLINE void upcr_after_strict_read(void)
{
#ifdef __x86_64__
    upcr_compiler_barrier();
#else
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
}

/* Before a strict write: earlier accesses stay before it. x86 never moves them after a store. On other processors a release would order them,
   but not all strict accesses (docs/memory-model.md), so a full fence is between any two of those. */
UPCR_INLINE void upcr_before_strict_write(void)
{
#ifdef __x86_64__
    upcr_compiler_barrier();
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* Every earlier access of this thread to memory that is not mapped is performed. This is one half of the null strict access;
   upcr_full_fence is the other. */
UPCR_INLINE void upcr_settle(void)
{
#ifdef UPCR_REMOTE
    if (__builtin_expect(upcr_pending != 0, 0))
        upcr_remote_fence();
#endif
}

/* upc_fence: the null strict access. */
UPCR_INLINE void upcr_fence(void)
{
    upcr_settle();
    upcr_full_fence();
}

/* Whether loads and stores can access the target: as a rule they can. */
UPCR_INLINE int upcr_is_mapped(upcr_pts_t p)
{
    return __builtin_expect(upcr_mapped(upcr_threadof(p)), 1);
}

/* Whether m bytes at p and n bytes at q, each of one thread, have no byte in common. */
UPCR_INLINE int upcr_apart(upcr_pts_t p, upcr_size m, upcr_pts_t q, upcr_size n)
{
    upcr_size from = upcr_addrfield(p), other = upcr_addrfield(q);
    return upcr_threadof(p) != upcr_threadof(q) || from + m <= other || other + n <= from;
}

UPCR_INLINE void *upcr_local_nn(upcr_pts_t p)
{
    return upcr_addr(p);
}

/* The beginning of the part of the calling thread, `mythread`, of the array that begins at `first`, on thread 0. */
UPCR_INLINE void *upcr_own(upcr_pts_t first, int mythread)
{
    return upcr_addr0(upcr_make((upcr_size)mythread, 0, upcr_addrfield(first)));
}

UPCR_INLINE void *upcr_local(upcr_pts_t p)
{
    return upcr_is_null(p) ? (void *)0 : upcr_addr(p);
}

/* The address that lies `blocks` blocks of `bytes` bytes behind a mapped one, at the same place of its block. `at` and the result are in an
   array, or in front of or behind one. Called with the same blocks and bytes in each iteration of a loop, of which only the addition and
   the comparison remain in the loop. */
UPCR_INLINE void *upcr_walk(void *at, upcr_diff blocks, upcr_size bytes)
{
    upcr_u64 forward = (upcr_u64)(blocks < 0 ? -blocks : blocks);
    upcr_u64 rounds = upcr_div_threads(forward), threads = forward - rounds * (upcr_u64)UPCR_THREADS;
    upcr_u64 step = threads * UPCR_SEGMENT_STRIDE + rounds * bytes;
    upcr_u64 all = (upcr_u64)UPCR_THREADS * UPCR_SEGMENT_STRIDE;
    upcr_u64 from = (upcr_u64)((char *)at - upcr_segment_base);
    upcr_u64 to = blocks < 0 ? from - step : from + step;
    /* Below thread 0, `to` has wrapped around, to more than any address of a segment. */
    if (blocks < 0)
        to += to >= all ? all - bytes : 0;
    else
        to -= to >= all ? all - bytes : 0;
    return upcr_segment_base + to;
}

/* After a strict read, where races are detected: the read has its value. */
#ifndef UPCR_RACES
#define UPCR_STRICT_READ_DONE() ((void)0)
#endif

#ifdef UPCR_REMOTE
#include "upcr/access_remote.h"
#else

/* The mapped address of a T at p, for a read or a write; checks.h has other forms for checked units. Those for strict accesses, and for
   bit-field f of the S at p, differ only where races are detected (races.h). */
#ifndef UPCR_CHECKS
#define UPCR_READ_AT(T, p)   upcr_addr(p)
#define UPCR_READ_AT0(T, p)  upcr_addr0(p)
#define UPCR_WRITE_AT(T, p)  upcr_addr(p)
#define UPCR_WRITE_AT0(T, p) upcr_addr0(p)
#endif
#ifndef UPCR_RACES
#define UPCR_STRICT_READ_AT                UPCR_READ_AT
#define UPCR_STRICT_WRITE_AT               UPCR_WRITE_AT
#define UPCR_READ_BITS_AT(S, f, p)         UPCR_READ_AT(S, p)
#define UPCR_WRITE_BITS_AT(S, f, p)        UPCR_WRITE_AT(S, p)
#define UPCR_STRICT_READ_BITS_AT(S, f, p)  UPCR_READ_AT(S, p)
#define UPCR_STRICT_WRITE_BITS_AT(S, f, p) UPCR_WRITE_AT(S, p)
#endif

/* upc_memget, upc_memput and upc_memcpy of n bytes, a small constant. */
UPCR_INLINE void upcr_small_get(void *dst, upcr_pts_t src, upcr_size n)
{
    __builtin_memcpy(dst, upcr_addr(src), n);
}

UPCR_INLINE void upcr_small_put(upcr_pts_t dst, const void *src, upcr_size n)
{
    __builtin_memcpy(upcr_addr(dst), src, n);
}

UPCR_INLINE void upcr_small_copy(upcr_pts_t dst, upcr_pts_t src, upcr_size n)
{
    __builtin_memmove(upcr_addr(dst), upcr_addr(src), n);
}

/* Relaxed. The forms with 0 are for a p whose phase is known to be zero: one with block size 1 or indefinite. */
#define UPCR_GET(T, p)     (*(__typeof__(T) *)UPCR_READ_AT(T, p))
#define UPCR_GET0(T, p)    (*(__typeof__(T) *)UPCR_READ_AT0(T, p))
#define UPCR_PUT(T, p, v)  (*(__typeof__(T) *)UPCR_WRITE_AT(T, p) = (v))
#define UPCR_PUT0(T, p, v) (*(__typeof__(T) *)UPCR_WRITE_AT0(T, p) = (v))

/* Strict. An aligned scalar of up to 8 bytes is one volatile access. Anything larger is copied between the fences,
   because the memory model orders the whole access but does not require it to be indivisible. A strict read needs a
   full fence before it, because it must not overtake an earlier relaxed write. */
#define UPCR_GET_STRICT(T, p)                                                                   \
    (__extension__({                                                                            \
         const volatile __typeof__(T) *upcr_at_ = upcr_strict_place(UPCR_STRICT_READ_AT(T, p)); \
         UPCR_WHOLE_(T) upcr_value_ = {.upcr_v_ = *upcr_at_};                                   \
         upcr_after_strict_read();                                                              \
         UPCR_STRICT_READ_DONE();                                                               \
         upcr_value_;                                                                           \
     }).upcr_v_)
/* A strict read before which no write of this thread is pending. x86 performs loads in order; other processors need the fence between any two
   strict accesses. */
#ifdef __x86_64__
#define UPCR_GET_SETTLED(T, p)                                               \
    (__extension__({                                                         \
         const volatile __typeof__(T) *upcr_at_ = UPCR_STRICT_READ_AT(T, p); \
         upcr_compiler_barrier();                                            \
         UPCR_WHOLE_(T) upcr_value_ = {.upcr_v_ = *upcr_at_};                \
         upcr_after_strict_read();                                           \
         UPCR_STRICT_READ_DONE();                                            \
         upcr_value_;                                                        \
     }).upcr_v_)
#else
#define UPCR_GET_SETTLED(T, p) UPCR_GET_STRICT(T, p)
#endif
#define UPCR_PUT_STRICT(T, p, v)                                       \
    __extension__({                                                    \
        volatile __typeof__(T) *upcr_at_ = UPCR_STRICT_WRITE_AT(T, p); \
        UPCR_WHOLE_(T) upcr_value_ = {.upcr_v_ = (v)};                 \
        upcr_before_strict_write();                                    \
        *upcr_at_ = upcr_value_.upcr_v_;                               \
        upcr_full_fence();                                             \
        upcr_value_.upcr_v_;                                           \
    })

/* Bit-field f of the S at p. */
#define UPCR_GET_BITS(S, f, p)    (((__typeof__(S) *)UPCR_READ_BITS_AT(S, f, p))->f)
#define UPCR_PUT_BITS(S, f, p, v) (((__typeof__(S) *)UPCR_WRITE_BITS_AT(S, f, p))->f = (v))
#define UPCR_GET_BITS_STRICT(S, f, p)                                                   \
    __extension__({                                                                     \
        __typeof__(S) *upcr_at_ = upcr_strict_place(UPCR_STRICT_READ_BITS_AT(S, f, p)); \
        __typeof__(upcr_at_->f + 0) upcr_value_ = upcr_at_->f;                          \
        upcr_after_strict_read();                                                       \
        UPCR_STRICT_READ_DONE();                                                        \
        upcr_value_;                                                                    \
    })
#define UPCR_PUT_BITS_STRICT(S, f, p, v)                              \
    __extension__({                                                   \
        __typeof__(S) *upcr_at_ = UPCR_STRICT_WRITE_BITS_AT(S, f, p); \
        __typeof__(upcr_at_->f + 0) upcr_value_;                      \
        upcr_before_strict_write();                                   \
        upcr_value_ = (upcr_at_->f = (v));                            \
        upcr_full_fence();                                            \
        upcr_value_;                                                  \
    })

/* Evaluates the address for a strict read, and then makes all earlier accesses visible. */
UPCR_INLINE void *upcr_strict_place(void *at)
{
    upcr_full_fence();
    return at;
}

#endif /* UPCR_REMOTE */

#endif
