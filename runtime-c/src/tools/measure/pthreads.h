/* The pthreads of a thread that raise events. Each has a state of its own, which nobody else touches while it lives, and a stream of its own in the trace; what
   it has counted is added to the thread's when it ends. */
#ifndef MEASURE_PTHREADS_H
#define MEASURE_PTHREADS_H

#include "tools/measure/state.h"

/* The state of the thread's first pthread, with these settings; NULL: no memory. */
struct measure_state *measure_pthreads_start(const struct measure_state *settings);

/* An event that cannot be recorded in this state: the pthread gets one of its own if it has none; or the event comes while another one is recorded. */
struct measure_state *measure_pthread_comes(struct measure_state *state);

/* The pthread is asked to look: does what there is to do. Returns the path of the event that is under way. */
enum measure_path measure_pthread_looks(struct measure_state *state);

/* This pthread ends. */
void measure_pthread_ends(void);

/* Switches recording on or off for all pthreads, each before its next event. */
void measure_pthreads_control(bool on);

/* True: no other pthread records any more, and the caller has measure_run->lock; taken: it is to be given back. False: that would take too long.
   Async-signal-safe. */
bool measure_pthreads_stop(bool *taken);

/* Ends what the pthreads have under way, and adds all to the first one's state. Under measure_run->lock. Async-signal-safe. */
void measure_pthreads_join(void);

#endif
