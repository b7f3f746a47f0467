/* Checking forms of the runtime operations, for units that are translated and compiled with -fupc-checks (UPCR_CHECKS). upcr.h includes it
   in such units only (and the runtime, for the functions), so other units contain no checks. Each operation passes its place in the source to a
   function of the runtime (src/checks/), which ends the job if the operation is undefined in the language. */
#ifndef UPCR_CHECKS_H
#define UPCR_CHECKS_H

#include "upcr/base.h"

/* The place of an operation. It is static, so a thread can read what another one recorded: all have the same image. */
typedef struct {
    const char *file;
    int line;
    const char *function;
} upcr_place;

/* Debuggers do not show it among the user's variables; gcc cannot leave one out. */
#ifdef __clang__
#define UPCR_NO_DEBUG_ __attribute__((__nodebug__))
#else
#define UPCR_NO_DEBUG_
#endif

#define UPCR_HERE                                                                               \
    __extension__({                                                                             \
        static const upcr_place upcr_here_ UPCR_NO_DEBUG_ = {__FILE__, __LINE__, __FUNCTION__}; \
        &upcr_here_;                                                                            \
    })

/* A reference to it makes a program a checked one: the runtime records allocated blocks and compares collective operations. */
extern const char upcr_checked_program[1] UPCR_HIDDEN;
#ifndef UPCR_RUNTIME
static const char *const upcr_unit_is_checked __attribute__((__used__)) = upcr_checked_program;
#endif

/* The kind of an access. */
#define UPCR_CHECK_READ  0
#define UPCR_CHECK_WRITE 1

/* Returns the mapped address of the `bytes` bytes at p, all of which are in one live object. */
extern void *upcr_check_access(upcr_pts_t p, upcr_size bytes, int access, const upcr_place *here) UPCR_HIDDEN;

/* The same for memory that need not be mapped: p itself. */
extern upcr_pts_t upcr_check_place(upcr_pts_t p, upcr_size bytes, int access, const upcr_place *here) UPCR_HIDDEN;

/* upcr_local for a p that is null or has affinity to the caller. */
extern void *upcr_check_local(upcr_pts_t p, const upcr_place *here) UPCR_HIDDEN;

/* Returns p, whose phase is that of a pointer with this block size. */
extern upcr_pts_t upcr_check_phase(upcr_pts_t p, upcr_size block, const upcr_place *here) UPCR_HIDDEN;

/* Checks that p and q may be subtracted: bytes or, with size > 0, elements of that size distributed in blocks of `block` (0: indefinite). */
extern void upcr_check_related(upcr_pts_t p, upcr_pts_t q, upcr_size size, upcr_size block, const upcr_place *here) UPCR_HIDDEN;

/* Ends the job: index of a dimension of `count` elements, times THREADS if per_thread; past: the end itself was allowed. */
extern void upcr_check_index_failed(upcr_diff index, upcr_diff count, int per_thread, int past, const char *text, const upcr_place *here) UPCR_HIDDEN
    __attribute__((__noreturn__, __cold__));

extern void upcr_check_notify(int named, int value, const upcr_place *here) UPCR_HIDDEN;
extern void upcr_check_wait(int named, int value, const upcr_place *here) UPCR_HIDDEN;
extern void upcr_check_barrier(int named, int value, const upcr_place *here) UPCR_HIDDEN;

UPCR_INLINE upcr_diff upcr_checked_index(upcr_diff index, upcr_diff count, int per_thread, int past, const char *text, const upcr_place *here)
{
    upcr_diff bound = per_thread ? count * UPCR_THREADS : count;
    /* An address may temporarily be before its array: programs do this to count arrays from 1. */
    if (__builtin_expect((index < 0 && !past) || index >= bound + past, 0))
        upcr_check_index_failed(index, count, per_thread, past, text, here);
    return index;
}

UPCR_INLINE upcr_diff upcr_checked_diff0(upcr_pts_t p, upcr_pts_t q, const upcr_place *here)
{
    upcr_check_related(p, q, 0, 0, here);
    return upcr_diff0(p, q);
}

UPCR_INLINE upcr_diff upcr_checked_diff1(upcr_pts_t p, upcr_pts_t q, upcr_size size, const upcr_place *here)
{
    upcr_check_related(p, q, size, 1, here);
    return upcr_diff1(p, q, size);
}

UPCR_INLINE upcr_diff upcr_checked_diffb(upcr_pts_t p, upcr_pts_t q, upcr_size size, upcr_size block, const upcr_place *here)
{
    upcr_check_related(p, q, size, block, here);
    return upcr_diffb(p, q, size, block);
}

#if defined UPCR_RACES || defined UPCR_RUNTIME
#include "upcr/races.h"
#endif

#ifndef UPCR_RUNTIME
/* The forms that access.h uses: the address of a T at p, for reading or writing. */
#ifndef UPCR_RACES
#define UPCR_READ_AT(T, p)     upcr_check_access(p, sizeof(T), UPCR_CHECK_READ, UPCR_HERE)
#define UPCR_READ_AT0          UPCR_READ_AT
#define UPCR_READ_PLACE(T, p)  upcr_check_place(p, sizeof(T), UPCR_CHECK_READ, UPCR_HERE)
#define UPCR_WRITE_PLACE(T, p) upcr_check_place(p, sizeof(T), UPCR_CHECK_WRITE, UPCR_HERE)
#define UPCR_WRITE_AT(T, p)    upcr_check_access(p, sizeof(T), UPCR_CHECK_WRITE, UPCR_HERE)
#define UPCR_WRITE_AT0         UPCR_WRITE_AT
#endif

/* Operations of translated C; see README.md in this folder. The first two exist in checked units only. */
#define upcr_index(index, count, per_thread, past, text) upcr_checked_index(index, count, per_thread, past, text, UPCR_HERE)
#define upcr_with_phase(p, block)                        upcr_check_phase(p, block, UPCR_HERE)
#define upcr_local(p)                                    upcr_check_local(p, UPCR_HERE)
#define upcr_local_nn(p)                                 upcr_check_local(p, UPCR_HERE)
#define upcr_diff0(p, q)                                 upcr_checked_diff0(p, q, UPCR_HERE)
#define upcr_diff1(p, q, size)                           upcr_checked_diff1(p, q, size, UPCR_HERE)
#define upcr_diffb(p, q, size, block)                    upcr_checked_diffb(p, q, size, block, UPCR_HERE)
#define upcr_notify(named, value)                        upcr_check_notify(named, value, UPCR_HERE)
#define upcr_wait(named, value)                          upcr_check_wait(named, value, UPCR_HERE)
#define upcr_barrier(named, value)                       upcr_check_barrier(named, value, UPCR_HERE)
#endif

#endif
