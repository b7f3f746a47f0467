/* Library calls in instrumented units: upcr_inst_NAME calls NAME between the start and the end of its event. Inline, so that the library
   function still sees the user's own line as its caller. src/events/calls.rs lists the functions.

   They are called by names of our own, upcr_call_NAME: the user's text, which comes later, declares them as it likes. */
#ifndef UPCR_INST_CALLS_H
#define UPCR_INST_CALLS_H

#include "upcr/bupc_types.h"

#define UPCR_ALIAS_(result, name, parameters) extern result upcr_call_##name parameters __asm__(#name)

/* A call without a result, then the event and its arguments. */
#define UPCR_AROUND_(call, ...)                                                                                                        \
    do {                                                                                                                               \
        if (upcr_inst_on)                                                                                                              \
            upcr_inst_start(site, __VA_ARGS__);                                                                                        \
        call;                                                                                                                          \
        if (upcr_inst_on)                                                                                                              \
            upcr_inst_end(site, __VA_ARGS__);                                                                                          \
    } while (0)
/* The same for a call whose result is an argument of the end, behind the arguments of the start. last: "&" where the event has its address. */
#define UPCR_RESULT_(type, call, last, ...)                                                                                            \
    do {                                                                                                                               \
        type upcr_result_;                                                                                                             \
        if (upcr_inst_on)                                                                                                              \
            upcr_inst_start(site, __VA_ARGS__);                                                                                        \
        upcr_result_ = call;                                                                                                           \
        if (upcr_inst_on)                                                                                                              \
            upcr_inst_end(site, __VA_ARGS__, last upcr_result_);                                                                       \
        return upcr_result_;                                                                                                           \
    } while (0)

/* What the measurement wants counted of the calls of a place, to the objects of one thread, of so many bytes each: `get` counts them, `put` is the bytes.
   NULL: this one is reported, or no tool listens. */
UPCR_INLINE struct upcr_skip_counts *upcr_inst_skip_call(const upcr_site *site, upcr_pts_t p, upcr_size bytes)
{
    if (!upcr_inst_on)
        return (struct upcr_skip_counts *)0;
    struct upcr_skip_counts *skip_index = upcr_inst_counts(site, upcr_threadof(p));
    return skip_index && skip_index->get != 0 && skip_index->put == bytes ? skip_index : (struct upcr_skip_counts *)0;
}
/* In front of UPCR_AROUND_: the call, where it is counted. */
#define UPCR_COUNTED_ONLY_(call, p, bytes)                                                                                             \
    do {                                                                                                                               \
        struct upcr_skip_counts *upcr_skip_counts_ = upcr_inst_skip_call(site, p, bytes);                                              \
        if (upcr_skip_counts_) {                                                                                                       \
            upcr_skip_counts_->get--;                                                                                                  \
            call;                                                                                                                      \
            return;                                                                                                                    \
        }                                                                                                                              \
    } while (0)

/* ---- The C library's heap ------------------------------------------------------------------------------------------ */

UPCR_ALIAS_(void *, realloc, (void *, upcr_size));
UPCR_ALIAS_(void, free, (void *));

/* Allocations are builtins, and reported out of line by functions with malloc's attributes: the C compiler knows of the memory what it knows of malloc's,
   that nothing else points at it. */
extern void *upcr_inst_reported_malloc(upcr_site *site, upcr_size n) UPCR_HIDDEN UPCR_RARE_ __attribute__((__malloc__, __alloc_size__(2)));
extern void *upcr_inst_reported_calloc(upcr_site *site, upcr_size count, upcr_size size) UPCR_HIDDEN UPCR_RARE_
    __attribute__((__malloc__, __alloc_size__(2, 3)));

UPCR_INLINE void *upcr_inst_malloc(upcr_site *site, upcr_size n)
{
    return __builtin_expect(upcr_inst_on, 0) ? upcr_inst_reported_malloc(site, n) : __builtin_malloc(n);
}
UPCR_INLINE void *upcr_inst_calloc(upcr_site *site, upcr_size count, upcr_size size)
{
    return __builtin_expect(upcr_inst_on, 0) ? upcr_inst_reported_calloc(site, count, size) : __builtin_calloc(count, size);
}
UPCR_INLINE void *upcr_inst_realloc(upcr_site *site, void *p, upcr_size n)
{
    UPCR_RESULT_(void *, upcr_call_realloc(p, n), , UPCR_EVENT_C_REALLOC, p, n);
}
UPCR_INLINE void upcr_inst_free(upcr_site *site, void *p)
{
    UPCR_AROUND_(upcr_call_free(p), UPCR_EVENT_C_FREE, p);
}

