/* Memory that is not mapped: the functions that units compiled with UPCR_REMOTE call when upcr_mapped returns 0. The software cache implements them,
   and calls the transport (src/cache, src/remote). Any size is allowed; p may have any phase. */
#ifndef UPCR_REMOTE_H
#define UPCR_REMOTE_H

#include "upcr/base.h"
#include "upcr/update.h"

/* Not 0: since its last fence this thread has written to memory that is not mapped, or has cached what it read there. */
extern int upcr_pending UPCR_HIDDEN;

/* Not 0: some reads of memory that is not mapped take a message each, because the cache is off or does not pay there. */
extern int upcr_gathering UPCR_HIDDEN;

/* The line of the cache that a place of the program read last, unless a line was dropped since or its use must be recorded. Places share the
   entries of a table, in turn: a loop that reads several rows has a line for each of them. */
struct upcr_recent {
    const char *first; /* its address if it were mapped */
    upcr_size bytes;   /* 0: none */
    const char *data;
    upcr_u64 *hits; /* the cache's count of hits */
};
#define UPCR_RECENT 16
extern struct upcr_recent upcr_recent[UPCR_RECENT] UPCR_HIDDEN;

/* The entry of the place where this is expanded. */
#define UPCR_RECENT_HERE (&upcr_recent[__COUNTER__ % UPCR_RECENT])

/* Returns where the n bytes at src can be read until the next access: in buffer or in the cache. Relaxed. A line that has them becomes that of
   `recent`. */
extern const void *upcr_remote_read(struct upcr_recent *recent, void *buffer, upcr_pts_t src, upcr_size n) UPCR_HIDDEN;

/* An access of an instrumented unit that is counted without a report (upcr/inst.h): the address of its site, + 1 for a write; or 0. */
typedef upcr_size upcr_counted;

/* The same, and relaxed write. An access that takes more than a cache lookup is reported late. */
extern const void *upcr_remote_read_counted(struct upcr_recent *recent, upcr_counted counted, void *buffer, upcr_pts_t src, upcr_size n) UPCR_HIDDEN;
extern void upcr_remote_put_counted(upcr_counted counted, upcr_pts_t dst, const void *src, upcr_size n) UPCR_HIDDEN;

/* A read that first tries the line of its place. */
UPCR_INLINE const void *upcr_remote_see(struct upcr_recent *recent, upcr_counted counted, void *buffer, upcr_pts_t src, upcr_size n)
{
    upcr_size in_line = (upcr_size)((const char *)upcr_addr(src) - recent->first);
    if (__builtin_expect(in_line < recent->bytes && n <= recent->bytes - in_line, 1)) {
        ++*recent->hits;
        return recent->data + in_line;
    }
    return counted == 0 ? upcr_remote_read(recent, buffer, src, n) : upcr_remote_read_counted(recent, counted, buffer, src, n);
}

/* Relaxed read and write. */
extern void upcr_remote_get(void *dst, upcr_pts_t src, upcr_size n) UPCR_HIDDEN;
extern void upcr_remote_put(upcr_pts_t dst, const void *src, upcr_size n) UPCR_HIDDEN;

/* Relaxed read of a part of an array that a loop may read again. */
extern void upcr_remote_get_strip(void *buffer, upcr_pts_t src, upcr_size n) UPCR_HIDDEN;

/* The same; returns where the bytes can be read until the next access: in the buffer or in the cache. */
extern const void *upcr_remote_see_strip(void *buffer, upcr_pts_t src, upcr_size n) UPCR_HIDDEN;

/* Relaxed reads of elements of `size` bytes at `count` places. Returns a table of pointers to them, which is valid until the next gather of this
   number: elements that are not mapped are read into `buffer`, all others stay in place. */
extern void *upcr_gather(int number, void *buffer, const upcr_pts_t *places, upcr_size count, upcr_size size) UPCR_HIDDEN;

/* Begins a run of up to n iterations that collects its relaxed writes by thread; returns the number of its iterations. 0: it does not. */
extern long upcr_scatter_begin(long n) UPCR_HIDDEN;

/* Returns where the value of a write goes that does not continue the last one to its thread. */
extern void *upcr_scatter_other(upcr_pts_t dst, upcr_size n) UPCR_HIDDEN;

/* Ends the run: makes the writes that are collected. */
extern void upcr_scatter_end(void) UPCR_HIDDEN;

/* A relaxed read and a relaxed write of what was read. */
extern void upcr_remote_copy(upcr_pts_t dst, upcr_pts_t src, upcr_size n) UPCR_HIDDEN;

UPCR_INLINE void upcr_remote_write(upcr_counted counted, upcr_pts_t dst, const void *src, upcr_size n)
{
    if (counted == 0)
        upcr_remote_put(dst, src, n);
    else
        upcr_remote_put_counted(counted, dst, src, n);
}

/* Relaxed: `*place op= *value`, a read and a write of n bytes: upcr_update_apply (src/update.h). */
extern void upcr_remote_update(upcr_pts_t place, enum upcr_update update, const void *value, upcr_size n) UPCR_HIDDEN;

/* Writes only those bytes of `src` whose byte of `mask` is not 0; they are contiguous. */
extern void upcr_remote_put_bits(upcr_pts_t dst, const void *src, const void *mask, upcr_size n) UPCR_HIDDEN;

/* Strict read and write: ordered with all accesses before and after. */
extern void upcr_remote_get_strict(void *dst, upcr_pts_t src, upcr_size n) UPCR_HIDDEN;
extern void upcr_remote_put_strict(upcr_pts_t dst, const void *src, upcr_size n) UPCR_HIDDEN;

/* Every earlier access is performed before any later one, and nothing read before is remembered. */
extern void upcr_remote_fence(void) UPCR_HIDDEN;

#endif
