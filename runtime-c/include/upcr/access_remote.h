/* The access macros of units that are compiled with UPCR_REMOTE: each tests upcr_mapped, and accesses memory itself or calls a function of
   remote.h. Included by access.h. */
#ifndef UPCR_ACCESS_REMOTE_H
#define UPCR_ACCESS_REMOTE_H

/* The place of a T at p, for a read or a write; checks.h has other forms for checked units. */
#ifndef UPCR_CHECKS
#define UPCR_READ_PLACE(T, p)  (p)
#define UPCR_WRITE_PLACE(T, p) (p)
#endif
#ifndef UPCR_RACES
#define UPCR_STRICT_READ_PLACE                UPCR_READ_PLACE
#define UPCR_STRICT_WRITE_PLACE               UPCR_WRITE_PLACE
#define UPCR_READ_BITS_PLACE(S, f, p)         UPCR_READ_PLACE(S, p)
#define UPCR_WRITE_BITS_PLACE(S, f, p)        UPCR_WRITE_PLACE(S, p)
#define UPCR_STRICT_READ_BITS_PLACE(S, f, p)  UPCR_READ_PLACE(S, p)
#define UPCR_STRICT_WRITE_BITS_PLACE(S, f, p) UPCR_WRITE_PLACE(S, p)
#endif

/* Returns where the n bytes at p can be read until the next access: in place, in `buffer`, or in the cache. */
UPCR_INLINE const void *upcr_reach(struct upcr_recent *recent, upcr_counted counted, upcr_pts_t p, void *buffer, upcr_size n)
{
    return upcr_is_mapped(p) ? upcr_addr(p) : upcr_remote_see(recent, counted, buffer, p, n);
}

/* The same for a bit-field: every remote access of one is reported. */
UPCR_INLINE const void *upcr_reach_reported(upcr_pts_t p, void *buffer, upcr_size n)
{
    return upcr_reach(upcr_recent, 0, p, buffer, n);
}

/* upc_memget, upc_memput and upc_memcpy of n bytes, a small constant. */
UPCR_INLINE void upcr_small_get(void *dst, upcr_pts_t src, upcr_size n)
{
    if (upcr_is_mapped(src))
        __builtin_memcpy(dst, upcr_addr(src), n);
    else
        upcr_remote_get(dst, src, n);
}

UPCR_INLINE void upcr_small_put(upcr_pts_t dst, const void *src, upcr_size n)
{
    if (upcr_is_mapped(dst))
        __builtin_memcpy(upcr_addr(dst), src, n);
    else
        upcr_remote_put(dst, src, n);
}

UPCR_INLINE void upcr_small_copy(upcr_pts_t dst, upcr_pts_t src, upcr_size n)
{
    if (upcr_is_mapped(dst) && upcr_is_mapped(src))
        __builtin_memmove(upcr_addr(dst), upcr_addr(src), n);
    else
        upcr_remote_copy(dst, src, n);
}

/* Strips: n bytes of one thread that a loop reads or writes, in place or in a buffer (src/passes/runs). A loop has a buffer for each of its strips,
   by their number. It calls no function that has such loops, so the buffers are those of the C thread, and not on its stack. */
#define UPCR_STRIPS      8
#define UPCR_STRIP_BYTES 8192
extern _Thread_local char upcr_strip_buffers[UPCR_STRIPS][UPCR_STRIP_BYTES] UPCR_HIDDEN;

UPCR_INLINE void *upcr_strip_buffer(int number)
{
    return upcr_strip_buffers[number];
}

/* Returns where the loop finds the bytes; upcr_strip_get has read them. */
UPCR_INLINE void *upcr_strip(upcr_pts_t p, void *buffer)
{
    return upcr_is_mapped(p) ? upcr_addr(p) : buffer;
}

UPCR_INLINE void *upcr_strip_get(upcr_pts_t p, void *buffer, upcr_size n)
{
    if (!upcr_is_mapped(p))
        upcr_remote_get_strip(buffer, p, n);
    return upcr_strip(p, buffer);
}

