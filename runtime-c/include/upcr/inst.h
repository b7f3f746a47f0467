/* Instrumented units: the operations of upcr.h that raise events. upcr.h includes this file if UPCR_INST is defined, as by --inst.

   Every place that raises events has a record, an element of the unit's `static upcr_site upcc_sites[N]`; operations take its address as
   their first argument. Arguments are evaluated once, before the start of the event. While no tool receives events, upcr_inst_on is 0, and
   an operation costs one test more than without instrumentation. */
#ifndef UPCR_INST_H
#define UPCR_INST_H

#include "upcr/base.h"
#include "upcr/events.h"

/* A place in the source. The first four members are PUPC 1.1's struct pupc_location. */
typedef struct upcr_site {
    const char *file; /* its name in messages; the same pointer for the same file of a unit */
    upcr_u32 line, column;
    void *util;          /* for the tool */
    const char *type;    /* C type of the accessed variable ("shared int"), or the signature of a function as the user wrote it; or null */
    const char *name;    /* the variable's text ("a[i]"); or null */
    upcr_u32 id;         /* for the bundled tool measure; 0 before the first event */
    upcr_u32 skip_index; /* index of its counts in upcr_inst_skip_counts; 0: it has none, and every access is reported */
} upcr_site;

/* A site of the unit. Because it is a macro of a system header, inline functions may use it although it names a static object. */
#define UPCR_SITE(n) (&upcc_sites[n])

/* Whether a tool receives this thread's events, which any of its pthreads may raise. */
extern int upcr_inst_on UPCR_HIDDEN;

/* Bits of the events that the unit requests, by enum upcr_event_index: 0 to 63, and from 64 on. The last bit means that accesses which turn out to
   be local also raise events. */
#define UPCR_INST_LOCAL ((upcr_u64)1 << 63)
/* No list restricts the events of the unit: tools may request the pairs that overlap others. */
#define UPCR_INST_ON_REQUEST ((upcr_u64)1 << 62)
typedef struct {
    upcr_u64 low, high;
} upcr_inst_unit;

/* Once in every instrumented unit. The undefined symbols make the linker include the files of the runtime library that raise events, and
   the tool if it is in a library: the linker includes only files that an object refers to. */
#define UPCR_INST_UNIT(low, high)                                                                                                            \
    static const upcr_inst_unit upcr_this_inst_unit __attribute__((__section__("upcr_inst_units"), __used__, __aligned__(8))) = {low, high}; \
    __asm__(".globl upcr_inst_program\n\t.globl gasp_init\n\t.globl gasp_event_notify\n\t.globl gasp_event_notifyVA\n\t"                     \
            ".globl gasp_control\n\t.globl gasp_create_event\n\t.globl pupc_event_notify")

/* A loop of the user around sites of the unit: the places of its first and of its last token. It raises no events; a tool may add up what happens in
   it. */
enum upcr_loop_kind { UPCR_LOOP_FOR = 1, UPCR_LOOP_WHILE, UPCR_LOOP_DO };
typedef struct {
    const char *file;
    upcr_u32 line, column, last_line, last_column;
    upcr_u32 kind; /* enum upcr_loop_kind; 0: no loop */
} upcr_inst_loop;

/* `UPCR_INST_LOOPS = {...};` at most once in an instrumented unit. */
#define UPCR_INST_LOOPS static const upcr_inst_loop upcr_this_inst_loops[] __attribute__((__section__("upcr_inst_loops"), __used__, __aligned__(8)))

/* What the compiler does with a reference of a counted loop while no tool receives events, or why it does nothing: a remark (`upcc -Rupc`). The
   place is that of sites. */
typedef struct {
    const char *file; /* null: no reference */
    upcr_u32 line, column;
    const char *remark;
} upcr_inst_reference;

/* `UPCR_INST_REFERENCES = {...};` at most once in an instrumented unit. */
#define UPCR_INST_REFERENCES \
    static const upcr_inst_reference upcr_this_inst_references[] __attribute__((__section__("upcr_inst_references"), __used__, __aligned__(8)))

/* Units move code that runs only while a tool receives events out of the hot path; the functions themselves must be fast. */
#ifdef UPCR_RUNTIME
#define UPCR_RARE_
#else
#define UPCR_RARE_ __attribute__((__cold__))
#endif

