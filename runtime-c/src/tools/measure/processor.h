/* How long a pthread has waited for a processor: the times of a thread that had none say nothing about the program. */
#ifndef MEASURE_PROCESSOR_H
#define MEASURE_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct measure_state;

/* The system's account of a pthread: its descriptor, or -1 where the system keeps none; and the nanoseconds without a processor at the last look. */
struct measure_processor {
    int account;
    uint64_t waited;
};

/* Opens the account of the calling pthread. */
struct measure_processor measure_processor_open(void);

/* Makes the account begin now. */
void measure_processor_restart(struct measure_processor *processor);
void measure_processor_close(struct measure_processor *processor);

/* Writes a note of how long this pthread has waited for a processor since the last look, if it has, and sets the time of the next look. The caller writes an
   event after it: an end, which was at that time, or a start, which is at the time that is returned. What a thread waits between an end and the look belongs to
   the next note. Async-signal-safe. */
uint64_t measure_processor_look(struct measure_state *state, uint64_t now, bool is_end);

/* Writes the numbers of the processors that this thread may run on, as `0-3,8`; nothing if the system does not say. What does not fit is left out. */
void measure_processor_print(char *text, size_t capacity);

#endif