/* ---- Exit: the event is raised by upc_global_exit itself ------------------------------------------------------------ */

UPCR_ALIAS_(void, upc_global_exit, (int));
/* Where the thread calls upc_global_exit. */
extern void upcr_inst_exit_place(upcr_site *site) UPCR_HIDDEN UPCR_RARE_;

UPCR_INLINE void upcr_inst_upc_global_exit(upcr_site *site, int status)
{
    upcr_inst_exit_place(site);
    upcr_call_upc_global_exit(status);
}
UPCR_INLINE void upcr_inst_bupc_exit(upcr_site *site, int status)
{
    upcr_inst_upc_global_exit(site, status);
}

/* ---- Shared heap --------------------------------------------------------------------------------------------------- */

UPCR_ALIAS_(upcr_pts_t, upc_global_alloc, (upcr_size, upcr_size));
UPCR_ALIAS_(upcr_pts_t, upc_all_alloc, (upcr_size, upcr_size));
UPCR_ALIAS_(upcr_pts_t, upc_local_alloc, (upcr_size, upcr_size));
UPCR_ALIAS_(upcr_pts_t, upc_alloc, (upcr_size));
UPCR_ALIAS_(void, upc_free, (upcr_pts_t));
UPCR_ALIAS_(void, upc_all_free, (upcr_pts_t));

UPCR_INLINE upcr_pts_t upcr_inst_upc_global_alloc(upcr_site *site, upcr_size nblocks, upcr_size nbytes)
{
    UPCR_RESULT_(upcr_pts_t, upcr_call_upc_global_alloc(nblocks, nbytes), &, UPCR_EVENT_UPC_GLOBAL_ALLOC, nblocks, nbytes);
}
UPCR_INLINE upcr_pts_t upcr_inst_upc_all_alloc(upcr_site *site, upcr_size nblocks, upcr_size nbytes)
{
    UPCR_RESULT_(upcr_pts_t, upcr_call_upc_all_alloc(nblocks, nbytes), &, UPCR_EVENT_UPC_ALL_ALLOC, nblocks, nbytes);
}
UPCR_INLINE upcr_pts_t upcr_inst_upc_local_alloc(upcr_site *site, upcr_size nblocks, upcr_size nbytes)
{
    UPCR_RESULT_(upcr_pts_t, upcr_call_upc_local_alloc(nblocks, nbytes), &, UPCR_EVENT_UPC_ALLOC, nblocks * nbytes);
}
UPCR_INLINE upcr_pts_t upcr_inst_upc_alloc(upcr_site *site, upcr_size n)
{
    UPCR_RESULT_(upcr_pts_t, upcr_call_upc_alloc(n), &, UPCR_EVENT_UPC_ALLOC, n);
}
UPCR_INLINE void upcr_inst_upc_free(upcr_site *site, upcr_pts_t p)
{
    UPCR_AROUND_(upcr_call_upc_free(p), UPCR_EVENT_UPC_FREE, &p);
}
UPCR_INLINE void upcr_inst_upc_all_free(upcr_site *site, upcr_pts_t p)
{
    UPCR_AROUND_(upcr_call_upc_all_free(p), UPCR_EVENT_UPC_FREE, &p);
}

/* ---- Locks --------------------------------------------------------------------------------------------------------- */

UPCR_ALIAS_(upcr_pts_t, upc_global_lock_alloc, (void));
UPCR_ALIAS_(upcr_pts_t, upc_all_lock_alloc, (void));
UPCR_ALIAS_(void, upc_lock_free, (upcr_pts_t));
UPCR_ALIAS_(void, upc_all_lock_free, (upcr_pts_t));
UPCR_ALIAS_(void, upc_lock, (upcr_pts_t));
UPCR_ALIAS_(int, upc_lock_attempt, (upcr_pts_t));
UPCR_ALIAS_(void, upc_unlock, (upcr_pts_t));

