/* Accesses of units that are translated and compiled with -fupc-races (UPCR_RACES): checked accesses (checks.h) that also take part in
   the detection of data races (src/races/). checks.h includes it in such units only (and the runtime, for the functions). */
#ifndef UPCR_RACES_H
#define UPCR_RACES_H

#include "upcr/base.h"
#include "upcr/race_cells.h"

/* A reference to it makes a program one whose races are detected. */
extern const char upcr_races_program[1] UPCR_HIDDEN;
#ifndef UPCR_RUNTIME
static const char *const upcr_unit_detects_races __attribute__((__used__)) = upcr_races_program;
#endif

/* The kinds of accesses, beside those of checks.h. */
#define UPCR_RACE_STRICT_READ  2
#define UPCR_RACE_STRICT_WRITE 3

/* A relaxed access, of any bytes; and of those of `mine`, in the granule that has these cells, which do not have it (race_cells.h). */
extern void upcr_race_record_access(upcr_pts_t p, upcr_size bytes, int access, const upcr_place *here) UPCR_HIDDEN;
extern void upcr_race_record_in(upcr_u64 *cells, upcr_u64 mine, upcr_pts_t p, const upcr_place *here) UPCR_HIDDEN;

/* Like upcr_check_access and upcr_check_place. */
extern void *upcr_race_access(upcr_pts_t p, upcr_size bytes, int access, const upcr_place *here) UPCR_HIDDEN;
extern upcr_pts_t upcr_race_place(upcr_pts_t p, upcr_size bytes, int access, const upcr_place *here) UPCR_HIDDEN;

/* The same for the bytes in which `field`, a structure of this size at p, has bits that are set: those of a bit-field. */
extern void *upcr_race_access_bits(upcr_pts_t p, const void *field, upcr_size bytes, int access, const upcr_place *here) UPCR_HIDDEN;
extern upcr_pts_t upcr_race_place_bits(upcr_pts_t p, const void *field, upcr_size bytes, int access, const upcr_place *here) UPCR_HIDDEN;

/* The last strict read of this thread has its value: what the writer of this value did before is known from here on. */
extern void upcr_race_strict_done(void) UPCR_HIDDEN;

/* In front of a function whose accesses by pointers-to-local do not take part (src/races/private.c), and first in its body. */
#define UPCR_NOT_FOLLOWED      __attribute__((__no_sanitize_thread__))
#define UPCR_NOT_FOLLOWED_BODY enum { upcr_followed = 0 }

/* The same, and no report needs its calls: it makes no access that is recorded, and calls no function that does. */
#define UPCR_NOT_RECORDED __attribute__((__no_sanitize_thread__, __no_instrument_function__))

/* The accesses between the two calls with the same object are not recorded. */
extern char upcr_race_ok_begin(const char *object) UPCR_HIDDEN;
extern void upcr_race_ok_end(const char *object) UPCR_HIDDEN;

#ifndef UPCR_RUNTIME
/* Whether the C compiler instruments the function. Where it does not, shadow memory is read in line. */
enum { upcr_followed = 1 };
#define UPCR_RACE_(T, p, access)                                             \
    __extension__({                                                          \
        const upcr_pts_t upcr_to_ = (p);                                     \
        if (upcr_followed)                                                   \
            upcr_race_record_access(upcr_to_, sizeof(T), access, UPCR_HERE); \
        else                                                                 \
            upcr_race_in_line(upcr_to_, sizeof(T), access, UPCR_HERE);       \
        upcr_to_;                                                            \
    })

UPCR_INLINE void upcr_race_in_line(upcr_pts_t p, upcr_size bytes, int access, const upcr_place *here)
{
    upcr_u64 *cells = upcr_race_cells(p, bytes);
    if (__builtin_expect(cells == (upcr_u64 *)0, 0)) {
        upcr_race_record_access(p, bytes, access, here);
        return;
    }
    upcr_u64 mine = upcr_race_mine(p, bytes, access);
    if (__builtin_expect(!upcr_cells_have(cells, mine), 0) && (access != UPCR_CHECK_READ || !upcr_race_skips(cells, mine, here)))
        upcr_race_record_in(cells, mine, p, here);
}

/* Declarations, of a name that the block has once. The rest of the block is not recorded, on each way out of it; or what stands between
   the two. */
#define UPCR_RACE_OK(name)     const char name __attribute__((__cleanup__(upcr_race_ok_end), __unused__)) = upcr_race_ok_begin(&name)
#define UPCR_RACE_OK_END(name) const char name##_end __attribute__((__unused__)) = (upcr_race_ok_end(&name), (char)0)

/* Initialised, because a member that is const cannot be assigned to. */
#define UPCR_RACE_FIELD_(S, f)       \
    static const union {             \
        __typeof__(S) upcr_fields_;  \
        char upcr_bytes_[sizeof(S)]; \
    } upcr_field_ UPCR_NO_DEBUG_ = {.upcr_fields_ = {.f = -1}}

