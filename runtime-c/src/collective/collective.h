/* What the collective functions share: when a thread may touch which data, which thread does which part, blocked arrays
   as runs of contiguous memory, and the types and operations of reductions.

   Every function does some work that is distributed over the threads between the two synchronizations that its flags
   request (sync.c). Data moves through upcr_copy, upcr_get and upcr_put only, or in place where upcr_mapped allows
   it (layout.c), so nothing here depends on a transport. */
#ifndef UPCR_COLLECTIVE_H
#define UPCR_COLLECTIVE_H

#include "runtime.h"

#include "races/races.h"
#include "upc_types.h"
#include "upcr/collective_ops.h"

/* ---- Synchronization: sync.c (core library section, "Synchronization flags") --------------------------------------- */

/* When data may be touched: at any time; once the thread it has affinity to has entered the call (or, when leaving,
   has finished with the data); once all threads have entered the call (or have finished). */
enum upcr_sync { UPCR_NOSYNC, UPCR_MYSYNC, UPCR_ALLSYNC };

/* One call of a collective function on this thread. */
struct upcr_call {
    const char *function; /* as the user called it */
    enum upcr_sync in, out;
    uint32_t agent; /* the clock of its accesses, where races are detected */
};

/* Ends the job between upc_notify and upc_wait. */
struct upcr_call upcr_call_begin(const char *function, upc_flag_t flags);

/* Returns whether one thread should do the work alone, given the cost of a meeting of all threads. bytes: bytes
   touched by all threads together; iov: number of separate runs of memory. The result is the same on every thread,
   whatever the flags, but not on every machine. */
bool upcr_call_is_small(size_t bytes, size_t iov);

/* Synchronizes and makes one thread do all the work: `thread` if the flags allow it to start and leave at any time. */
void upcr_call_alone(const struct upcr_call *call, int thread, void (*work)(void *), void *argument);

/* Perform the two synchronizations, for work that is distributed. own: this thread touches no data with affinity to
   another thread between them, and no other thread touches its data. */
void upcr_call_enter(const struct upcr_call *call, bool own);
void upcr_call_leave(const struct upcr_call *call, bool own);

/* Where races are detected: the call touches n bytes at a place, as its flags permit from upcr_call_enter to upcr_call_leave. Each thread
   says so for what has affinity to it; of other places this says nothing. */
void upcr_call_touch(struct upcr_call *call, upcr_pts_t place, size_t n, enum upcr_touch how);

/* Returns a cache line of shared memory of a thread, by which the threads exchange intermediate results. */
upcr_pts_t upcr_call_slot(int thread);
#define UPCR_SLOT_BYTES UPCR_CACHE_LINE

/* ---- Single-valued arguments: arguments.c --------------------------------------------------------------------------- */

/* Arguments as the user passed them; arguments that a function does not have are zero. */
struct upcr_arguments {
    const char *function;
    upcr_pts_t dst, src, perm;
    const char *count_name; /* "nbytes", "nelems" or "n_elems" */
    size_t count;
    size_t block; /* blk_size, in elements */
    size_t size;  /* elem_size */
    void (*func)(void);
    upc_op_t op;
    upc_flag_t flags;
};

/* In checked programs: ends the job if thread 0 called another function or passed other values. Collective: all
   threads have entered the call when it returns. */
void upcr_arguments_check(const struct upcr_arguments *arguments);

/* ---- Blocked arrays: layout.c ------------------------------------------------------------------------------------- */

/* An array "shared [block] T a[count]", beginning at some element. start may carry any phase below block. */
struct upcr_layout {
    upcr_pts_t start;
    size_t count;
    size_t block; /* in elements; SIZE_MAX: indefinite */
    size_t size;  /* of an element, in bytes */
};

/* blk_size: as passed to a library function; 0 is the indefinite block size, which has no phase. */
struct upcr_layout upcr_layout_make(upcr_pts_t start, size_t count, size_t blk_size, size_t size);

/* Elements that are contiguous in the memory of one thread. */
struct upcr_run {
    upcr_pts_t start;
    size_t count;
};

/* In checked programs: ends the job unless this thread's part of the array exists and the array's first phase is
   below the block size. name: of the argument; verb: "upc_all_sort writes". */
