/* Pointer-to-shared manipulation functions (library section) as functions, for callers that take their address. */
#include "runtime.h"

#pragma GCC visibility push(default)
size_t upc_threadof(upcr_pts_t ptr);
size_t upc_phaseof(upcr_pts_t ptr);
size_t upc_addrfield(upcr_pts_t ptr);
upcr_pts_t upc_resetphase(upcr_pts_t ptr);
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);
#pragma GCC visibility pop

size_t upc_threadof(upcr_pts_t ptr)
{
    return upcr_threadof(ptr);
}

size_t upc_phaseof(upcr_pts_t ptr)
{
    return upcr_phaseof(ptr);
}

size_t upc_addrfield(upcr_pts_t ptr)
{
    return upcr_addrfield(ptr);
}

upcr_pts_t upc_resetphase(upcr_pts_t ptr)
{
    return upcr_resetphase(ptr);
}

/* nbytes: bytes of a block, 0 for the indefinite block size, where everything is on thread 0. */
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid)
{
    size_t threads = (size_t)upcr_threads;
    if (nbytes == 0)
        return threadid == 0 ? totalsize : 0;
    size_t whole = totalsize / nbytes;
    size_t turn = whole % threads; /* the thread after the last whole block */
    size_t bytes = (whole / threads + (threadid < turn)) * nbytes;
    return threadid == turn ? bytes + totalsize % nbytes : bytes;
}
