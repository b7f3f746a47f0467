/* Division for pointer-to-shared arithmetic: rounding towards negative infinity, with a nonnegative remainder
   (language section, "Pointer-to-shared arithmetic"), and fast if the divisor is known. */
#ifndef UPCR_DIVIDE_H
#define UPCR_DIVIDE_H

#include "upcr/base.h"

#define UPCR_IS_POWER_OF_TWO(n) (((n) & ((n)-1)) == 0)

/* n / THREADS. With a dynamic thread count: the high half of a multiplication by the rounded-down reciprocal is the
   quotient or one less, and a comparison decides; several times faster than a 64-bit division. */
UPCR_INLINE upcr_u64 upcr_div_threads(upcr_u64 n)
{
#if defined(UPCR_STATIC_THREADS) || !defined(__SIZEOF_INT128__)
    return n / (upcr_u64)UPCR_THREADS;
#else
    __extension__ typedef unsigned __int128 upcr_u128;
    upcr_u64 quotient = (upcr_u64)(((upcr_u128)n * upcr_threads_reciprocal) >> 64);
    upcr_u64 rest = n - quotient * (upcr_u64)UPCR_THREADS;
    /* A block whose number is known to be 0 is known to be thread 0's only if there is a thread. */
    if (UPCR_THREADS < 1)
        __builtin_unreachable();
    return quotient + (rest >= (upcr_u64)UPCR_THREADS);
#endif
}

/* floor(n / THREADS). For n < 0 this is ~(~n / THREADS), so one unsigned division serves both signs. */
UPCR_INLINE upcr_i64 upcr_floor_threads(upcr_i64 n)
{
#ifdef UPCR_STATIC_THREADS
    if (UPCR_IS_POWER_OF_TWO(UPCR_STATIC_THREADS))
        return n >> __builtin_ctzll(UPCR_STATIC_THREADS);
#endif
    {
        upcr_u64 sign = (upcr_u64)(n >> 63);
        return (upcr_i64)(upcr_div_threads((upcr_u64)n ^ sign) ^ sign);
    }
}

/* floor(n / d) for d > 0. */
UPCR_INLINE upcr_i64 upcr_floor_div(upcr_i64 n, upcr_u64 d)
{
    if (__builtin_constant_p(UPCR_IS_POWER_OF_TWO(d)) && UPCR_IS_POWER_OF_TWO(d))
        return n >> __builtin_ctzll(d);
    {
        upcr_u64 sign = (upcr_u64)(n >> 63);
        return (upcr_i64)((((upcr_u64)n ^ sign) / d) ^ sign);
    }
}

/* Returns the distance from n to the next number that equals MYTHREAD modulo THREADS: the first iteration of an upc_forall that
   this thread owns. */
UPCR_INLINE upcr_diff upcr_forall_skip(upcr_i64 n)
{
    upcr_i64 distance = UPCR_MYTHREAD - n;
    return (upcr_diff)(distance - upcr_floor_threads(distance) * UPCR_THREADS);
}

/* Finds the element that is `elements` after one with this thread and phase: its thread, its phase, and the difference between the
   two elements' addresses, in elements. */
typedef struct {
    upcr_u64 thread;
    upcr_u64 phase;
    upcr_i64 local;
} upcr_step;

/* Block size 1: the phase is always zero. */
UPCR_INLINE upcr_step upcr_step_cyclic(upcr_u64 thread, upcr_i64 n)
{
    upcr_step to;
    to.phase = 0;
    if (__builtin_constant_p(n == 1) && n == 1) {
        int wraps = thread + 1 == (upcr_u64)UPCR_THREADS;
        to.thread = wraps ? 0 : thread + 1;
        to.local = wraps;
    } else if (__builtin_constant_p(n == -1) && n == -1) {
        int wraps = thread == 0;
        to.thread = wraps ? (upcr_u64)UPCR_THREADS - 1 : thread - 1;
        to.local = -wraps;
    } else if (__builtin_constant_p(n == UPCR_THREADS) && n == UPCR_THREADS) {
        to.thread = thread;
        to.local = 1;
    } else {
        upcr_i64 reached = (upcr_i64)thread + n;
        to.local = upcr_floor_threads(reached);
        to.thread = (upcr_u64)reached - (upcr_u64)to.local * (upcr_u64)UPCR_THREADS;
    }
    return to;
}

/* Block size >= 2. */
UPCR_INLINE upcr_step upcr_step_blocked(upcr_u64 thread, upcr_u64 phase, upcr_i64 n, upcr_u64 block)
{
    upcr_step to;
    if (__builtin_constant_p(n == 1) && n == 1 && phase + 1 < block) {
        to.thread = thread;
        to.phase = phase + 1;
        to.local = 1;
    } else {
        upcr_i64 reached = (upcr_i64)phase + n;
        upcr_i64 blocks = upcr_floor_div(reached, block);
        to = upcr_step_cyclic(thread, blocks);
        to.phase = (upcr_u64)reached - (upcr_u64)blocks * block;
        to.local = (upcr_i64)((upcr_u64)to.local * block + to.phase - phase);
    }
    return to;
}

/* Element n >= 0 of an array that starts at thread 0, phase 0: only unsigned divisions. */
UPCR_INLINE upcr_step upcr_step_element1(upcr_u64 n)
{
    upcr_step to;
    upcr_u64 round = upcr_div_threads(n);
    to.thread = n - round * (upcr_u64)UPCR_THREADS;
    to.phase = 0;
    to.local = (upcr_i64)round;
    return to;
}

UPCR_INLINE upcr_step upcr_step_element(upcr_u64 n, upcr_u64 block)
{
    upcr_u64 whole = n / block;
    upcr_step to = upcr_step_element1(whole);
    to.phase = n - whole * block;
    to.local = (upcr_i64)((upcr_u64)to.local * block + to.phase);
    return to;
}

/* The inverse, for block size `block` >= 1: returns the number of elements between two places. `bytes` is the difference of
   their addresses, `threads` and `phases` are those of their threads and phases. The local distance minus the phases is a
   number of whole blocks, each of which counts for THREADS blocks of the array. */
UPCR_INLINE upcr_diff upcr_elements_between(upcr_i64 bytes, upcr_i64 threads, upcr_i64 phases, upcr_size size, upcr_size block)
{
    upcr_i64 local = bytes / (upcr_i64)size;
    return (upcr_diff)((local - phases) * UPCR_THREADS + threads * (upcr_i64)block + phases);
}

#endif