/* The same for a loop that only reads them, and makes no other access to memory that is not mapped: they may stay in the cache. */
UPCR_INLINE void *upcr_strip_see(upcr_pts_t p, void *buffer, upcr_size n)
{
    return upcr_is_mapped(p) ? upcr_addr(p) : (void *)upcr_remote_see_strip(buffer, p, n);
}

/* Writes what the loop has left in the buffer. */
UPCR_INLINE void upcr_strip_put(upcr_pts_t p, const void *buffer, upcr_size n)
{
    if (!upcr_is_mapped(p))
        upcr_remote_put(p, buffer, n);
}

/* Gathers: elements that a loop reads in an order that only its data knows. A loop has a table for each of its gathers, by number, and a list in which
   it names the elements. */
#define UPCR_GATHERS      4
#define UPCR_GATHER_LEAST 16 /* elements for which a loop in front of the run pays */
#define UPCR_GATHER_MOST  1024
extern _Thread_local upcr_pts_t upcr_gather_list[UPCR_GATHER_MOST] UPCR_HIDDEN;

UPCR_INLINE upcr_pts_t *upcr_gather_places(void)
{
    return upcr_gather_list;
}

/* Returns whether a run of n iterations gathers its elements. */
UPCR_INLINE int upcr_gathers(long n)
{
    return __builtin_expect(upcr_gathering, 0) && n >= UPCR_GATHER_LEAST;
}

/* Scatters: writes of a loop in an order that only its data knows. Those to memory of one thread that is not mapped are collected as long as each
   continues the one before it. Each thread has a slot, which it may share with others, so writes to one place keep their order. In mapped memory a
   slot only says where the next write goes: the loop then makes no jump that depends on its data. */
#define UPCR_SCATTER_SLOTS 16
struct upcr_scatter {
    upcr_u64 next;  /* the mapped address that continues the last write; 0: none was made */
    upcr_u64 end;   /* a write may not go beyond this one */
    upcr_u64 shift; /* from a mapped address to where the value goes */
};
extern _Thread_local struct upcr_scatter upcr_scatter_slots[UPCR_SCATTER_SLOTS] UPCR_HIDDEN;

UPCR_INLINE long upcr_scatters(long n)
{
    return upcr_all_mapped() ? 0 : upcr_scatter_begin(n);
}

/* Returns where a relaxed write of n bytes puts its value: in place, or where values are collected. The caller stores it before the next call. */
UPCR_INLINE void *upcr_scatter_place(upcr_pts_t dst, upcr_size n)
{
    struct upcr_scatter *slot = &upcr_scatter_slots[upcr_threadof(dst) % UPCR_SCATTER_SLOTS];
    /* What is stored does not depend on what is loaded, so iterations do not wait for one another. */
    upcr_u64 at = (upcr_u64)upcr_addr(dst);
    if (__builtin_expect(at != slot->next || at + n > slot->end, 0))
        return upcr_scatter_other(dst, n);
    slot->next = at + n;
    return (void *)(at + slot->shift);
}

/* Returns where they can be changed: in place, or in `buffer`. */
UPCR_INLINE void *upcr_reach_own(upcr_pts_t p, void *buffer, upcr_size n)
{
    if (upcr_is_mapped(p))
        return upcr_addr(p);
    upcr_remote_get(buffer, p, n);
    return buffer;
}

/* The same for a strict read, after all earlier accesses are performed. */
UPCR_INLINE void *upcr_reach_strict(upcr_pts_t p, void *buffer, upcr_size n)
{
    if (upcr_is_mapped(p)) {
        upcr_fence();
        return upcr_addr(p);
    }
    upcr_remote_get_strict(buffer, p, n);
    return buffer;
}

/* Relaxed. The value is evaluated before the place is examined, so that a check of `*p += 1` reports the read first. Forms for a phase that is
   known to be zero gain nothing here.
   counted: see upcr_counted. */
#define UPCR_GET_COUNTED(counted, T, p)                                                                                                                   \
    (__extension__({                                                                                                                                      \
         UPCR_WHOLE_(T) upcr_remote_value_;                                                                                                               \
         upcr_pts_t upcr_place_ = UPCR_READ_PLACE(T, p);                                                                                                  \
         (UPCR_WHOLE_(T)){.upcr_v_ = *(const __typeof__(T) *)upcr_reach(UPCR_RECENT_HERE, counted, upcr_place_, (void *)&upcr_remote_value_, sizeof(T))}; \
     }).upcr_v_)