void upcr_layout_check(const struct upcr_layout *layout, const char *function, const char *name, const char *verb);

/* upcr_call_touch for the elements of an array. */
void upcr_layout_touch(const struct upcr_layout *layout, struct upcr_call *call, enum upcr_touch how);

/* Returns all elements with affinity to a thread. */
struct upcr_run upcr_layout_local(const struct upcr_layout *layout, int thread);

/* Returns whether a single thread has all elements. */
bool upcr_layout_is_one_run(const struct upcr_layout *layout);

/* Returns where part number `part` of `parts` of a whole of `count` begins; parts differ by at most one element. */
size_t upcr_part_begin(size_t count, size_t part, size_t parts);

/* Returns the elements that a thread processes where order does not matter: those it has affinity to, or an equal
   part if one thread has them all. */
struct upcr_run upcr_layout_share(const struct upcr_layout *layout, int thread);

/* An iteration over an array, run by run. */
struct upcr_cursor {
    upcr_pts_t block_start; /* thread and address of the current block, no phase */
    size_t phase;
    size_t left; /* elements up to the end */
};
struct upcr_cursor upcr_cursor_at(const struct upcr_layout *layout, size_t from, size_t to);

/* Returns the next run, of at most `most` elements; count 0 at the end. */
struct upcr_run upcr_cursor_next(struct upcr_cursor *cursor, const struct upcr_layout *layout, size_t most);

/* Copy elements from..to of an array to and from private memory, in their order. */
void upcr_layout_get(void *buffer, const struct upcr_layout *layout, size_t from, size_t to);
void upcr_layout_put(const struct upcr_layout *layout, size_t from, size_t to, const void *buffer);

/* Adds the same elements and `buffer` to a collection of iovecs (iov.h). */
struct upcr_iov_list;
void upcr_layout_add(struct upcr_iov_list *iov, const struct upcr_layout *layout, size_t from, size_t to, void *buffer);

/* Calls visit(context, in, out, n) for elements from..to in their order, several per call. in: where they can be
   read. out: where to write n elements, which go to `dst`, an array with the same layout that starts at the same
   thread and phase; NULL if dst is NULL. */
typedef void upcr_visit(void *context, const void *in, void *out, size_t n);
void upcr_layout_visit(const struct upcr_layout *src, const struct upcr_layout *dst, size_t from, size_t to, upcr_visit *visit, void *context);

/* ---- Types and operations of reductions: kernels.c ------------------------------------------------------------------ */

/* The caller's function; its type is that of the element type. */
typedef void (*upcr_user_function)(void);

/* One operation on one type, written "+" below. */
struct upcr_kernel {
    /* Computes *total = *total + in[0] + ... + in[n - 1]; commutative built-in operations in an order that depends
       on n alone. */
    void (*fold)(void *total, const void *in, size_t n, upcr_user_function function);
    /* Computes out[i] = *total + in[0] + ... + in[i], and *total = out[n - 1]. in may be out. */
    void (*scan)(void *total, const void *in, void *out, size_t n, upcr_user_function function);
};

/* Number of operations in <upc_types.h>: values 1 << 0 up to 1 << (UPCR_BUILTIN_OPS - 1). */
#define UPCR_BUILTIN_OPS 9

struct upcr_element_type {
    size_t size;
    struct upcr_kernel builtin[UPCR_BUILTIN_OPS]; /* null functions: the type does not have the operation */
    struct upcr_kernel user;
};

/* The element types in the order C, UC, S, US, I, UI, L, UL, F, D, LD. */
extern const struct upcr_element_type *const upcr_element_types[];

/* Returns the kernel of an operation; ends the job if there is none. */
const struct upcr_kernel *upcr_kernel_of(const struct upcr_element_type *type, const struct upcr_arguments *arguments);

/* Implement upc_all_reduceT and upc_all_prefix_reduceT for any type: reduce.c. */
void upcr_reduce(const struct upcr_element_type *type, const struct upcr_arguments *arguments);
void upcr_prefix_reduce(const struct upcr_element_type *type, const struct upcr_arguments *arguments);

/* Implements bupc_all_reduce_allT, which stores the result on every thread, at dst's address: values.c. */
void upcr_reduce_all(const struct upcr_element_type *type, const struct upcr_arguments *arguments);

#endif
