/* UPC-IO internals: the open file, and a transfer between places of the file and places of memory.

   A file handle is a pointer-to-shared to one struct upcr_file on every thread, at one offset of all segments; each
   thread uses only its own. What is single-valued (flags, the common file pointer) has a copy on each thread, which
   all threads change in the same call. */
#ifndef UPCR_IO_H
#define UPCR_IO_H

#include "runtime.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "collective/collective.h"
#include "upcr/io_constants.h"

/* The same as in <upc_io.h>, which is written in UPC. */
struct upcr_hint {
    const char *key, *value;
};
struct upcr_filevec {
    int64_t offset;
    size_t len;
};
struct upcr_local_memvec {
    void *baseaddr;
    size_t len;
};
struct upcr_shared_memvec {
    upcr_pts_t baseaddr;
    size_t blocksize; /* in bytes; 0: indefinite */
    size_t len;
};

/* A region of len bytes of memory: at `private`, or laid out from shared.start on. */
struct upcr_region {
    void *private; /* NULL: shared */
    struct upcr_layout shared;
    size_t len;
};

struct upcr_file;

/* One call of this thread: what it reads or writes, and where. */
struct upcr_transfer_io {
    struct upcr_file *file;
    struct upcr_call call;
    bool write;
    bool own;    /* only this thread's memory is touched */
    bool common; /* all threads together move the bytes that the common file pointer points at */
    bool moves;  /* the individual file pointer advances */
    struct upcr_region *regions;
    size_t region_count;
    size_t skipped; /* bytes of the first region that belong to other threads */
    struct upcr_filevec *segments;
    size_t segment_count;
    int64_t done; /* bytes */
    int error;    /* 0: none */
    _Atomic bool finished;
    bool threaded;
    pthread_t worker;
};

struct upcr_file {
    uint32_t mark;
    int descriptor;
    int flags;
    int64_t position; /* position of the individual file pointer, or this thread's copy of the common one */
    char *name;
    struct upcr_hint *hints;
    size_t hint_count;
    struct upcr_transfer_io *pending; /* the asynchronous operation that is under way */
    upcr_pts_t lock;                  /* for strong consistency and atomicity */
};

/* Returns this thread's part of the file; NULL with EBADF if the handle is not a file; NULL with EBUSY if an
   operation is pending, unless `also_busy`. */
struct upcr_file *upcr_file_at(upcr_pts_t handle, bool also_busy, const char *function);

/* What instrumented calls report of a file (upcr/inst_support.h). */
int upcr_file_flags(upcr_pts_t handle) UPCR_HIDDEN;
int upcr_file_sync_flags(upcr_pts_t handle, int flags) UPCR_HIDDEN;
upcr_size upcr_file_part(upcr_pts_t handle, upcr_size n) UPCR_HIDDEN;

/* Returns the flags that decide how a call on the file synchronizes. */
static inline upc_flag_t upcr_io_sync_flags(int file_flags, upc_flag_t flags)
{
    return file_flags & UPC_STRONG_CA ? UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC : flags;
}

/* Return the largest of the threads' numbers, the sum, and the smallest. Collective. */
int upcr_io_largest(int number);
int upcr_io_smallest(int number);
int64_t upcr_io_sum(int64_t number);

#endif
