/* The software cache: copies of memory that is not mapped, and bytes that this thread has written there and not yet sent. It lies between
   remote/remote.c, which alone calls it for accesses, and the transport. Each thread has its own. Only the null strict accesses of the memory model
   keep the caches coherent: there a thread sends what it wrote and drops what it read (docs/memory-model.md).

   The cache is direct-mapped, with a few victim lines, and write-back. It has a bit for each byte written, so that bytes of other threads in the
   same line are left alone, and a line that is only written is never fetched. */
#ifndef UPCR_CACHE_CACHE_H
#define UPCR_CACHE_CACHE_H

#include "runtime.h"

#include "transport/transport.h"

#define UPCR_CACHE_LINE_MIN  64
#define UPCR_CACHE_LINE_MAX  8192
#define UPCR_CACHE_LINES_MIN 16
#define UPCR_CACHE_LINES_MAX 65536

/* Reads the user's options before the threads start. Ends the program if they are invalid. */
void upcr_cache_prepare(void) UPCR_HIDDEN;

/* Called in each thread once the transport runs: allocates the cache's memory. Without the cache upcr_cache_is_on stays false. */
void upcr_cache_start(void) UPCR_HIDDEN;

/* True if accesses go through the cache: upcr_remote_read and upcr_remote_put of upcr/remote.h, which it defines. If false, none of the functions
   below is called, except upcr_cache_report. */
extern bool upcr_cache_is_on UPCR_HIDDEN;

/* Called before a line or its bytes go, and when a tool begins to listen: emitted code reads from no line by itself until the next hit. */
void upcr_cache_forget_recent(void) UPCR_HIDDEN;

/* Hands what this thread has written to the n bytes to the transport, and drops them from the cache: called before operations that bypass the cache;
   and once more when an operation is complete that changes the bytes after it returns. */
void upcr_cache_release(upcr_pts_t place, size_t n) UPCR_HIDDEN;

/* The first: a put to these bytes, or a set, has been started and is not done. The second: all puts of this batch are done. Pre of the
   first: upcr_cache_release of the same bytes, before the start. */
void upcr_cache_track_put(upcr_pts_t place, size_t n, const struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_cache_puts_done(const struct upcr_batch *batch) UPCR_HIDDEN;

/* Hands all that was written to the transport, and drops all lines. */
void upcr_cache_flush(void) UPCR_HIDDEN;

/* Called when the thread leaves a barrier: fetches what it will probably read before the next one. */
void upcr_cache_expect(void) UPCR_HIDDEN;

/* Hands a part of what was written to the transport, and keeps the rest. Called by the thread that owns the collections (collect.h). True: there is
   more. puts: receives the puts that are then under way. */
bool upcr_cache_send_some(struct upcr_batch *puts) UPCR_HIDDEN;

/* Prints statistics of the cache if the user has requested them (UPC_CACHE_STATS). */
void upcr_cache_report(void) UPCR_HIDDEN;

#endif
