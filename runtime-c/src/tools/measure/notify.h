#ifndef MEASURE_NOTIFY_H
#define MEASURE_NOTIFY_H

#include <stdarg.h>

#include <gasp.h>

/* gasp_event_notifyVA of this tool. */
void measure_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments);

/* Counts the pairs that are open in the profile as ending now, and ends them in the trace as well where that is asked for. Async-signal-safe, but for the
   trace. */
struct measure_state;
void measure_end_open(struct measure_state *state, bool in_trace);

#endif
