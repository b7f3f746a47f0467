#ifndef MEASURE_NOTIFY_H
#define MEASURE_NOTIFY_H

#include <stdarg.h>

#include <gasp.h>

/* gasp_event_notifyVA of this tool. */
void measure_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments);

/* Counts the pairs that are open in the profile as ending now. Async-signal-safe. */
void measure_end_open(void);

#endif
