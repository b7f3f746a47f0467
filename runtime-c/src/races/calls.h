/* The calls that lead to the current place, from the hooks that the C compiler puts at the entries and exits of the functions of a
   checked unit (-finstrument-functions). */
#ifndef UPCR_RACES_CALLS_H
#define UPCR_RACES_CALLS_H

#include <stdint.h>

#include "runtime.h"

/* A chain of calls has a number; 0: none is known. */
extern UPCR_PTHREAD_LOCAL uint32_t upcr_race_calls;

void __cyg_profile_func_enter(void *function, void *call);
void __cyg_profile_func_exit(void *function, void *call);

#endif
