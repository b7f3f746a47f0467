/* Declarations that all files of the runtime share. Every file includes it first.

   The runtime is compiled with -fvisibility=hidden. `#pragma GCC visibility push(default)` stands around the functions that
   the headers of users declare (upc.h, gasp.h ...), because shared libraries that a program uses may call them. */
#ifndef UPCR_RUNTIME_H
#define UPCR_RUNTIME_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define UPCR_RUNTIME
#include "upcr/upcr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UPCR_CACHE_LINE 64

/* Returns the bytes of one thread's segment that hold static shared data, including the reserved start. */
size_t upcr_static_bytes(void);

/* Returns whether a upc_notify of this thread still waits for its upc_wait. */
bool upcr_is_notified(void);

/* Called on entry to a collective library function: ends the job between upc_notify and upc_wait. */
void upcr_collective_enter(const char *function);

/* Passes a barrier that no upc_barrier statement expresses, in collective functions and at start-up. */
void upcr_internal_barrier(const char *where);

/* The same for a function that promises the order: what every thread did before is before what any thread does afterwards. */
void upcr_ordering_barrier(const char *where);

/* Copies the n <= UPCR_BROADCAST_MAX bytes at buf on thread 0 to buf on every thread. Collective, passes a barrier;
   function: the library function that the user called. */
void upcr_broadcast(void *buf, size_t n, const char *function);

/* Passes a barrier in which one thread runs work(argument), after all have arrived and before any returns; function:
   the library function that the user called. What threads did before is visible to the work, and what the work did is
   visible to every thread afterwards; but it is not a strict access. */
void upcr_rendezvous(void (*work)(void *), void *argument, const char *function);

/* Finds the offset of an address in the segment that contains it, and the segment's thread. False: it is in no segment that is mapped. */
static inline bool upcr_find_place(const volatile void *address, size_t *thread, size_t *offset)
{
    size_t distance = (size_t)((const volatile char *)address - upcr_segment_base);
    *thread = distance / UPCR_SEGMENT_STRIDE;
    *offset = distance - *thread * UPCR_SEGMENT_STRIDE;
    return (const volatile char *)address >= upcr_segment_base && *thread < (size_t)upcr_threads && upcr_mapped(*thread);
}

/* Copy n bytes, each place having affinity to a single thread; relaxed. These are the runtime's own upc_memcpy,
   upc_memget, upc_memput and upc_memset, and the only place where library code chooses between mapped memory and the transport. */
void upcr_copy(upcr_pts_t dst, upcr_pts_t src, size_t n) UPCR_HIDDEN;
void upcr_get(void *dst, upcr_pts_t src, size_t n) UPCR_HIDDEN;
void upcr_put(upcr_pts_t dst, const void *src, size_t n) UPCR_HIDDEN;
void upcr_set(upcr_pts_t dst, int c, size_t n) UPCR_HIDDEN;

/* The same, but under way: until upcr_finish has returned for the batch (transport.h), dst may be written and src
   read. */
struct upcr_batch;
void upcr_start_get(void *dst, upcr_pts_t src, size_t n, struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_start_put(upcr_pts_t dst, const void *src, size_t n, struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_start_set(upcr_pts_t dst, int c, size_t n, struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_start_copy(upcr_pts_t dst, upcr_pts_t src, size_t n, struct upcr_batch *batch) UPCR_HIDDEN;
bool upcr_is_finished(struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_finish(struct upcr_batch *batch) UPCR_HIDDEN;

/* Passes the barrier that every thread passes when it leaves main or calls exit with this status. */
void upcr_final_barrier(int status);

/* Ends the job: the collective function that this thread executes waits for a thread that has left the program. left: as
   upcr_tp_has_left (transport/transport.h) returns it. */
void upcr_partner_left(int thread, uint32_t left) __attribute__((__noreturn__, __cold__));

/* Prints "upc thread M of N: PLACE: MESSAGE" on stderr and ends the job with status 1. Only the first report of a
   job is printed. The place is the user's line that is executing ("heat.upc:34 (main)"), if it can be found; _at:
   the given one. */
void upcr_die(const char *format, ...) __attribute__((__format__(__printf__, 1, 2), __noreturn__));
void upcr_die_at(const char *place, const char *format, ...) __attribute__((__format__(__printf__, 2, 3), __noreturn__));

/* Prints the same, and the program continues. */
void upcr_report_at(const char *place, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));

/* Prints the same line, and the program continues. A warning can be switched off. */
void upcr_warn(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));
/* Prints the same without a place; may be called from a signal handler. */
void upcr_log(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));

/* Prints "PROGRAM: MESSAGE" on stderr and exits with status 1, for errors found before the threads exist. */
void upcr_fatal(const char *format, ...) __attribute__((__format__(__printf__, 1, 2), __noreturn__));

/* Prints the same line as upcr_fatal, and the program continues. For messages of the launcher. */
void upcr_log_program(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));

/* Prints a size as users write one: "64 MB", "1536 KB", "100 bytes". Returns buffer. */
char *upcr_print_size(char *buffer, size_t capacity, uint64_t bytes);

#endif
