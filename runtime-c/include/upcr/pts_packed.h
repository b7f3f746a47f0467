/* Pointer-to-shared in 64 bits: the phase at the top, and below it the *place*, which is the distance of the object's mapped address from
   that of thread 0's segment: thread * UPCR_SEGMENT_STRIDE + address. So "segment base + place" is the mapped address, whichever thread the
   object has affinity to, and the bits above UPCR_ADDR_BITS of a place are the thread. */
#ifndef UPCR_PTS_PACKED_H
#define UPCR_PTS_PACKED_H

#include "upcr/base.h"
#include "upcr/divide.h"

#ifndef UPCR_PHASE_BITS
#define UPCR_PHASE_BITS 20
#endif
#ifndef UPCR_THREAD_BITS
#define UPCR_THREAD_BITS 10
#endif
#define UPCR_ADDR_BITS (64 - UPCR_PHASE_BITS - UPCR_THREAD_BITS)
#if UPCR_PHASE_BITS < 1 || UPCR_THREAD_BITS < 1 || UPCR_ADDR_BITS < 20
#error "packed pointers-to-shared need at least 1 bit of phase, 1 of thread and 20 of address"
#endif

/* Bits of a place. */
#define UPCR_PLACE_BITS  (UPCR_THREAD_BITS + UPCR_ADDR_BITS)
#define UPCR_PLACE_MASK  (((upcr_u64)1 << UPCR_PLACE_BITS) - 1)
#define UPCR_ADDR_MASK   (((upcr_u64)1 << UPCR_ADDR_BITS) - 1)
#define UPCR_THREAD_MASK (((upcr_u64)1 << UPCR_THREAD_BITS) - 1)

/* What an object file records about its pointers, see UPCR_PROGRAM_THREADS. */
#define UPCR_PTS_LAYOUT  (UPCR_PHASE_BITS << 8 | UPCR_THREAD_BITS)
#define UPCR_PTS_TEXT    "packed:" UPCR_STRING(UPCR_PHASE_BITS) "," UPCR_STRING(UPCR_THREAD_BITS)
#define UPCR_MAX_THREADS (1 << UPCR_THREAD_BITS)

/* The distance between the mapped segments of neighbouring threads in bytes. It is more than a power of two where that takes few addresses:
   some processors select a way of their first-level cache by bits 12 to 27 of an address, and keep only one of two lines that have them in
   common. Loops that access one address of several threads would miss that cache. Five units of 64 KB, the largest page, and not one: then
   arrays whose sizes are powers of two do not meet the next thread's either. */
#define UPCR_SEGMENT_SKEW   ((upcr_u64)(UPCR_ADDR_BITS >= UPCR_THREAD_BITS + 22 ? 5 * 65536 : 0))
#define UPCR_SEGMENT_STRIDE (((upcr_u64)1 << UPCR_ADDR_BITS) + UPCR_SEGMENT_SKEW)
/* The most bytes of a segment in a job of `threads` threads: the thread of each place is then the bits above UPCR_ADDR_BITS. */
#define UPCR_SEGMENT_LIMIT(threads) (((upcr_u64)1 << UPCR_ADDR_BITS) - UPCR_SEGMENT_SKEW * (upcr_u64)(threads))

typedef upcr_u64 upcr_pts_t;

#define UPCR_NULL ((upcr_pts_t)0)

UPCR_INLINE int upcr_is_null(upcr_pts_t p)
{
    return p == 0;
}

UPCR_INLINE int upcr_eq(upcr_pts_t p, upcr_pts_t q)
{
    return (p ^ q) << UPCR_PHASE_BITS == 0;
}

UPCR_INLINE upcr_size upcr_threadof(upcr_pts_t p)
{
    return (upcr_size)((p >> UPCR_ADDR_BITS) & UPCR_THREAD_MASK);
}

UPCR_INLINE upcr_size upcr_phaseof(upcr_pts_t p)
{
    return (upcr_size)(p >> UPCR_PLACE_BITS);
}

UPCR_INLINE upcr_size upcr_addrfield(upcr_pts_t p)
{
    return (upcr_size)((p - upcr_threadof(p) * UPCR_SEGMENT_SKEW) & UPCR_ADDR_MASK);
}

UPCR_INLINE upcr_pts_t upcr_make(upcr_size thread, upcr_size phase, upcr_size addr)
{
    return (upcr_u64)phase << UPCR_PLACE_BITS | ((upcr_u64)thread * UPCR_SEGMENT_STRIDE + (upcr_u64)addr);
}

UPCR_INLINE upcr_pts_t upcr_resetphase(upcr_pts_t p)
{
    return p & UPCR_PLACE_MASK;
}

/* Returns the mapped address of the object that p points to; p may have any phase. */
UPCR_INLINE void *upcr_addr(upcr_pts_t p)
{
    return upcr_segment_base + (p & UPCR_PLACE_MASK);
}

/* The same for a p whose phase is known to be zero (block size 1 or indefinite): no bit is masked. */
UPCR_INLINE void *upcr_addr0(upcr_pts_t p)
{
    return upcr_segment_base + p;
}

UPCR_INLINE upcr_pts_t upcr_field(upcr_pts_t p, upcr_size bytes)
{
    return (p & UPCR_PLACE_MASK) + bytes;
}

UPCR_INLINE upcr_pts_t upcr_add0(upcr_pts_t p, upcr_diff bytes)
{
    return p + (upcr_u64)bytes;
}

/* Sums below are taken modulo 2^64 and their final value fits every field, so a field's decrease may borrow from its
   neighbour on the way. */
