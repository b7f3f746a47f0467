/* The system's <setjmp.h>. In units of -fupc-races a jump also restores which accesses are recorded: as at the setjmp to which it leads. */
#pragma GCC system_header
#include_next <setjmp.h>

#if defined __UPC_RACES__ && !defined __UPCR_SETJMP_H__
#define __UPCR_SETJMP_H__

/* Both return their argument. */
extern void *upcr_race_jump_place(void *place) __attribute__((__visibility__("hidden")));
extern void *upcr_race_jump(void *place) __attribute__((__visibility__("hidden")));
#define UPCR_JUMP_(function, place) ((__typeof__(&(place)[0]))function(place))

#undef setjmp
#undef sigsetjmp
#ifdef __GLIBC__
/* The function setjmp saves the signal mask, which the macro does not. */
#define setjmp(place)          _setjmp(UPCR_JUMP_(upcr_race_jump_place, place))
#define sigsetjmp(place, mask) __sigsetjmp(UPCR_JUMP_(upcr_race_jump_place, place), mask)
#else
#define setjmp(place)          (setjmp)(UPCR_JUMP_(upcr_race_jump_place, place))
#define sigsetjmp(place, mask) (sigsetjmp)(UPCR_JUMP_(upcr_race_jump_place, place), mask)
#endif
#define longjmp(place, value)    (longjmp)(UPCR_JUMP_(upcr_race_jump, place), value)
#define siglongjmp(place, value) (siglongjmp)(UPCR_JUMP_(upcr_race_jump, place), value)
#endif
