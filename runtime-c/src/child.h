/* Processes that the user forks from a thread. They have the thread's number and its view of shared memory, but are no threads: what they did in
   a barrier, with a lock or by messages would count for their parent. */
#ifndef UPCR_CHILD_H
#define UPCR_CHILD_H

#include "runtime.h"

extern bool upcr_is_child UPCR_HIDDEN;

/* In each thread before user code. */
void upcr_child_start(void) UPCR_HIDDEN;

void upcr_child_fatal(const char *what) UPCR_HIDDEN __attribute__((__noreturn__, __cold__));

/* At the entry to whatever counts for a thread: such a process says so and ends. what: the function that the user called. */
static inline void upcr_thread_only(const char *what)
{
    if (__builtin_expect(upcr_is_child, 0))
        upcr_child_fatal(what);
}

#endif
