/* Blocks that say what was run and how it ended. */
#ifndef MEASURE_FACTS_H
#define MEASURE_FACTS_H

#include "tools/measure/format.h"

/* start: nanoseconds since 1970, the same in all files of a run. */
void measure_write_run(int argc, char *const *argv, uint64_t start);
void measure_write_thread(void);

/* Async-signal-safe. */
void measure_write_counts(void);
void measure_write_end(enum measure_how how, int status);

#endif
