/* Blocks that record what was run and how it ended. */
#ifndef MEASURE_FACTS_H
#define MEASURE_FACTS_H

#include "tools/measure/format.h"

struct measure_state;

/* All of these are called under measure_run->lock. start: nanoseconds since 1970, the same in all files of a run. */
void measure_write_run(int argc, char *const *argv, uint64_t start, const struct measure_state *settings);

/* What the compiler says of the program, of its loops and references: once in each file, after the run. */
void measure_write_static(void);

void measure_write_thread(const struct measure_state *state);

/* The sums over all pthreads. Async-signal-safe. */
void measure_write_counts(const struct measure_state *state);
void measure_write_end(const struct measure_state *state, enum measure_how how, int status);

#endif