/* Raise the start, the end or the single occurrence of an event; arguments as <gasp_upc.h> has them. Pre: upcr_inst_on. */
extern void upcr_inst_start(upcr_site *site, int event, ...) UPCR_HIDDEN UPCR_RARE_;
extern void upcr_inst_end(upcr_site *site, int event, ...) UPCR_HIDDEN UPCR_RARE_;
/* The same for the end of a call after which the user may look at errno. */
extern void upcr_inst_end_keeping_errno(upcr_site *site, int event, ...) UPCR_HIDDEN UPCR_RARE_;
extern void upcr_inst_once(upcr_site *site, int event, ...) UPCR_HIDDEN UPCR_RARE_;

/* ---- Accesses ------------------------------------------------------------------------------------------------------ */

/* The counts of accesses without a report, which the bundled tool measure grants: the element at the site's `skip_index` plus the accessed thread is the
   number of further reads and writes of this pthread that raise no event. The first THREADS elements stay 0. Null: every access of this pthread is
   reported. */
struct upcr_skip_counts {
    upcr_u32 get, put;
    upcr_u32 of_get, of_put; /* for the tool measure */
};
extern UPCR_PTHREAD_LOCAL struct upcr_skip_counts *upcr_inst_skip_counts UPCR_HIDDEN;

/* Returns the counts of accesses by this site to this thread's objects; null: there are none. Any pthread may set the site's `skip_index`. */
UPCR_INLINE struct upcr_skip_counts *upcr_inst_counts(const upcr_site *site, upcr_size thread)
{
    struct upcr_skip_counts *counts = upcr_inst_skip_counts;
    return counts == (struct upcr_skip_counts *)0 ? counts : &counts[__atomic_load_n(&site->skip_index, __ATOMIC_RELAXED) + thread];
}

UPCR_INLINE int upcr_inst_is_reported(upcr_u32 *skip_count)
{
    if (*skip_count == 0)
        return 1;
    --*skip_count;
    return 0;
}

UPCR_INLINE int upcr_inst_get_is_reported(const upcr_site *site, upcr_size thread)
{
    struct upcr_skip_counts *counts = upcr_inst_counts(site, thread);
    return !counts || upcr_inst_is_reported(&counts->get);
}

UPCR_INLINE int upcr_inst_put_is_reported(const upcr_site *site, upcr_size thread)
{
    struct upcr_skip_counts *counts = upcr_inst_counts(site, thread);
    return !counts || upcr_inst_is_reported(&counts->put);
}

