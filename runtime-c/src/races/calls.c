#include "races/calls.h"

#include "races/detector.h"

/* Chains are followed to this depth. Recursion counts once, so most programs stay below it. */
enum { MOST_FRAMES = 64 };

UPCR_PTHREAD_LOCAL uint32_t upcr_race_calls;

/* A function that has been entered: an address in its part of the stack, and the chain of its caller. */
struct frame {
    uintptr_t stack;
    uint32_t caller;
};

static UPCR_PTHREAD_LOCAL struct frame frames[MOST_FRAMES];
static UPCR_PTHREAD_LOCAL int depth;
static UPCR_PTHREAD_LOCAL int deeper; /* functions entered beyond MOST_FRAMES */

static void leave_one(void)
{
    upcr_race_calls = frames[--depth].caller;
}

/* Leaves the functions that longjmp has left: the stack has none of them any more. */
static void leave_below(uintptr_t stack)
{
    while (depth > 0 && frames[depth - 1].stack < stack) {
        leave_one();
        deeper = 0;
    }
}

void __cyg_profile_func_enter(void *function, void *call)
{
    uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
    (void)function;
    if (!upcr_race_on)
        return;
    leave_below(stack);
    if (depth == MOST_FRAMES) {
        deeper++;
        return;
    }
    frames[depth++] = (struct frame){stack, upcr_race_calls};
    upcr_race_calls = upcr_race_chain(upcr_race_calls, call);
}

void __cyg_profile_func_exit(void *function, void *call)
{
    (void)function, (void)call;
    leave_below((uintptr_t)__builtin_frame_address(0));
    if (deeper > 0)
        deeper--;
    else if (depth > 0)
        leave_one();
}
