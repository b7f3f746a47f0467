/* Places for the counts of accesses that the bundled tool measure requests to be counted without a report. */
#include "gasp/gasp_runtime.h"

UPCR_PTHREAD_LOCAL struct upcr_skip_counts *upcr_inst_skip_counts;
static upcr_u32 used; /* places, by all pthreads */

upcr_u32 upcr_inst_skip_place(upcr_site *site)
{
    upcr_u32 threads = (upcr_u32)upcr_threads, place = __atomic_load_n(&site->skip_index, __ATOMIC_RELAXED), none = 0;
    if (place != 0)
        return place;
    /* The first THREADS places count nothing. */
    __atomic_compare_exchange_n(&used, &none, threads, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (__atomic_load_n(&used, __ATOMIC_RELAXED) > UPCR_MOST_SKIP_COUNTS - threads)
        return 0;
    upcr_u32 first = __atomic_fetch_add(&used, threads, __ATOMIC_RELAXED);
    if (first > UPCR_MOST_SKIP_COUNTS - threads)
        return 0;
    /* Another pthread may have allocated them first; then these places stay unused. */
    if (__atomic_compare_exchange_n(&site->skip_index, &place, first, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return first;
    return place;
}
