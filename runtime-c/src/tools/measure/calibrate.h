/* What the measurement itself adds to the time of a pair. */
#ifndef MEASURE_CALIBRATE_H
#define MEASURE_CALIBRATE_H

/* Sets profile_pair and trace_pair of the state, by pairs that nothing happens in, of which the file has no trace. Pre: everything else has started. */
struct measure_state;
void measure_calibrate(struct measure_state *state);

#endif
