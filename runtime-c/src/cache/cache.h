/* The software cache: what this thread remembers of memory that is not mapped, and what it has written there and not sent yet. It sits
   between remote/remote.c, which alone calls it for accesses, and the transport. Each thread has its own; nothing keeps them coherent but the null
   strict accesses of the memory model, at which a thread sends what it wrote and forgets what it read (docs/memory-model.md).

   Direct-mapped, with a few lines more for those that were thrown out last; write-back; a bit for each byte written, so that bytes of
   other threads in the same line are nobody's business and a line that is only written is never fetched. */
#ifndef UPCR_CACHE_CACHE_H
#define UPCR_CACHE_CACHE_H

#include "runtime.h"

#include "transport/transport.h"

#define UPCR_CACHE_LINE_MIN  64
#define UPCR_CACHE_LINE_MAX  8192
#define UPCR_CACHE_LINES_MIN 16
#define UPCR_CACHE_LINES_MAX 65536

/* Reads what the user asked for; before the threads start. Exits on nonsense. */
void upcr_cache_prepare(void) UPCR_HIDDEN;

/* In each thread, once the transport runs: the cache's memory. Without the cache upcr_cache_is_on stays false. */
void upcr_cache_start(void) UPCR_HIDDEN;

/* Whether accesses go through the cache: upcr_remote_read and upcr_remote_put of upcr/remote.h, which are its own. If not, none of the functions
   below is called, but for upcr_cache_report. */
extern bool upcr_cache_is_on UPCR_HIDDEN;

/* What this thread has written to the n bytes is with the transport, and nothing of them is remembered: for operations that go by the
   cache, before they start; for those that change the bytes later than they return, again when they are complete. */
void upcr_cache_release(upcr_pts_t place, size_t n) UPCR_HIDDEN;

/* A put to these bytes has been started with upcr_tp_start_put and is not done; all that belong to this batch are done. Pre of the first:
   upcr_cache_release of the same bytes, before the start. */
void upcr_cache_watch_put(upcr_pts_t place, size_t n, struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_cache_puts_done(const struct upcr_batch *batch) UPCR_HIDDEN;

/* All that was written is with the transport, and nothing is remembered. */
void upcr_cache_flush(void) UPCR_HIDDEN;

/* Hands a part of what was written to the transport, and remembers the rest as it is: by the thread that has the collections (collect.h). True: there is
   more. puts: those that are under way then. */
bool upcr_cache_send_some(struct upcr_batch *puts) UPCR_HIDDEN;

/* Prints what the cache did, if the user asked for it (UPC_CACHE_STATS). */
void upcr_cache_report(void) UPCR_HIDDEN;

#endif