#define UPCR_READ_AT(T, p)            upcr_addr(UPCR_READ_PLACE(T, p))
#define UPCR_READ_AT0(T, p)           upcr_addr0(UPCR_READ_PLACE(T, p))
#define UPCR_WRITE_AT(T, p)           upcr_addr(UPCR_WRITE_PLACE(T, p))
#define UPCR_WRITE_AT0(T, p)          upcr_addr0(UPCR_WRITE_PLACE(T, p))
#define UPCR_STRICT_READ_AT(T, p)     upcr_race_access(p, sizeof(T), UPCR_RACE_STRICT_READ, UPCR_HERE)
#define UPCR_STRICT_WRITE_AT(T, p)    upcr_race_access(p, sizeof(T), UPCR_RACE_STRICT_WRITE, UPCR_HERE)
#define UPCR_READ_PLACE(T, p)         UPCR_RACE_(T, p, UPCR_CHECK_READ)
#define UPCR_WRITE_PLACE(T, p)        UPCR_RACE_(T, p, UPCR_CHECK_WRITE)
#define UPCR_STRICT_READ_PLACE(T, p)  upcr_race_place(p, sizeof(T), UPCR_RACE_STRICT_READ, UPCR_HERE)
#define UPCR_STRICT_WRITE_PLACE(T, p) upcr_race_place(p, sizeof(T), UPCR_RACE_STRICT_WRITE, UPCR_HERE)
#define UPCR_STRICT_READ_DONE()       upcr_race_strict_done()

#define UPCR_BITS_(function, S, f, p, access)                    \
    __extension__({                                              \
        UPCR_RACE_FIELD_(S, f);                                  \
        function(p, &upcr_field_, sizeof(S), access, UPCR_HERE); \
    })
#define UPCR_READ_BITS_AT(S, f, p)            UPCR_BITS_(upcr_race_access_bits, S, f, p, UPCR_CHECK_READ)
#define UPCR_WRITE_BITS_AT(S, f, p)           UPCR_BITS_(upcr_race_access_bits, S, f, p, UPCR_CHECK_WRITE)
#define UPCR_STRICT_READ_BITS_AT(S, f, p)     UPCR_BITS_(upcr_race_access_bits, S, f, p, UPCR_RACE_STRICT_READ)
#define UPCR_STRICT_WRITE_BITS_AT(S, f, p)    UPCR_BITS_(upcr_race_access_bits, S, f, p, UPCR_RACE_STRICT_WRITE)
#define UPCR_READ_BITS_PLACE(S, f, p)         UPCR_BITS_(upcr_race_place_bits, S, f, p, UPCR_CHECK_READ)
#define UPCR_WRITE_BITS_PLACE(S, f, p)        UPCR_BITS_(upcr_race_place_bits, S, f, p, UPCR_CHECK_WRITE)
#define UPCR_STRICT_READ_BITS_PLACE(S, f, p)  UPCR_BITS_(upcr_race_place_bits, S, f, p, UPCR_RACE_STRICT_READ)
#define UPCR_STRICT_WRITE_BITS_PLACE(S, f, p) UPCR_BITS_(upcr_race_place_bits, S, f, p, UPCR_RACE_STRICT_WRITE)

/* In a write the value comes first, as it does in access_remote.h: it may come from a function that synchronizes, and the write is after that. */
#ifndef UPCR_REMOTE
#undef UPCR_PUT
#undef UPCR_PUT0
#undef UPCR_PUT_STRICT
#undef UPCR_PUT_BITS
#undef UPCR_PUT_BITS_STRICT
#define UPCR_PUT(T, p, v)                                            \
    __extension__({                                                  \
        UPCR_WHOLE_(T) upcr_value_ = {.upcr_v_ = (v)};               \
        *(__typeof__(T) *)UPCR_WRITE_AT(T, p) = upcr_value_.upcr_v_; \
    })
#define UPCR_PUT0 UPCR_PUT
#define UPCR_PUT_STRICT(T, p, v)                                       \
    __extension__({                                                    \
        UPCR_WHOLE_(T) upcr_value_ = {.upcr_v_ = (v)};                 \
        volatile __typeof__(T) *upcr_at_ = UPCR_STRICT_WRITE_AT(T, p); \
        upcr_before_strict_write();                                    \
        *upcr_at_ = upcr_value_.upcr_v_;                               \
        upcr_full_fence();                                             \
        upcr_value_.upcr_v_;                                           \
    })
#define UPCR_PUT_BITS_(before, at, after, S, f, p, v)                    \
    __extension__({                                                      \
        __typeof__(S) upcr_record_;                                      \
        __typeof__(upcr_record_.f + 0) upcr_value_;                      \
        __builtin_memset((void *)&upcr_record_, 0, sizeof upcr_record_); \
        upcr_value_ = (upcr_record_.f = (v));                            \
        __typeof__(S) *upcr_at_ = at(S, f, p);                           \
        before();                                                        \
        upcr_at_->f = upcr_value_;                                       \
        after();                                                         \
        upcr_value_;                                                     \
    })
#define UPCR_PUT_BITS(S, f, p, v)        UPCR_PUT_BITS_(upcr_compiler_barrier, UPCR_WRITE_BITS_AT, upcr_compiler_barrier, S, f, p, v)
#define UPCR_PUT_BITS_STRICT(S, f, p, v) UPCR_PUT_BITS_(upcr_before_strict_write, UPCR_STRICT_WRITE_BITS_AT, upcr_full_fence, S, f, p, v)
#endif
#endif

#endif
