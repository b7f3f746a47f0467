/* Pointer-to-shared in 128 bits, for more threads, larger blocks or more memory than the packed form can name. */
#ifndef UPCR_PTS_STRUCT_H
#define UPCR_PTS_STRUCT_H

#include "upcr/base.h"
#include "upcr/divide.h"

/* What an object file records about its pointers, see UPCR_PROGRAM_THREADS. */
#define UPCR_PTS_LAYOUT 0xffff
#define UPCR_PTS_TEXT   "struct"

/* The distance between the mapped segments of neighbouring threads in bytes, which depends on the segment size; see pts_packed.h. */
#define UPCR_SEGMENT_STRIDE upcr_segment_stride
#define UPCR_SEGMENT_SKEW   ((upcr_u64)(5 * 65536))
#define UPCR_MAX_THREADS    (1 << 20)

typedef struct {
    upcr_u64 addr;
    upcr_u32 thread;
    upcr_u32 phase;
} upcr_pts_t;

#define UPCR_NULL ((upcr_pts_t){0, 0, 0})

UPCR_INLINE upcr_pts_t upcr_make(upcr_size thread, upcr_size phase, upcr_size addr)
{
    upcr_pts_t p;
    p.addr = addr;
    p.thread = (upcr_u32)thread;
    p.phase = (upcr_u32)phase;
    return p;
}

UPCR_INLINE int upcr_is_null(upcr_pts_t p)
{
    return p.addr == 0 && p.thread == 0 && p.phase == 0;
}

UPCR_INLINE int upcr_eq(upcr_pts_t p, upcr_pts_t q)
{
    return p.addr == q.addr && p.thread == q.thread;
}

UPCR_INLINE upcr_size upcr_threadof(upcr_pts_t p)
{
    return p.thread;
}

UPCR_INLINE upcr_size upcr_phaseof(upcr_pts_t p)
{
    return p.phase;
}

UPCR_INLINE upcr_size upcr_addrfield(upcr_pts_t p)
{
    return p.addr;
}

UPCR_INLINE upcr_pts_t upcr_resetphase(upcr_pts_t p)
{
    p.phase = 0;
    return p;
}

/* Returns the mapped address of the object that p points to; p may have any phase. */
UPCR_INLINE void *upcr_addr(upcr_pts_t p)
{
    return upcr_segment_base + (p.thread * UPCR_SEGMENT_STRIDE + p.addr);
}

UPCR_INLINE void *upcr_addr0(upcr_pts_t p)
{
    return upcr_addr(p);
}

UPCR_INLINE upcr_pts_t upcr_field(upcr_pts_t p, upcr_size bytes)
{
    return upcr_make(p.thread, 0, p.addr + bytes);
}

UPCR_INLINE upcr_pts_t upcr_add0(upcr_pts_t p, upcr_diff bytes)
{
    p.addr += (upcr_u64)bytes;
    return p;
}

UPCR_INLINE upcr_pts_t upcr_add1(upcr_pts_t p, upcr_diff n, upcr_size size)
{
    upcr_step to = upcr_step_cyclic(p.thread, n);
    return upcr_make(to.thread, 0, p.addr + (upcr_u64)to.local * size);
}

UPCR_INLINE upcr_pts_t upcr_addb(upcr_pts_t p, upcr_diff n, upcr_size size, upcr_size block)
{
    upcr_step to = upcr_step_blocked(p.thread, p.phase, n, block);
    return upcr_make(to.thread, to.phase, p.addr + (upcr_u64)to.local * size);
}

UPCR_INLINE upcr_pts_t upcr_at1(upcr_pts_t p, upcr_diff n, upcr_size size)
{
    upcr_step to = upcr_step_element1((upcr_u64)n);
    return upcr_make(to.thread, 0, p.addr + (upcr_u64)to.local * size);
}

UPCR_INLINE upcr_pts_t upcr_atb(upcr_pts_t p, upcr_diff n, upcr_size size, upcr_size block)
{
    upcr_step to = upcr_step_element((upcr_u64)n, block);
    return upcr_make(to.thread, to.phase, p.addr + (upcr_u64)to.local * size);
}

/* The same without the phase: all that UPCR_GET0, UPCR_PUT0 and upcr_local need. */
UPCR_INLINE upcr_pts_t upcr_atb0(upcr_pts_t p, upcr_diff n, upcr_size size, upcr_size block)
{
    return upcr_resetphase(upcr_atb(p, n, size, block));
}

/* The same in an array of at most one block for each thread: the block is the thread. */
UPCR_INLINE upcr_pts_t upcr_at_block(upcr_pts_t p, upcr_diff n, upcr_size size, upcr_size block)
{
    upcr_u64 thread = (upcr_u64)n / block;
    return upcr_make(thread, 0, p.addr + ((upcr_u64)n - thread * block) * size);
}

/* Pointers of this form have no place for an address in a linear image. */
UPCR_INLINE upcr_pts_t upcr_at_linear(upcr_pts_t p, upcr_diff n, upcr_size size, upcr_size block)
{
    return upcr_at_block(p, n, size, block);
}

UPCR_INLINE upcr_diff upcr_diff0(upcr_pts_t p, upcr_pts_t q)
{
    return (upcr_diff)(p.addr - q.addr);
}

UPCR_INLINE upcr_diff upcr_diff1(upcr_pts_t p, upcr_pts_t q, upcr_size size)
{
    return upcr_elements_between((upcr_i64)(p.addr - q.addr), (upcr_i64)p.thread - (upcr_i64)q.thread, 0, size, 1);
}

UPCR_INLINE upcr_diff upcr_diffb(upcr_pts_t p, upcr_pts_t q, upcr_size size, upcr_size block)
{
    return upcr_elements_between((upcr_i64)(p.addr - q.addr), (upcr_i64)p.thread - (upcr_i64)q.thread, (upcr_i64)p.phase - (upcr_i64)q.phase, size, block);
}

#endif