UPCR_INLINE upcr_pts_t upcr_inst_upc_global_lock_alloc(upcr_site *site)
{
    UPCR_RESULT_(upcr_pts_t, upcr_call_upc_global_lock_alloc(), &, UPCR_EVENT_UPC_GLOBAL_LOCK_ALLOC);
}
UPCR_INLINE upcr_pts_t upcr_inst_upc_all_lock_alloc(upcr_site *site)
{
    UPCR_RESULT_(upcr_pts_t, upcr_call_upc_all_lock_alloc(), &, UPCR_EVENT_UPC_ALL_LOCK_ALLOC);
}
UPCR_INLINE void upcr_inst_upc_lock_free(upcr_site *site, upcr_pts_t lock)
{
    UPCR_AROUND_(upcr_call_upc_lock_free(lock), UPCR_EVENT_UPC_LOCK_FREE, &lock);
}
UPCR_INLINE void upcr_inst_upc_all_lock_free(upcr_site *site, upcr_pts_t lock)
{
    UPCR_AROUND_(upcr_call_upc_all_lock_free(lock), UPCR_EVENT_UPC_LOCK_FREE, &lock);
}
/* Counted are those that need not wait. */
UPCR_INLINE void upcr_inst_upc_lock(upcr_site *site, upcr_pts_t lock)
{
    struct upcr_skip_counts *skip_index = upcr_inst_skip_call(site, lock, 0);
    if (skip_index && upcr_call_upc_lock_attempt(lock)) {
        skip_index->get--;
        return;
    }
    UPCR_AROUND_(upcr_call_upc_lock(lock), UPCR_EVENT_UPC_LOCK, &lock);
}
UPCR_INLINE int upcr_inst_upc_lock_attempt(upcr_site *site, upcr_pts_t lock)
{
    UPCR_RESULT_(int, upcr_call_upc_lock_attempt(lock), , UPCR_EVENT_UPC_LOCK_ATTEMPT, &lock);
}
UPCR_INLINE void upcr_inst_upc_unlock(upcr_site *site, upcr_pts_t lock)
{
    UPCR_COUNTED_ONLY_(upcr_call_upc_unlock(lock), lock, 0);
    UPCR_AROUND_(upcr_call_upc_unlock(lock), UPCR_EVENT_UPC_UNLOCK, &lock);
}

/* ---- Transfers ----------------------------------------------------------------------------------------------------- */

UPCR_ALIAS_(void, upc_memcpy, (upcr_pts_t, upcr_pts_t, upcr_size));
UPCR_ALIAS_(void, upc_memget, (void *, upcr_pts_t, upcr_size));
UPCR_ALIAS_(void, upc_memput, (upcr_pts_t, const void *, upcr_size));
UPCR_ALIAS_(void, upc_memset, (upcr_pts_t, int, upcr_size));
UPCR_ALIAS_(void, bupc_memput_signal, (upcr_pts_t, const void *, upcr_size, upcr_pts_t, upcr_size));
UPCR_ALIAS_(void, bupc_memput_signal_async, (upcr_pts_t, const void *, upcr_size, upcr_pts_t, upcr_size));

UPCR_INLINE void upcr_inst_upc_memcpy(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, upcr_size n)
{
    UPCR_AROUND_(upcr_call_upc_memcpy(dst, src, n), UPCR_EVENT_UPC_MEMCPY, &dst, &src, n);
}
UPCR_INLINE void upcr_inst_upc_memget(upcr_site *site, void *dst, upcr_pts_t src, upcr_size n)
{
    UPCR_COUNTED_ONLY_(upcr_call_upc_memget(dst, src, n), src, n);
    UPCR_AROUND_(upcr_call_upc_memget(dst, src, n), UPCR_EVENT_UPC_MEMGET, dst, &src, n);
}
UPCR_INLINE void upcr_inst_upc_memput(upcr_site *site, upcr_pts_t dst, const void *src, upcr_size n)
{
    UPCR_COUNTED_ONLY_(upcr_call_upc_memput(dst, src, n), dst, n);
    UPCR_AROUND_(upcr_call_upc_memput(dst, src, n), UPCR_EVENT_UPC_MEMPUT, &dst, src, n);
}
UPCR_INLINE void upcr_inst_upc_memset(upcr_site *site, upcr_pts_t dst, int c, upcr_size n)
{
    UPCR_COUNTED_ONLY_(upcr_call_upc_memset(dst, c, n), dst, n);
    UPCR_AROUND_(upcr_call_upc_memset(dst, c, n), UPCR_EVENT_UPC_MEMSET, &dst, c, n);
}
UPCR_INLINE void upcr_inst_bupc_memput_signal(upcr_site *site, upcr_pts_t dst, const void *src, upcr_size n, upcr_pts_t s, upcr_size by)
{
    UPCR_AROUND_(upcr_call_bupc_memput_signal(dst, src, n, s, by), UPCR_EVENT_UPC_MEMPUT, &dst, src, n);
}

/* ---- Scattered transfers: the event has the first place of each side, and the bytes of all ------------------------- */

typedef struct {
    upcr_pts_t addr;
    upcr_size len;
} __attribute__((__may_alias__)) upcr_shared_block_;
typedef struct {
    void *addr;
    upcr_size len;
} __attribute__((__may_alias__)) upcr_private_block_;

