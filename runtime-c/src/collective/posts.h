/* Small data that a thread offers to the others of a collective call where all memory is mapped. A thread that reads a post waits for
   its writer alone, and a writer goes on while others still read: MYSYNC asks for no more. All threads take part in the same calls in
   the same order, so each knows which threads post in a call. */
#ifndef UPCR_COLLECTIVE_POSTS_H
#define UPCR_COLLECTIVE_POSTS_H

#include "collective/collective.h"

/* The bytes of a post, at most: with the event in front of them it fills four cache lines. */
#define UPCR_POST_BYTES 248

/* Returns whether a call, in which no thread posts more than so many bytes, may go by posts. The result is the same on every thread. */
bool upcr_posts_serve(const struct upcr_call *call, size_t bytes);

/* Returns where this thread writes its post of the call in progress. */
void *upcr_post_begin(void);
/* Makes it known. */
void upcr_post_end(void);

/* Waits for the post of another thread in this call; returns its bytes, which stay as they are until upcr_posts_end. */
const void *upcr_post_of(int thread);
/* The same for a post that this thread does not read. */
void upcr_post_skip(int thread);

/* Ends this thread's part of a call that goes by posts. */
void upcr_posts_end(void);

#endif
