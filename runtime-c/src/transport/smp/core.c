/* Which shared memory a core file contains. The kernel would write all of it, including memory that has never been
   touched, and allocate pages to do so. */
#include "runtime.h"

#include <sys/mman.h>
#include <unistd.h>

#include "transport/smp/job.h"

/* Sets the advice for a range. An error only makes core files smaller or larger. */
static void advise(int thread, uint64_t from, uint64_t to, int advice)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    from &= ~(page - 1);
    to = (to + page - 1) & ~(page - 1);
    if (from < to)
        (void)madvise(smp_segment(thread) + from, to - from, advice);
}

void host_core_exclude(void)
{
    for (int t = 0; t < upcr_threads; t++)
        advise(t, UPCR_STATIC_START, host_job->segment_bytes, MADV_DONTDUMP);
}

void host_core_include_used(void)
{
    for (int t = 0; t < upcr_threads; t++) {
        advise(t, UPCR_STATIC_START, smp_job->symmetric.high + UPCR_ARENA_HEADER, MADV_DODUMP);
        advise(t, smp_job->thread[t].arena.low, host_job->segment_bytes, MADV_DODUMP);
    }
}