/* What differs where a side is shared (S) or private (P). */
#define UPCR_SIDE_S_ upcr_pts_t
#define UPCR_SIDE_P_ const void *
#define UPCR_REPORT_S_(place) &place
#define UPCR_REPORT_P_(place) place
#define UPCR_NOWHERE_S_ UPCR_NULL
#define UPCR_NOWHERE_P_ (void *)0
#define UPCR_BLOCK_S_ upcr_shared_block_
#define UPCR_BLOCK_P_ upcr_private_block_
#define UPCR_ELEMENT_S_ upcr_pts_t
#define UPCR_ELEMENT_P_ void *

UPCR_INLINE upcr_size upcr_bytes_of_shared_blocks_(const upcr_shared_block_ *list, upcr_size count)
{
    upcr_size bytes = 0, i;
    for (i = 0; i < count; i++)
        bytes += list[i].len;
    return bytes;
}
UPCR_INLINE upcr_size upcr_bytes_of_private_blocks_(const upcr_private_block_ *list, upcr_size count)
{
    upcr_size bytes = 0, i;
    for (i = 0; i < count; i++)
        bytes += list[i].len;
    return bytes;
}
#define UPCR_BYTES_S_ upcr_bytes_of_shared_blocks_
#define UPCR_BYTES_P_ upcr_bytes_of_private_blocks_

/* counts[0] is in bytes, the others are numbers of what the one before is. */
UPCR_INLINE upcr_size upcr_strided_bytes_(const upcr_size *counts, upcr_size levels)
{
    upcr_size bytes = counts[0], i;
    for (i = 1; i <= levels; i++)
        bytes *= counts[i];
    return bytes;
}

#define UPCR_MEMCPY_ UPCR_EVENT_UPC_MEMCPY
#define UPCR_MEMGET_ UPCR_EVENT_UPC_MEMGET
#define UPCR_MEMPUT_ UPCR_EVENT_UPC_MEMPUT
#define UPCR_MEMCPY_ASYNC_ UPCR_EVENT_BUPC_NB_MEMCPY_INIT
#define UPCR_MEMGET_ASYNC_ UPCR_EVENT_UPC_NB_GET_INIT, 1
#define UPCR_MEMPUT_ASYNC_ UPCR_EVENT_UPC_NB_PUT_INIT, 1

struct upcr_transfer;

