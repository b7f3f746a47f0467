/* What an address belongs to, in the user's terms. */
#include "runtime.h"

#include <signal.h>
#include <stdio.h>

#include "transport/smp/job.h"

/* An address in some thread's segment or behind it. */
static void describe_shared(int thread, uint64_t offset, char *text, size_t room)
{
    if (offset < UPCR_STATIC_START)
        snprintf(text, room, "a null pointer-to-shared");
    else if (offset >= smp_job->segment_bytes)
        snprintf(text, room, "beyond the shared memory of thread %d", thread);
    else
        snprintf(text, room, "shared memory of thread %d", thread);
}

void smp_describe_fault(const struct upcr_crash *crash, char *text, size_t room)
{
    uintptr_t base = (uintptr_t)upcr_segment_base, distance = crash->address - base;
    if (crash->stack)
        snprintf(text, room, "stack overflow");
    else if (crash->signal == SIGSEGV && crash->code == SI_KERNEL)
        snprintf(text, room, "an address that no memory can have, or that is not aligned as the instruction needs");
    else if (crash->address < UPCR_STATIC_START)
        snprintf(text, room, "a null pointer");
    else if (crash->address >= base && distance >> UPCR_SEGMENT_SHIFT < (uintptr_t)upcr_threads)
        describe_shared((int)(distance >> UPCR_SEGMENT_SHIFT), distance & (((uintptr_t)1 << UPCR_SEGMENT_SHIFT) - 1), text, room);
    else if (crash->signal == SIGSEGV && crash->code == SEGV_ACCERR)
        snprintf(text, room, "private memory that may not be used so, for example a string literal");
    else if (crash->signal == SIGSEGV && crash->code == SEGV_MAPERR)
        snprintf(text, room, "no memory is there");
    else
        snprintf(text, room, "private memory");
}
