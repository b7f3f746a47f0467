/* The job constants that emitted code reads (base.h), and the sections that objects fill. */
#include "runtime.h"

int upcr_mythread;
int upcr_threads;
upcr_u64 upcr_threads_reciprocal;
char *upcr_segment_base;
#ifndef UPCR_REMOTE
uint64_t upcr_linear;
#endif
/* Only objects with struct pointers read it, and gdb. It is always defined, so that a program linked with the wrong runtime gets as far as the
   check of the units, which reports the mistake. */
upcr_u64 upcr_segment_stride;
int upcr_forall_depth;

/* Gives the section contents in every program, so that its start and end symbols always exist. */
UPCR_SHARED_DEFINE_LOCAL(upcr_shared_anchor, 64, 64);

extern char upcr_shared_end[] __asm__("__stop_upcr_shared") UPCR_HIDDEN;

size_t upcr_static_bytes(void)
{
    /* Read from memory, because the section may be larger than code can reach (-mcmodel=medium). */
    static char *const volatile bounds[] = {upcr_shared_begin, upcr_shared_end};
    return UPCR_STATIC_START + (size_t)((uintptr_t)bounds[1] - (uintptr_t)bounds[0]);
}
