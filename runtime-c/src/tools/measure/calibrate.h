/* The time that the measurement itself adds to a pair. */
#ifndef MEASURE_CALIBRATE_H
#define MEASURE_CALIBRATE_H

/* Sets profile_pair and trace_pair of the state, from empty pairs that leave nothing in the file. Pre: everything else has started. */
struct measure_state;
void measure_calibrate(struct measure_state *state);

/* Forgets the pairs of a calibration in whose midst the process ended. Async-signal-safe. */
void measure_calibrate_forget(struct measure_state *state);

#endif
