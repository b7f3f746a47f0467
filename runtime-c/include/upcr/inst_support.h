/* Functions that the generated ones of inst_calls.h use, and the instrumented library calls that are written by hand. */
#ifndef UPCR_INST_SUPPORT_H
#define UPCR_INST_SUPPORT_H

/* Returns the count of calls at a place that need no report, to the objects of one thread, of this number of bytes each: `get` is the count, `put` the
   bytes. NULL: this call is reported, or no tool receives events. */
UPCR_INLINE struct upcr_skip_counts *upcr_inst_skip_call(const upcr_site *site, upcr_pts_t p, upcr_size bytes)
{
    if (!upcr_inst_on)
        return (struct upcr_skip_counts *)0;
    struct upcr_skip_counts *counts = upcr_inst_counts(site, upcr_threadof(p));
    return counts && counts->get != 0 && counts->put == bytes ? counts : (struct upcr_skip_counts *)0;
}

/* ---- The C library's heap ------------------------------------------------------------------------------------------ */

/* Allocations are builtins, and are reported out of line by functions with malloc's attributes, so that the C compiler knows that nothing else points
   to the memory. */
extern void *upcr_inst_reported_malloc(upcr_site *site, upcr_size n) UPCR_HIDDEN UPCR_RARE_ __attribute__((__malloc__, __alloc_size__(2)));
extern void *upcr_inst_reported_calloc(upcr_site *site, upcr_size count, upcr_size size) UPCR_HIDDEN UPCR_RARE_
    __attribute__((__malloc__, __alloc_size__(2, 3)));

UPCR_INLINE void *upcr_inst_malloc(upcr_site *site, upcr_size n)
{
    return __builtin_expect(upcr_inst_on, 0) ? upcr_inst_reported_malloc(site, n) : __builtin_malloc(n);
}
UPCR_INLINE void *upcr_inst_calloc(upcr_site *site, upcr_size count, upcr_size size)
{
    return __builtin_expect(upcr_inst_on, 0) ? upcr_inst_reported_calloc(site, count, size) : __builtin_calloc(count, size);
}

/* ---- Exit: the event is raised by upc_global_exit itself ------------------------------------------------------------ */

extern void upcr_call_upc_global_exit(int status) __asm__("upc_global_exit");
/* Records where the thread calls upc_global_exit. */
extern void upcr_inst_exit_place(upcr_site *site) UPCR_HIDDEN UPCR_RARE_;

UPCR_INLINE void upcr_inst_upc_global_exit(upcr_site *site, int status)
{
    upcr_inst_exit_place(site);
    upcr_call_upc_global_exit(status);
}
UPCR_INLINE void upcr_inst_bupc_exit(upcr_site *site, int status)
{
    upcr_inst_upc_global_exit(site, status);
}

/* ---- Locks: counted are those that need not wait ------------------------------------------------------------------- */

extern int upcr_support_lock_attempt(upcr_pts_t lock) __asm__("upc_lock_attempt");
extern void upcr_call_upc_lock(upcr_pts_t lock) __asm__("upc_lock");

UPCR_INLINE void upcr_inst_upc_lock(upcr_site *site, upcr_pts_t lock)
{
    struct upcr_skip_counts *counts = upcr_inst_skip_call(site, lock, 0);
    if (counts && upcr_support_lock_attempt(lock)) {
        counts->get--;
        return;
    }
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_LOCK, &lock);
    upcr_call_upc_lock(lock);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_LOCK, &lock);
}

/* ---- Scattered transfers ------------------------------------------------------------------------------------------- */

typedef struct {
    upcr_pts_t addr;
    upcr_size len;
} __attribute__((__may_alias__)) upcr_shared_block_;
typedef struct {
    void *addr;
    upcr_size len;
} __attribute__((__may_alias__)) upcr_private_block_;

/* Of the lists of upc_all_fread_list_shared and its like. */
typedef struct {
    upcr_pts_t baseaddr;
    upcr_size blocksize, len;
} __attribute__((__may_alias__)) upcr_shared_memvec_;

/* The bytes of a list of one of these types. */
#define UPCR_BYTES_OF_(lists, type)                                                \
    UPCR_INLINE upcr_size upcr_bytes_of_##lists(const type *list, upcr_size count) \
    {                                                                              \
        upcr_size bytes = 0, i;                                                    \
        for (i = 0; i < count; i++)                                                \
            bytes += list[i].len;                                                  \
        return bytes;                                                              \
    }
UPCR_BYTES_OF_(shared_blocks_, upcr_shared_block_)
UPCR_BYTES_OF_(private_blocks_, upcr_private_block_)
UPCR_BYTES_OF_(shared_memvecs_, upcr_shared_memvec_)
#undef UPCR_BYTES_OF_

/* counts[0] is a number of bytes; each other one is a number of the units that the previous one describes. */
UPCR_INLINE upcr_size upcr_strided_bytes_(const upcr_size *counts, upcr_size levels)
{
    upcr_size bytes = counts[0], i;
    for (i = 1; i <= levels; i++)
        bytes *= counts[i];
    return bytes;
}

/* ---- Non-blocking transfers ---------------------------------------------------------------------------------------- */

struct upcr_transfer;

/* The handle of a transfer that has none of its own. Mapped memory is copied by the initiation, so the transfer is complete. */
#define UPCR_TRIVIAL_ ((struct upcr_transfer *)0)

/* Returns the first pending handle, which the event names. */
UPCR_INLINE struct upcr_transfer *upcr_pending_(struct upcr_transfer *const *handles, upcr_size count)
{
    upcr_size i;
    for (i = 0; i < count; i++)
        if (handles[i])
            return handles[i];
    return UPCR_TRIVIAL_;
}

/* ---- Input and output ---------------------------------------------------------------------------------------------- */

/* Return the flags of an open file (0 if the handle is not one), those by which a call on it synchronizes, and how many bytes this thread moves of n
   that all threads ask for. */
extern int upcr_file_flags(upcr_pts_t file) UPCR_HIDDEN;
extern int upcr_file_sync_flags(upcr_pts_t file, int flags) UPCR_HIDDEN;
extern upcr_size upcr_file_part(upcr_pts_t file, upcr_size n) UPCR_HIDDEN;

/* ---- Atomic operations --------------------------------------------------------------------------------------------- */

/* Returns the bytes of an operand of the domain's type. */
extern upcr_size upcr_atomic_bytes(upcr_pts_t domain) UPCR_HIDDEN;

/* Berkeley's atomics have a function for each operation. Their events name the equal operations of upc_atomic (upcr/atomic_ops.h). */
enum { UPCR_OP_ADD_ = 1, UPCR_OP_AND_ = 4, UPCR_OP_OR_ = 8, UPCR_OP_XOR_ = 16, UPCR_OP_GET_ = 512, UPCR_OP_SET_ = 1024, UPCR_OP_CSWAP_ = 2048 };

#endif
