/* A look at a running job: upcprof top. */
#ifndef MEASURE_LOOK_H
#define MEASURE_LOOK_H

#include <sys/types.h>

#include "tools/measure/format.h"

/* Called in a process that the launcher has forked: writes what the threads have measured so far into the memory file that the process `asker` has made for
   it, as blocks of a recording that ends now, and seals the file. The threads do nothing for it. */
void measure_look(pid_t asker);

/* Writes what is in memory of the thread: definitions, profile, counts, end. Under measure_run->lock. Async-signal-safe. measure.c. */
void measure_write_all(enum measure_how how, int status);

#endif