/* local: 1 if accesses to the thread's own objects also raise events. way: get or put. */
#define UPCR_INST_REPORTED_(site, local, p, way) \
    __builtin_expect(upcr_inst_on && ((local) || upcr_threadof(p) != (upcr_size)UPCR_MYTHREAD) && upcr_inst_##way##_is_reported(site, upcr_threadof(p)), 0)

/* For bit-fields: a remote one is read, changed and written, and one event is reported for the whole access. */
#define UPCR_INST_REPORTED_BITS_(site, local, p, way) \
    (__builtin_expect(upcr_inst_on && !upcr_mapped(upcr_threadof(p)), 0) || UPCR_INST_REPORTED_(site, local, p, way))

/* The accesses that are counted without a report (upcr_counted of upcr/remote.h). If all memory is mapped, they are ordinary
   accesses. */
#ifdef UPCR_REMOTE
#define UPCR_INST_COUNTED_GET_(site, get, T, p)    UPCR_GET_COUNTED((upcr_size)(site), T, p)
#define UPCR_INST_COUNTED_PUT_(site, put, T, p, v) UPCR_PUT_COUNTED((upcr_size)(site) + 1, T, p, v)
#else
#define UPCR_INST_COUNTED_GET_(site, get, T, p)    get(T, p)
#define UPCR_INST_COUNTED_PUT_(site, put, T, p, v) put(T, p, v)
#endif
#define UPCR_INST_ORDINARY_PUT_(site, put, T, p, v) put(T, p, v)

/* ---- Accesses of many iterations ----------------------------------------------------------------------------------- */

enum { UPCR_INST_READS = 1, UPCR_INST_WRITES = 2 };

/* One access in each of many iterations: to the element at `first`, then to the one `step` elements further, and so on. */
struct upcr_inst_walk {
    upcr_site *site;
    int local; /* 1 if accesses to the thread's own objects also raise events */
    unsigned ways;
    upcr_pts_t first;
    upcr_size step, block; /* block size of the array; 0: indefinite */
};

/* The same as below if the elements have affinity to several threads: gasp/budget.c. */
extern long upcr_inst_budget_of_many(const struct upcr_inst_walk *walk, long n) UPCR_HIDDEN UPCR_RARE_;
extern void upcr_inst_consume_of_many(const struct upcr_inst_walk *walk, long n) UPCR_HIDDEN UPCR_RARE_;

/* Returns whether all the elements have affinity to one thread. */
UPCR_INLINE int upcr_inst_stays(upcr_size step, upcr_size block)
{
    return step == 0 || block == 0 || step % (block * (upcr_size)upcr_threads) == 0;
}

/* Returns how many more accesses of all these directions may be counted, at most n; the second function counts n of them. */
UPCR_INLINE upcr_size upcr_inst_left(const struct upcr_skip_counts *counts, unsigned ways, upcr_size n)
{
    if ((ways & UPCR_INST_READS) && counts->get < n)
        n = counts->get;
    if ((ways & UPCR_INST_WRITES) && counts->put < n)
        n = counts->put;
    return n;
}
UPCR_INLINE void upcr_inst_consume_from(struct upcr_skip_counts *skip_index, unsigned ways, upcr_size n)
{
    if (ways & UPCR_INST_READS)
        skip_index->get -= (upcr_u32)n;
    if (ways & UPCR_INST_WRITES)
        skip_index->put -= (upcr_u32)n;
}

/* Returns how many of the next n iterations may be counted without a report: at most n, and n if no tool receives events. Accesses that take messages are
   made one by one, with their site, because the cache's events are reported with it. */
UPCR_INLINE long upcr_inst_budget(upcr_site *site, int local, upcr_pts_t p, unsigned ways, upcr_size step, upcr_size block, long n)
{
    if (__builtin_expect(!upcr_inst_on || n <= 0, 1))
        return n;
    const upcr_size thread = upcr_threadof(p);
    const int raises = local || thread != (upcr_size)UPCR_MYTHREAD;
    const struct upcr_skip_counts *skip_index = upcr_inst_counts(site, thread);
    /* The next one is reported: in a trace every one is. */
    if (raises && (!skip_index || !upcr_mapped(thread) || upcr_inst_left(skip_index, ways, 1) == 0))
        return 0;
    if (!upcr_inst_stays(step, block)) {
        const struct upcr_inst_walk walk = {site, local, ways, p, step, block};
        return upcr_inst_budget_of_many(&walk, n);
    }
    return raises ? (long)upcr_inst_left(skip_index, ways, (upcr_size)n) : n;
}

/* Counts n of them. Pre: the budget has n. */
UPCR_INLINE void upcr_inst_consume(upcr_site *site, int local, upcr_pts_t p, unsigned ways, upcr_size step, upcr_size block, long n)
{
    if (__builtin_expect(!upcr_inst_on || n <= 0, 1))
        return;
    if (!upcr_inst_stays(step, block)) {
        const struct upcr_inst_walk walk = {site, local, ways, p, step, block};
        upcr_inst_consume_of_many(&walk, n);
        return;
    }
    struct upcr_skip_counts *skip_index = upcr_inst_counts(site, upcr_threadof(p));
    if (skip_index && (local || upcr_threadof(p) != (upcr_size)UPCR_MYTHREAD))
        upcr_inst_consume_from(skip_index, ways, (upcr_size)n);
}

/* ---- Single accesses ----------------------------------------------------------------------------------------------- */

/* read, write: the ordinary operation; counted: the same for an access that is counted. T may be an expression of the type. An
   event has the address of a copy, so that pointer and value themselves stay in registers. */
#define UPCR_INST_READ_(reported, site, local, relaxed, T, bytes, p, read, counted)                                                          \
    (__extension__({                                                                                                                         \
         const upcr_pts_t upcr_p_ = (p);                                                                                                     \
         UPCR_WHOLE_(T)                                                                                                                      \
         upcr_got_ = reported(site, local, upcr_p_, get) ? __extension__({                                                                   \
             upcr_pts_t upcr_src_ = upcr_p_;                                                                                                 \
             __typeof__(upcr_got_) upcr_dst_ = {                                                                                             \
                 .upcr_v_ = (upcr_inst_start(site, UPCR_EVENT_UPC_GET, relaxed, (void *)&upcr_dst_, &upcr_src_, (upcr_size)(bytes)), read)}; \
             upcr_inst_end(site, UPCR_EVENT_UPC_GET, relaxed, (void *)&upcr_dst_, &upcr_src_, (upcr_size)(bytes));                           \
             upcr_dst_;                                                                                                                      \
         })                                                                                                                                  \
                                                         : __extension__({                                                                   \
                                                               __typeof__(upcr_got_) upcr_read_ = {.upcr_v_ = counted};                      \
                                                               upcr_read_;                                                                   \
                                                           });                                                                               \
         upcr_got_;                                                                                                                          \
     }).upcr_v_)
#define UPCR_INST_GET(site, local, T, p) \
    UPCR_INST_READ_(UPCR_INST_REPORTED_, site, local, 1, T, sizeof(T), p, UPCR_GET(T, upcr_p_), UPCR_INST_COUNTED_GET_(site, UPCR_GET, T, upcr_p_))
#define UPCR_INST_GET0(site, local, T, p) \
    UPCR_INST_READ_(UPCR_INST_REPORTED_, site, local, 1, T, sizeof(T), p, UPCR_GET0(T, upcr_p_), UPCR_INST_COUNTED_GET_(site, UPCR_GET0, T, upcr_p_))
#define UPCR_INST_GET_STRICT(site, local, T, p) \
    UPCR_INST_READ_(UPCR_INST_REPORTED_, site, local, 0, T, sizeof(T), p, UPCR_GET_STRICT(T, upcr_p_), UPCR_GET_STRICT(T, upcr_p_))

#define UPCR_INST_WRITE_(site, local, relaxed, T, p, v, write, counted)                                    \
    __extension__({                                                                                        \
        const upcr_pts_t upcr_p_ = (p);                                                                    \
        UPCR_WHOLE_(T) upcr_v_ = {.upcr_v_ = (v)};                                                         \
        if (UPCR_INST_REPORTED_(site, local, upcr_p_, put)) {                                              \
            upcr_pts_t upcr_dst_ = upcr_p_;                                                                \
            UPCR_WHOLE_(T) upcr_src_ = {.upcr_v_ = upcr_v_.upcr_v_};                                       \
            upcr_inst_start(site, UPCR_EVENT_UPC_PUT, relaxed, &upcr_dst_, (void *)&upcr_src_, sizeof(T)); \
            (void)write(T, upcr_p_, upcr_v_.upcr_v_);                                                      \
            upcr_inst_end(site, UPCR_EVENT_UPC_PUT, relaxed, &upcr_dst_, (void *)&upcr_src_, sizeof(T));   \
        } else {                                                                                           \
            (void)counted(site, write, T, upcr_p_, upcr_v_.upcr_v_);                                       \
        }                                                                                                  \
        upcr_v_.upcr_v_;                                                                                   \
    })
#define UPCR_INST_PUT(site, local, T, p, v)        UPCR_INST_WRITE_(site, local, 1, T, p, v, UPCR_PUT, UPCR_INST_COUNTED_PUT_)
#define UPCR_INST_PUT0(site, local, T, p, v)       UPCR_INST_WRITE_(site, local, 1, T, p, v, UPCR_PUT0, UPCR_INST_COUNTED_PUT_)
#define UPCR_INST_PUT_STRICT(site, local, T, p, v) UPCR_INST_WRITE_(site, local, 0, T, p, v, UPCR_PUT_STRICT, UPCR_INST_ORDINARY_PUT_)

/* An update raises the events of a read and of a write. Where its memory is not mapped, the thread never has the value that is read, and the
   events have addresses without it. */
#ifdef UPCR_REMOTE
#define UPCR_INST_UPDATE_(site, local, T, p, v, update)                                              \
    __extension__({                                                                                  \
        const upcr_pts_t upcr_p_ = (p);                                                              \
        const __typeof__(T) upcr_v_ = (__typeof__(T))(v);                                            \
        if (UPCR_INST_REPORTED_(site, local, upcr_p_, get)) {                                        \
            upcr_pts_t upcr_src_ = upcr_p_;                                                          \
            __typeof__(T) upcr_dst_ = 0;                                                             \
            upcr_inst_start(site, UPCR_EVENT_UPC_GET, 1, (void *)&upcr_dst_, &upcr_src_, sizeof(T)); \
            upcr_inst_end(site, UPCR_EVENT_UPC_GET, 1, (void *)&upcr_dst_, &upcr_src_, sizeof(T));   \
        }                                                                                            \
        if (UPCR_INST_REPORTED_(site, local, upcr_p_, put)) {                                        \
            upcr_pts_t upcr_dst_ = upcr_p_;                                                          \
            __typeof__(T) upcr_src_ = upcr_v_;                                                       \
            upcr_inst_start(site, UPCR_EVENT_UPC_PUT, 1, &upcr_dst_, (void *)&upcr_src_, sizeof(T)); \
            update(T, upcr_p_, upcr_v_);                                                             \
            upcr_inst_end(site, UPCR_EVENT_UPC_PUT, 1, &upcr_dst_, (void *)&upcr_src_, sizeof(T));   \
        } else {                                                                                     \
            update(T, upcr_p_, upcr_v_);                                                             \
        }                                                                                            \
    })
#define UPCR_INST_ADD(site, local, T, p, v) UPCR_INST_UPDATE_(site, local, T, p, v, UPCR_ADD)
#define UPCR_INST_SUB(site, local, T, p, v) UPCR_INST_UPDATE_(site, local, T, p, v, UPCR_SUB)
#define UPCR_INST_AND(site, local, T, p, v) UPCR_INST_UPDATE_(site, local, T, p, v, UPCR_AND)
#define UPCR_INST_OR(site, local, T, p, v)  UPCR_INST_UPDATE_(site, local, T, p, v, UPCR_OR)
#define UPCR_INST_XOR(site, local, T, p, v) UPCR_INST_UPDATE_(site, local, T, p, v, UPCR_XOR)
#endif

/* Bit-field f of the S at p: the event has a value of the field's promoted type, which this expression has. */
#define UPCR_PROMOTED_(S, f) (((__typeof__(S) *)0)->f + 0)
#define UPCR_INST_GET_BITS(site, local, S, f, p)                                                                                       \
    UPCR_INST_READ_(UPCR_INST_REPORTED_BITS_, site, local, 1, UPCR_PROMOTED_(S, f), sizeof upcr_dst_, p, UPCR_GET_BITS(S, f, upcr_p_), \
                    UPCR_GET_BITS(S, f, upcr_p_))
#define UPCR_INST_GET_BITS_STRICT(site, local, S, f, p)                                                                                       \
    UPCR_INST_READ_(UPCR_INST_REPORTED_BITS_, site, local, 0, UPCR_PROMOTED_(S, f), sizeof upcr_dst_, p, UPCR_GET_BITS_STRICT(S, f, upcr_p_), \
                    UPCR_GET_BITS_STRICT(S, f, upcr_p_))

/* The value keeps its own type up to the store, which converts it. */
#define UPCR_INST_WRITE_BITS_(site, local, relaxed, S, f, p, v, write)                                            \
    __extension__({                                                                                               \
        const upcr_pts_t upcr_p_ = (p);                                                                           \
        __auto_type upcr_v_ = __extension__({ v; });                                                              \
        __typeof__(UPCR_PROMOTED_(S, f)) upcr_stored_;                                                            \
        if (UPCR_INST_REPORTED_BITS_(site, local, upcr_p_, put)) {                                                \
            upcr_pts_t upcr_dst_ = upcr_p_;                                                                       \
            __typeof__(upcr_stored_) upcr_src_ = (__typeof__(upcr_stored_))upcr_v_;                               \
            upcr_inst_start(site, UPCR_EVENT_UPC_PUT, relaxed, &upcr_dst_, (void *)&upcr_src_, sizeof upcr_src_); \
            upcr_src_ = write(S, f, upcr_p_, upcr_v_);                                                            \
            upcr_inst_end(site, UPCR_EVENT_UPC_PUT, relaxed, &upcr_dst_, (void *)&upcr_src_, sizeof upcr_src_);   \
            upcr_stored_ = upcr_src_;                                                                             \
        } else {                                                                                                  \
            upcr_stored_ = write(S, f, upcr_p_, upcr_v_);                                                         \
        }                                                                                                         \
        upcr_stored_;                                                                                             \
    })
#define UPCR_INST_PUT_BITS(site, local, S, f, p, v)        UPCR_INST_WRITE_BITS_(site, local, 1, S, f, p, v, UPCR_PUT_BITS)
#define UPCR_INST_PUT_BITS_STRICT(site, local, S, f, p, v) UPCR_INST_WRITE_BITS_(site, local, 0, S, f, p, v, UPCR_PUT_BITS_STRICT)

/* ---- Synchronization ----------------------------------------------------------------------------------------------- */

/* Macros, because in checked units the operations record the place of their expansion. */
#define UPCR_INST_SYNC_(site, event, operation, named, value)      \
    __extension__({                                                \
        int upcr_named_ = (named), upcr_with_ = (value);           \
        if (upcr_inst_on)                                          \
            upcr_inst_start(site, event, upcr_named_, upcr_with_); \
        operation(upcr_named_, upcr_with_);                        \
        if (upcr_inst_on)                                          \
            upcr_inst_end(site, event, upcr_named_, upcr_with_);   \
    })
#define upcr_inst_notify(site, named, value)  UPCR_INST_SYNC_(site, UPCR_EVENT_UPC_NOTIFY, upcr_notify, named, value)
#define upcr_inst_wait(site, named, value)    UPCR_INST_SYNC_(site, UPCR_EVENT_UPC_WAIT, upcr_wait, named, value)
#define upcr_inst_barrier(site, named, value) UPCR_INST_SYNC_(site, UPCR_EVENT_UPC_BARRIER, upcr_barrier, named, value)

UPCR_INLINE void upcr_inst_fence(upcr_site *site)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_FENCE);
    upcr_fence();
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_FENCE);
}