UPCR_INLINE upcr_pts_t upcr_add1(upcr_pts_t p, upcr_diff n, upcr_size size)
{
    upcr_u64 thread = p >> UPCR_ADDR_BITS;
    upcr_step to = upcr_step_cyclic(thread, n);
    return p + (to.thread - thread) * UPCR_SEGMENT_STRIDE + (upcr_u64)to.local * size;
}

UPCR_INLINE upcr_pts_t upcr_addb(upcr_pts_t p, upcr_diff n, upcr_size size, upcr_size block)
{
    upcr_u64 thread = upcr_threadof(p), phase = upcr_phaseof(p);
    upcr_step to = upcr_step_blocked(thread, phase, n, block);
    return p + ((to.phase - phase) << UPCR_PLACE_BITS) + (to.thread - thread) * UPCR_SEGMENT_STRIDE + (upcr_u64)to.local * size;
}

UPCR_INLINE upcr_pts_t upcr_at1(upcr_pts_t p, upcr_diff n, upcr_size size)
{
    upcr_step to = upcr_step_element1((upcr_u64)n);
    return p + to.thread * UPCR_SEGMENT_STRIDE + (upcr_u64)to.local * size;
}

/* The phase is combined by OR, so that the optimiser sees that masking it off again leaves the rest unchanged. */
UPCR_INLINE upcr_pts_t upcr_atb(upcr_pts_t p, upcr_diff n, upcr_size size, upcr_size block)
{
    upcr_step to = upcr_step_element((upcr_u64)n, block);
    return (p + to.thread * UPCR_SEGMENT_STRIDE + (upcr_u64)to.local * size) | to.phase << UPCR_PLACE_BITS;
}

/* The same without the phase: all that UPCR_GET0, UPCR_PUT0 and upcr_local need. */
UPCR_INLINE upcr_pts_t upcr_atb0(upcr_pts_t p, upcr_diff n, upcr_size size, upcr_size block)
{
    upcr_step to = upcr_step_element((upcr_u64)n, block);
    return p + to.thread * UPCR_SEGMENT_STRIDE + (upcr_u64)to.local * size;
}

/* The same in an array of at most one block for each thread: the block is the thread. For few threads, comparisons find it sooner than a
   division, and later loads wait for the address of a store. Where memory is mapped, the two addresses are loop invariants, and gcc selects
   one without a jump (the driver passes -fno-split-paths). */
UPCR_INLINE upcr_pts_t upcr_at_block(upcr_pts_t p, upcr_diff n, upcr_size size, upcr_size block)
{
    upcr_u64 element = (upcr_u64)n;
    upcr_u64 next = UPCR_SEGMENT_STRIDE - block * size, at;
    if (UPCR_THREADS > 4 || (UPCR_THREADS > 2 && UPCR_IS_POWER_OF_TWO(block))) {
        upcr_u64 thread = element / block;
        return p + thread * UPCR_SEGMENT_STRIDE + (element - thread * block) * size;
    }
#ifndef UPCR_REMOTE
    if (UPCR_THREADS <= 2) {
        char *first = upcr_segment_base + p, *second = upcr_segment_base + (p + next);
        return (upcr_u64)((element >= block ? second : first) + element * size - upcr_segment_base);
    }
#endif
    /* A comparison with "less" is a mask after one instruction. */
    at = p + next + element * size - (-(upcr_u64)(element < block) & next);
    if (UPCR_THREADS > 2)
        at += (-(upcr_u64)(element >= 2 * block) & next) + (-(upcr_u64)(element >= 3 * block) & next);
    return at;
}

/* The same by the linear image of an array that has one if any array has: an operand for UPCR_GET0 and UPCR_PUT0 only, of which upcr_addr0
   makes the address. */
UPCR_INLINE upcr_pts_t upcr_at_linear(upcr_pts_t p, upcr_diff n, upcr_size size, upcr_size block)
{
#ifndef UPCR_REMOTE
    if (__builtin_expect(upcr_linear != 0, 1))
        return p * (upcr_u64)UPCR_THREADS + upcr_linear + (upcr_u64)n * size;
#endif
    return upcr_at_block(p, n, size, block);
}

UPCR_INLINE upcr_diff upcr_diff0(upcr_pts_t p, upcr_pts_t q)
{
    return (upcr_diff)(p - q);
}

/* The difference of two addresses, from the places and the difference of the threads. */
UPCR_INLINE upcr_i64 upcr_bytes_between(upcr_pts_t p, upcr_pts_t q, upcr_i64 threads)
{
    return (upcr_i64)((p & UPCR_PLACE_MASK) - (q & UPCR_PLACE_MASK) - (upcr_u64)threads * UPCR_SEGMENT_STRIDE);
}

UPCR_INLINE upcr_diff upcr_diff1(upcr_pts_t p, upcr_pts_t q, upcr_size size)
{
    upcr_i64 threads = (upcr_i64)upcr_threadof(p) - (upcr_i64)upcr_threadof(q);
    return upcr_elements_between(upcr_bytes_between(p, q, threads), threads, 0, size, 1);
}

UPCR_INLINE upcr_diff upcr_diffb(upcr_pts_t p, upcr_pts_t q, upcr_size size, upcr_size block)
{
    upcr_i64 threads = (upcr_i64)upcr_threadof(p) - (upcr_i64)upcr_threadof(q), phases = (upcr_i64)upcr_phaseof(p) - (upcr_i64)upcr_phaseof(q);
    return upcr_elements_between(upcr_bytes_between(p, q, threads), threads, phases, size, block);
}

#endif
