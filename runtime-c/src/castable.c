/* <upc_castable.h> (library section, "Castability functions"). */
#include "runtime.h"

/* The same as in the header, which is written in UPC. */
enum { CASTABLE_ALL = 15 };
typedef struct {
    int guaranteed;
    int probable;
} thread_info;

#pragma GCC visibility push(default)
void *upc_cast(upcr_pts_t ptr);
thread_info upc_thread_info(size_t thread);
#pragma GCC visibility pop

void *upc_cast(upcr_pts_t ptr)
{
    return upcr_mapped(upcr_threadof(ptr)) ? upcr_local(ptr) : NULL;
}

thread_info upc_thread_info(size_t thread)
{
    int castable = thread < (size_t)upcr_threads && upcr_mapped(thread) ? CASTABLE_ALL : 0;
    return (thread_info){castable, castable};
}
