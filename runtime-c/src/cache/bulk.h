/* Transfers that bypass the cache, and what they do to the lines that it holds of the same bytes. */
#ifndef UPCR_CACHE_BULK_H
#define UPCR_CACHE_BULK_H

#include "cache/lines.h"

/* Read and write more bytes than a line has. Pre: upcr_cache_enter has been called, and the bytes are cacheable. */
void upcr_bulk_read(void *buffer, upcr_pts_t src, size_t n) UPCR_HIDDEN;
void upcr_bulk_write(upcr_pts_t dst, const void *src, size_t n) UPCR_HIDDEN;

/* Called when no line is in the cache any more (strip.c). */
void upcr_strip_forget(void) UPCR_HIDDEN;

/* What upcr_cache_release does, without its events. */
void upcr_bulk_release(upcr_pts_t place, size_t n) UPCR_HIDDEN;

#endif