/* ---- Scopes -------------------------------------------------------------------------------------------------------- */

/* The first opens the scope of a C_FUNC or a FORALL, and returns its depth, counted from 1, or 0 if no tool receives events. The second closes
   it, and the scopes above it that a longjmp has left open. */
extern upcr_u32 upcr_inst_enter(upcr_site *site, int event) UPCR_HIDDEN UPCR_RARE_;
extern void upcr_inst_leave(upcr_u32 depth) UPCR_HIDDEN UPCR_RARE_;

UPCR_INLINE void upcr_inst_leaving(const upcr_u32 *depth)
{
    if (*depth != 0)
        upcr_inst_leave(*depth);
}

/* Declarations: the start is raised here, the end on every exit from the block. */
#define UPCR_INST_SCOPE_(site, event) \
    const upcr_u32 upcr_scope_ __attribute__((__cleanup__(upcr_inst_leaving), __unused__)) = upcr_inst_on ? upcr_inst_enter(site, event) : 0
#define UPCR_INST_FUNCTION(site) UPCR_INST_SCOPE_(site, UPCR_EVENT_C_FUNC)
#define UPCR_INST_FORALL(site)   UPCR_INST_SCOPE_(site, UPCR_EVENT_UPC_FORALL)

/* ---- Events of programs: <pupc.h> ---------------------------------------------------------------------------------- */

extern int upcr_inst_pupc_control(upcr_site *site, int on) UPCR_HIDDEN;
/* The arguments after desc come from the macro in <pupc.h> and are ignored. */
extern upcr_u32 upcr_inst_pupc_create_event(upcr_site *site, const char *name, const char *desc, ...) UPCR_HIDDEN;
extern void upcr_inst_pupc_event_start(upcr_site *site, upcr_u32 tag, ...) UPCR_HIDDEN;
extern void upcr_inst_pupc_event_end(upcr_site *site, upcr_u32 tag, ...) UPCR_HIDDEN;
extern void upcr_inst_pupc_event_atomic(upcr_site *site, upcr_u32 tag, ...) UPCR_HIDDEN;

#include "upcr/inst_calls.h"

#endif
