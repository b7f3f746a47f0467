#ifndef MEASURE_FAST_PATH_H
#define MEASURE_FAST_PATH_H

#include <stdarg.h>

#include <gasp.h>

/* The tool's gasp_event_notifyVA. */
void measure_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments);

/* Counts the open pairs in the profile as if they ended now, and ends them in the trace as well if requested. Async-signal-safe, except for the
   trace. */
struct measure_state;
void measure_end_open(struct measure_state *state, bool in_trace);

#endif
