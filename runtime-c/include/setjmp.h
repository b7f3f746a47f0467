/* The system's <setjmp.h>. In units of -fupc-races a jump also restores which accesses are recorded: as at the setjmp to which it leads. */
#pragma GCC system_header
#include_next <setjmp.h>

#if defined __UPC_RACES__ && !defined __UPCR_SETJMP_H__
#define __UPCR_SETJMP_H__

/* The first returns its argument. */
extern void *upcr_race_jump_place(void *place) __attribute__((__visibility__("hidden")));
extern void upcr_race_jump(const void *place) __attribute__((__visibility__("hidden")));
#define UPCR_JUMP_PLACE_(place) ((__typeof__(&(place)[0]))upcr_race_jump_place(place))

#undef setjmp
#undef sigsetjmp
#ifdef __GLIBC__
/* The function setjmp saves the signal mask, which the macro does not. */
#define setjmp(place)          _setjmp(UPCR_JUMP_PLACE_(place))
#define sigsetjmp(place, mask) __sigsetjmp(UPCR_JUMP_PLACE_(place), mask)
#else
#define setjmp(place)          (setjmp)(UPCR_JUMP_PLACE_(place))
#define sigsetjmp(place, mask) (sigsetjmp)(UPCR_JUMP_PLACE_(place), mask)
#endif

/* What the arguments access is still recorded, or not, as before the jump. */
#define UPCR_JUMP_(function, place, value)             \
    __extension__({                                    \
        __typeof__(&(place)[0]) upcr_place_ = (place); \
        int upcr_value_ = (value);                     \
        upcr_race_jump(upcr_place_);                   \
        (function)(upcr_place_, upcr_value_);          \
    })
#define longjmp(place, value)    UPCR_JUMP_(longjmp, place, value)
#define siglongjmp(place, value) UPCR_JUMP_(siglongjmp, place, value)
#endif
