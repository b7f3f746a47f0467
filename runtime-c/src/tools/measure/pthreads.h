/* The pthreads of a thread that raise events. Each has its own state, which no other pthread accesses before it ends, and its own stream in the trace; its
   counts are added to the thread's when it ends. */
#ifndef MEASURE_PTHREADS_H
#define MEASURE_PTHREADS_H

#include "tools/measure/state.h"

/* Returns the state of the thread's first pthread, with these settings; NULL: out of memory. */
struct measure_state *measure_pthreads_start(const struct measure_state *settings);

/* Handles an event that cannot be recorded in this state: a pthread without a state gets one; or the event comes while another one is recorded. */
struct measure_state *measure_pthread_comes(struct measure_state *state);

/* Executes the requests of other pthreads to this one. Returns the path of the event under way. */
enum measure_path measure_pthread_looks(struct measure_state *state);

/* Called when this pthread ends. */
void measure_pthread_ends(void);

/* Switches recording on or off for all pthreads, each before its next event. */
void measure_pthreads_control(bool on);

/* True: no other pthread records, and the caller holds measure_run->lock; taken: the caller must unlock it. False: the others did not stop in time.
   Async-signal-safe. */
bool measure_pthreads_stop(bool *taken);

/* Ends the open pairs of the pthreads, and adds all counts to the first one's state. Under measure_run->lock. Async-signal-safe. */
void measure_pthreads_join(void);

#endif