#define UPCR_PUT_COUNTED(counted, T, p, v)                                                  \
    __extension__({                                                                         \
        UPCR_WHOLE_(T) upcr_value_ = {.upcr_v_ = (v)};                                      \
        upcr_pts_t upcr_place_ = UPCR_WRITE_PLACE(T, p);                                    \
        if (upcr_is_mapped(upcr_place_))                                                    \
            *(__typeof__(T) *)upcr_addr(upcr_place_) = upcr_value_.upcr_v_;                 \
        else                                                                                \
            upcr_remote_write(counted, upcr_place_, (const void *)&upcr_value_, sizeof(T)); \
        upcr_value_.upcr_v_;                                                                \
    })
#define UPCR_GET(T, p)     UPCR_GET_COUNTED(0, T, p)
#define UPCR_PUT(T, p, v)  UPCR_PUT_COUNTED(0, T, p, v)
#define UPCR_GET0(T, p)    UPCR_GET(T, p)
#define UPCR_PUT0(T, p, v) UPCR_PUT(T, p, v)

/* Relaxed: `*p op= v`, whose value is not used. T is float, double, or an unsigned type, as which integers of both signs are updated. */
#define UPCR_UPDATE_BY_(update, op, T, p, v)                                                \
    __extension__({                                                                         \
        const __typeof__(T) upcr_value_ = (__typeof__(T))(v);                               \
        upcr_pts_t upcr_place_ = UPCR_WRITE_PLACE(T, UPCR_READ_PLACE(T, p));                \
        if (upcr_is_mapped(upcr_place_)) {                                                  \
            __typeof__(T) *upcr_at_ = (__typeof__(T) *)upcr_addr(upcr_place_);              \
            *upcr_at_ = (__typeof__(T))(*upcr_at_ op upcr_value_);                          \
        } else {                                                                            \
            upcr_remote_update(upcr_place_, update, (const void *)&upcr_value_, sizeof(T)); \
        }                                                                                   \
    })
#define UPCR_IS_FLOATING_(T) ((__typeof__(T))0.5 != 0)
#define UPCR_ADD(T, p, v)    UPCR_UPDATE_BY_(UPCR_IS_FLOATING_(T) ? UPCR_UPDATE_ADD_FLOATING : UPCR_UPDATE_ADD, +, T, p, v)
#define UPCR_SUB(T, p, v)    UPCR_ADD(T, p, -(__typeof__(T))(v))
#define UPCR_AND(T, p, v)    UPCR_UPDATE_BY_(UPCR_UPDATE_AND, &, T, p, v)
#define UPCR_OR(T, p, v)     UPCR_UPDATE_BY_(UPCR_UPDATE_OR, |, T, p, v)
#define UPCR_XOR(T, p, v)    UPCR_UPDATE_BY_(UPCR_UPDATE_XOR, ^, T, p, v)

#define UPCR_GET_STRICT(T, p)                                                                                             \
    (__extension__({                                                                                                      \
         UPCR_WHOLE_(T) upcr_remote_value_;                                                                               \
         upcr_pts_t upcr_place_ = UPCR_STRICT_READ_PLACE(T, p);                                                           \
         const volatile __typeof__(T) *upcr_at_ = upcr_reach_strict(upcr_place_, (void *)&upcr_remote_value_, sizeof(T)); \
         UPCR_WHOLE_(T) upcr_value_ = {.upcr_v_ = *upcr_at_};                                                             \
         upcr_after_strict_read();                                                                                        \
         UPCR_STRICT_READ_DONE();                                                                                         \
         upcr_value_;                                                                                                     \
     }).upcr_v_)