/* The function and its asynchronous form. to, from: the first places; bytes: of all; OP: its event, above. */
#define UPCR_SCATTERED_(name, OP, D, S, parameters, types, values, to, from, bytes)                                                    \
    UPCR_ALIAS_(void, name, types);                                                                                                    \
    UPCR_ALIAS_(struct upcr_transfer *, name##_async, types);                                                                          \
    UPCR_INLINE void upcr_inst_##name parameters                                                                                       \
    {                                                                                                                                  \
        UPCR_SIDE_##D##_ dst = to;                                                                                                     \
        UPCR_SIDE_##S##_ src = from;                                                                                                   \
        upcr_size n = upcr_inst_on ? bytes : 0;                                                                                        \
        UPCR_AROUND_(upcr_call_##name values, UPCR_##OP##_, UPCR_REPORT_##D##_(dst), UPCR_REPORT_##S##_(src), n);                      \
    }                                                                                                                                  \
    UPCR_INLINE struct upcr_transfer *upcr_inst_##name##_async parameters                                                              \
    {                                                                                                                                  \
        UPCR_SIDE_##D##_ dst = to;                                                                                                     \
        UPCR_SIDE_##S##_ src = from;                                                                                                   \
        upcr_size n = upcr_inst_on ? bytes : 0;                                                                                        \
        UPCR_RESULT_(struct upcr_transfer *, upcr_call_##name##_async values, , UPCR_##OP##_ASYNC_, UPCR_REPORT_##D##_(dst),           \
                     UPCR_REPORT_##S##_(src), n);                                                                                      \
    }
#define UPCR_SCATTERED_ALL_(op, OP, D, S)                                                                                                      \
    UPCR_SCATTERED_(bupc_##op##_vlist, OP, D, S, (upcr_site * site, upcr_size tos, const void *tolist, upcr_size froms, const void *fromlist), \
                    (upcr_size, const void *, upcr_size, const void *), (tos, tolist, froms, fromlist),                                        \
                    tos != 0 ? ((const UPCR_BLOCK_##D##_ *)tolist)->addr : UPCR_NOWHERE_##D##_,                                                \
                    froms != 0 ? ((const UPCR_BLOCK_##S##_ *)fromlist)->addr : UPCR_NOWHERE_##S##_,                                            \
                    UPCR_BYTES_##D##_((const UPCR_BLOCK_##D##_ *)tolist, tos))                                                                 \
    UPCR_SCATTERED_(bupc_##op##_ilist, OP, D, S,                                                                                               \
                    (upcr_site * site, upcr_size tos, const void *tolist, upcr_size tolength, upcr_size froms, const void *fromlist,           \
                     upcr_size fromlength),                                                                                                    \
                    (upcr_size, const void *, upcr_size, upcr_size, const void *, upcr_size),                                                  \
                    (tos, tolist, tolength, froms, fromlist, fromlength),                                                                      \
                    tos != 0 ? *(UPCR_ELEMENT_##D##_ const *)tolist : UPCR_NOWHERE_##D##_,                                                     \
                    froms != 0 ? *(UPCR_ELEMENT_##S##_ const *)fromlist : UPCR_NOWHERE_##S##_, tos *tolength)                                  \
    UPCR_SCATTERED_(bupc_##op##_fstrided, OP, D, S,                                                                                            \
                    (upcr_site * site, UPCR_SIDE_##D##_ first, upcr_size tolength, upcr_size tostride, upcr_size tos,                          \
                     UPCR_SIDE_##S##_ event_site, upcr_size fromlength, upcr_size fromstride, upcr_size froms),                                \
                    (UPCR_SIDE_##D##_, upcr_size, upcr_size, upcr_size, UPCR_SIDE_##S##_, upcr_size, upcr_size, upcr_size),                    \
                    (first, tolength, tostride, tos, event_site, fromlength, fromstride, froms), first, event_site, tos *tolength)             \
    UPCR_SCATTERED_(bupc_##op##_strided, OP, D, S,                                                                                             \
                    (upcr_site * site, UPCR_SIDE_##D##_ first, const upcr_size *tostrides, UPCR_SIDE_##S##_ event_site,                        \
                     const upcr_size *fromstrides, const upcr_size *counts, upcr_size levels),                                                 \
                    (UPCR_SIDE_##D##_, const upcr_size *, UPCR_SIDE_##S##_, const upcr_size *, const upcr_size *, upcr_size),                  \
                    (first, tostrides, event_site, fromstrides, counts, levels), first, event_site, upcr_strided_bytes_(counts, levels))
UPCR_SCATTERED_ALL_(memcpy, MEMCPY, S, S)
UPCR_SCATTERED_ALL_(memget, MEMGET, P, S)
UPCR_SCATTERED_ALL_(memput, MEMPUT, S, P)

/* ---- Non-blocking transfers ---------------------------------------------------------------------------------------- */

/* Of a transfer that has no handle of its own. Memory that is mapped is copied by the initiation, so it is complete. */
#define UPCR_TRIVIAL_ ((struct upcr_transfer *)0)

/* The four kinds of initiation under the names of both libraries, with handles and without: arguments, the event and its own arguments. */
#define UPCR_INITIATION_(explicit_name, implicit_name, parameters, types, values, ...)                                                 \
    UPCR_ALIAS_(struct upcr_transfer *, explicit_name, types);                                                                         \
    UPCR_ALIAS_(void, implicit_name, types);                                                                                           \
    UPCR_INLINE struct upcr_transfer *upcr_inst_##explicit_name parameters                                                             \
    {                                                                                                                                  \
        UPCR_RESULT_(struct upcr_transfer *, upcr_call_##explicit_name values, , __VA_ARGS__);                                         \
    }                                                                                                                                  \
    UPCR_INLINE void upcr_inst_##implicit_name parameters                                                                              \
    {                                                                                                                                  \
        if (upcr_inst_on)                                                                                                              \
            upcr_inst_start(site, __VA_ARGS__);                                                                                        \
        upcr_call_##implicit_name values;                                                                                              \
        if (upcr_inst_on)                                                                                                              \
            upcr_inst_end(site, __VA_ARGS__, UPCR_TRIVIAL_);                                                                           \
    }
#define UPCR_INITIATIONS_(library, e, i)                                                                                               \
    UPCR_INITIATION_(library##_memcpy_##e, library##_memcpy_##i, (upcr_site * site, upcr_pts_t dst, upcr_pts_t src, upcr_size n),      \
                     (upcr_pts_t, upcr_pts_t, upcr_size), (dst, src, n), UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n)                \
    UPCR_INITIATION_(library##_memget_##e, library##_memget_##i, (upcr_site * site, void *dst, upcr_pts_t src, upcr_size n),           \
                     (void *, upcr_pts_t, upcr_size), (dst, src, n), UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n)                      \
    UPCR_INITIATION_(library##_memput_##e, library##_memput_##i, (upcr_site * site, upcr_pts_t dst, const void *src, upcr_size n),     \
                     (upcr_pts_t, const void *, upcr_size), (dst, src, n), UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n)                \
    UPCR_INITIATION_(library##_memset_##e, library##_memset_##i, (upcr_site * site, upcr_pts_t dst, int c, upcr_size n),               \
                     (upcr_pts_t, int, upcr_size), (dst, c, n), UPCR_EVENT_UPCC_NB_MEMSET_INIT, &dst, c, n)
UPCR_INITIATIONS_(upc, nb, nbi)
UPCR_INITIATIONS_(bupc, async, asynci)

UPCR_INLINE void upcr_inst_bupc_memput_signal_async(upcr_site *site, upcr_pts_t dst, const void *src, upcr_size n, upcr_pts_t s,
                                                    upcr_size by)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n);
    upcr_call_bupc_memput_signal_async(dst, src, n, s, by);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n, UPCR_TRIVIAL_);
}

/* Waits and tests, of one handle and of the implicit ones. */
#define UPCR_SYNC_(wait, test, waiti, testi)                                                                                           \
    UPCR_ALIAS_(void, wait, (struct upcr_transfer *));                                                                                 \
    UPCR_ALIAS_(int, test, (struct upcr_transfer *));                                                                                  \
    UPCR_ALIAS_(void, waiti, (void));                                                                                                  \
    UPCR_ALIAS_(int, testi, (void));                                                                                                   \
    UPCR_INLINE void upcr_inst_##wait(upcr_site *site, struct upcr_transfer *handle)                                                   \
    {                                                                                                                                  \
        UPCR_AROUND_(upcr_call_##wait(handle), UPCR_EVENT_UPC_NB_SYNC, handle);                                                        \
    }                                                                                                                                  \
    UPCR_INLINE int upcr_inst_##test(upcr_site *site, struct upcr_transfer *handle)                                                    \
    {                                                                                                                                  \
        UPCR_RESULT_(int, upcr_call_##test(handle), , UPCR_EVENT_BUPC_NB_TRYSYNC, handle);                                             \
    }                                                                                                                                  \
    UPCR_INLINE void upcr_inst_##waiti(upcr_site *site)                                                                                \
    {                                                                                                                                  \
        UPCR_AROUND_(upcr_call_##waiti(), UPCR_EVENT_UPC_NB_SYNC, UPCR_TRIVIAL_);                                                      \
    }                                                                                                                                  \
    UPCR_INLINE int upcr_inst_##testi(upcr_site *site)                                                                                 \
    {                                                                                                                                  \
        UPCR_RESULT_(int, upcr_call_##testi(), , UPCR_EVENT_BUPC_NB_TRYSYNC, UPCR_TRIVIAL_);                                           \
    }
UPCR_SYNC_(upc_sync, upc_sync_attempt, upc_synci, upc_synci_attempt)
UPCR_SYNC_(bupc_waitsync, bupc_trysync, bupc_waitsynci, bupc_trysynci)

/* Of many handles the event names the first that is pending. */
UPCR_INLINE struct upcr_transfer *upcr_pending_(struct upcr_transfer *const *handles, upcr_size count)
{
    upcr_size i;
    for (i = 0; i < count; i++)
        if (handles[i])
            return handles[i];
    return UPCR_TRIVIAL_;
}
#define UPCR_SYNC_MANY_(wait, test)                                                                                                    \
    UPCR_ALIAS_(void, wait, (struct upcr_transfer **, upcr_size));                                                                     \
    UPCR_ALIAS_(int, test, (struct upcr_transfer **, upcr_size));                                                                      \
    UPCR_INLINE void upcr_inst_##wait(upcr_site *site, struct upcr_transfer **handles, upcr_size count)                                \
    {                                                                                                                                  \
        struct upcr_transfer *first = upcr_pending_(handles, count);                                                                   \
        UPCR_AROUND_(upcr_call_##wait(handles, count), UPCR_EVENT_UPC_NB_SYNC, first);                                                 \
    }                                                                                                                                  \
    UPCR_INLINE int upcr_inst_##test(upcr_site *site, struct upcr_transfer **handles, upcr_size count)                                 \
    {                                                                                                                                  \
        struct upcr_transfer *first = upcr_pending_(handles, count);                                                                   \
        UPCR_RESULT_(int, upcr_call_##test(handles, count), , UPCR_EVENT_BUPC_NB_TRYSYNC, first);                                      \
    }
UPCR_SYNC_MANY_(bupc_waitsync_all, bupc_trysync_all)
UPCR_SYNC_MANY_(bupc_waitsync_some, bupc_trysync_some)

/* ---- Collective functions ------------------------------------------------------------------------------------------ */

#define UPCR_RELOCATION_(name, event)                                                                                                  \
    UPCR_ALIAS_(void, name, (upcr_pts_t, upcr_pts_t, upcr_size, int));                                                                 \
    UPCR_INLINE void upcr_inst_##name(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, upcr_size n, int flags)                         \
    {                                                                                                                                  \
        UPCR_AROUND_(upcr_call_##name(dst, src, n, flags), event, &dst, &src, n, flags);                                               \
    }
UPCR_RELOCATION_(upc_all_broadcast, UPCR_EVENT_UPC_ALL_BROADCAST)
UPCR_RELOCATION_(upc_all_scatter, UPCR_EVENT_UPC_ALL_SCATTER)
UPCR_RELOCATION_(upc_all_gather, UPCR_EVENT_UPC_ALL_GATHER)
UPCR_RELOCATION_(upc_all_gather_all, UPCR_EVENT_UPC_ALL_GATHER_ALL)
UPCR_RELOCATION_(upc_all_exchange, UPCR_EVENT_UPC_ALL_EXCHANGE)

UPCR_ALIAS_(void, upc_all_permute, (upcr_pts_t, upcr_pts_t, upcr_pts_t, upcr_size, int));
UPCR_INLINE void upcr_inst_upc_all_permute(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, upcr_pts_t perm, upcr_size n, int flags)
{
    UPCR_AROUND_(upcr_call_upc_all_permute(dst, src, perm, n, flags), UPCR_EVENT_UPC_ALL_PERMUTE, &dst, &src, &perm, n, flags);
}

/* number: the type's place in gasp_upc_reduction_t. */
#define UPCR_REDUCTION_(name, event, number, T)                                                                                        \
    UPCR_ALIAS_(void, name, (upcr_pts_t, upcr_pts_t, int, upcr_size, upcr_size, T (*)(T, T), int));                                    \
    UPCR_INLINE void upcr_inst_##name(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block,       \
                                      T (*func)(T, T), int flags)                                                                      \
    {                                                                                                                                  \
        UPCR_AROUND_(upcr_call_##name(dst, src, op, count, block, func, flags), event, &dst, &src, op, count, block, (void *)func,     \
                     flags, number);                                                                                                   \
    }
#define UPCR_REDUCTIONS_(letters, number, T)                                                                                           \
    UPCR_REDUCTION_(upc_all_reduce##letters, UPCR_EVENT_UPC_ALL_REDUCE, number, T)                                                     \
    UPCR_REDUCTION_(bupc_all_reduce_all##letters, UPCR_EVENT_UPC_ALL_REDUCE, number, T)                                                \
    UPCR_REDUCTION_(upc_all_prefix_reduce##letters, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, number, T)
UPCR_REDUCTIONS_(C, 0, signed char)
UPCR_REDUCTIONS_(UC, 1, unsigned char)
UPCR_REDUCTIONS_(S, 2, short)
UPCR_REDUCTIONS_(US, 3, unsigned short)
UPCR_REDUCTIONS_(I, 4, int)
UPCR_REDUCTIONS_(UI, 5, unsigned)
UPCR_REDUCTIONS_(L, 6, long)
UPCR_REDUCTIONS_(UL, 7, unsigned long)
UPCR_REDUCTIONS_(F, 8, float)
UPCR_REDUCTIONS_(D, 9, double)
UPCR_REDUCTIONS_(LD, 10, long double)

/* ---- Atomic operations --------------------------------------------------------------------------------------------- */

/* Bytes of an operand of the domain's type. */
extern upcr_size upcr_atomic_bytes(upcr_pts_t domain) UPCR_HIDDEN;

#define UPCR_ATOMIC_(name)                                                                                                             \
    UPCR_ALIAS_(void, name, (upcr_pts_t, void *, int, upcr_pts_t, const void *, const void *));                                        \
    UPCR_INLINE void upcr_inst_##name(upcr_site *site, upcr_pts_t domain, void *fetch, int op, upcr_pts_t target, const void *one,     \
                                      const void *two)                                                                                 \
    {                                                                                                                                  \
        upcr_size n = upcr_inst_on ? upcr_atomic_bytes(domain) : 0;                                                                    \
        UPCR_AROUND_(upcr_call_##name(domain, fetch, op, target, one, two), UPCR_EVENT_UPCC_ATOMIC, &target, op, n);                   \
    }
UPCR_ATOMIC_(upc_atomic_strict)
UPCR_ATOMIC_(upc_atomic_relaxed)

/* Berkeley's have a function for each operation. The events' operations are those of upc_atomic that do the same (upcr/atomic_ops.h). */
enum { UPCR_OP_ADD_ = 1, UPCR_OP_AND_ = 4, UPCR_OP_OR_ = 8, UPCR_OP_XOR_ = 16, UPCR_OP_GET_ = 512, UPCR_OP_SET_ = 1024, UPCR_OP_CSWAP_ = 2048 };

#define UPCR_BUPC_ATOMIC_(T, name, op, parameters, types, values)                                                                      \
    UPCR_ALIAS_(T, name, types);                                                                                                       \
    UPCR_INLINE T upcr_inst_##name parameters                                                                                          \
    {                                                                                                                                  \
        T result;                                                                                                                      \
        if (upcr_inst_on)                                                                                                              \
            upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, op, sizeof(T));                                                     \
        result = upcr_call_##name values;                                                                                              \
        if (upcr_inst_on)                                                                                                              \
            upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, op, sizeof(T));                                                       \
        return result;                                                                                                                 \
    }
#define UPCR_BUPC_ATOMIC1_(T, name, op)                                                                                                \
    UPCR_BUPC_ATOMIC_(T, name, op, (upcr_site * site, upcr_pts_t target), (upcr_pts_t), (target))
#define UPCR_BUPC_ATOMIC2_(T, name, op)                                                                                                \
    UPCR_BUPC_ATOMIC_(T, name, op, (upcr_site * site, upcr_pts_t target, T value), (upcr_pts_t, T), (target, value))
#define UPCR_BUPC_ATOMIC3_(T, name, op)                                                                                                \
    UPCR_BUPC_ATOMIC_(T, name, op, (upcr_site * site, upcr_pts_t target, T one, T two), (upcr_pts_t, T, T), (target, one, two))
#define UPCR_BUPC_ANY_(T, prefix, order)                                                                                               \
    UPCR_ALIAS_(void, prefix##_set_##order, (upcr_pts_t, T));                                                                          \
    UPCR_INLINE void upcr_inst_##prefix##_set_##order(upcr_site *site, upcr_pts_t target, T value)                                     \
    {                                                                                                                                  \
        UPCR_AROUND_(upcr_call_##prefix##_set_##order(target, value), UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(T));       \
    }                                                                                                                                  \
    UPCR_BUPC_ATOMIC1_(T, prefix##_read_##order, UPCR_OP_GET_)                                                                         \
    UPCR_BUPC_ATOMIC2_(T, prefix##_swap_##order, UPCR_OP_SET_)                                                                         \
    UPCR_BUPC_ATOMIC3_(T, prefix##_cswap_##order, UPCR_OP_CSWAP_)                                                                      \
    UPCR_BUPC_ATOMIC2_(T, prefix##_fetchadd_##order, UPCR_OP_ADD_)
#define UPCR_BUPC_BITS_(T, prefix, order)                                                                                              \
    UPCR_BUPC_ATOMIC3_(T, prefix##_mswap_##order, UPCR_OP_SET_)                                                                        \
    UPCR_BUPC_ATOMIC2_(T, prefix##_fetchand_##order, UPCR_OP_AND_)                                                                     \
    UPCR_BUPC_ATOMIC2_(T, prefix##_fetchor_##order, UPCR_OP_OR_)                                                                       \
    UPCR_BUPC_ATOMIC2_(T, prefix##_fetchxor_##order, UPCR_OP_XOR_)                                                                     \
    UPCR_BUPC_ATOMIC1_(T, prefix##_fetchnot_##order, UPCR_OP_XOR_)
#define UPCR_BUPC_FLOATING_(T, prefix) UPCR_BUPC_ANY_(T, prefix, relaxed) UPCR_BUPC_ANY_(T, prefix, strict)
#define UPCR_BUPC_INTEGER_(T, prefix)                                                                                                  \
    UPCR_BUPC_FLOATING_(T, prefix) UPCR_BUPC_BITS_(T, prefix, relaxed) UPCR_BUPC_BITS_(T, prefix, strict)
#define UPCR_BUPC_TYPE_(code, T, cell, kind) UPCR_BUPC_##kind##_(T, bupc_atomic##code)
UPCR_BUPC_TYPES(UPCR_BUPC_TYPE_)

#endif