/* A strict read drops what the cache holds, also if no write is pending. */
#define UPCR_GET_SETTLED(T, p) UPCR_GET_STRICT(T, p)
#define UPCR_PUT_STRICT(T, p, v)                                                        \
    __extension__({                                                                     \
        UPCR_WHOLE_(T) upcr_value_ = {.upcr_v_ = (v)};                                  \
        upcr_pts_t upcr_place_ = UPCR_STRICT_WRITE_PLACE(T, p);                         \
        if (upcr_is_mapped(upcr_place_)) {                                              \
            upcr_settle();                                                              \
            upcr_before_strict_write();                                                 \
            *(volatile __typeof__(T) *)upcr_addr(upcr_place_) = upcr_value_.upcr_v_;    \
            upcr_full_fence();                                                          \
        } else {                                                                        \
            upcr_remote_put_strict(upcr_place_, (const void *)&upcr_value_, sizeof(T)); \
        }                                                                               \
        upcr_value_.upcr_v_;                                                            \
    })

/* Nothing: here a strict access has a fence. */
UPCR_INLINE void upcr_no_fence(void)
{
}

/* Bit-field f of the S at p. In memory that is not mapped, the bytes that contain it are read, changed and written back, as a processor does.
   These bytes are found by setting all bits of the field in a zeroed S. */
#define UPCR_GET_BITS_BY_(reach, after, place, done, S, f, p)                                                       \
    __extension__({                                                                                                 \
        __typeof__(S) upcr_remote_value_;                                                                           \
        upcr_pts_t upcr_place_ = place(S, f, p);                                                                    \
        const __typeof__(S) *upcr_at_ = reach(upcr_place_, (void *)&upcr_remote_value_, sizeof upcr_remote_value_); \
        __typeof__(upcr_at_->f + 0) upcr_value_ = upcr_at_->f;                                                      \
        after();                                                                                                    \
        done();                                                                                                     \
        upcr_value_;                                                                                                \
    })
#define UPCR_GET_BITS(S, f, p)        UPCR_GET_BITS_BY_(upcr_reach_reported, upcr_no_fence, UPCR_READ_BITS_PLACE, upcr_no_fence, S, f, p)
#define UPCR_GET_BITS_STRICT(S, f, p) UPCR_GET_BITS_BY_(upcr_reach_strict, upcr_after_strict_read, UPCR_STRICT_READ_BITS_PLACE, UPCR_STRICT_READ_DONE, S, f, p)
#define UPCR_PUT_BITS_BY_(around, place, S, f, p, v)                                                                                    \
    __extension__({                                                                                                                     \
        __typeof__(S) upcr_remote_value_;                                                                                               \
        __typeof__(upcr_remote_value_.f + 0) upcr_value_;                                                                               \
        __typeof__(S) *upcr_at_;                                                                                                        \
        __builtin_memset((void *)&upcr_remote_value_, 0, sizeof upcr_remote_value_);                                                    \
        upcr_value_ = (upcr_remote_value_.f = (v));                                                                                     \
        upcr_pts_t upcr_place_ = place(S, f, p);                                                                                        \
        around();                                                                                                                       \
        upcr_at_ = upcr_reach_own(upcr_place_, (void *)&upcr_remote_value_, sizeof upcr_remote_value_);                                 \
        upcr_at_->f = upcr_value_;                                                                                                      \
        if (!upcr_is_mapped(upcr_place_)) {                                                                                             \
            union {                                                                                                                     \
                __typeof__(S) upcr_fields_;                                                                                             \
                char upcr_bytes_[sizeof(S)];                                                                                            \
            } upcr_mask_;                                                                                                               \
            __builtin_memset(&upcr_mask_, 0, sizeof upcr_mask_);                                                                        \
            upcr_mask_.upcr_fields_.f = -1;                                                                                             \
            upcr_remote_put_bits(upcr_place_, (const void *)&upcr_remote_value_, (const void *)&upcr_mask_, sizeof upcr_remote_value_); \
        }                                                                                                                               \
        around();                                                                                                                       \
        upcr_value_;                                                                                                                    \
    })
#define UPCR_PUT_BITS(S, f, p, v)        UPCR_PUT_BITS_BY_(upcr_no_fence, UPCR_WRITE_BITS_PLACE, S, f, p, v)
#define UPCR_PUT_BITS_STRICT(S, f, p, v) UPCR_PUT_BITS_BY_(upcr_fence, UPCR_STRICT_WRITE_BITS_PLACE, S, f, p, v)

#endif
