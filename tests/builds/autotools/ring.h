#ifndef RING_H
#define RING_H
#include <upc.h>
/* Passes value once around the ring of threads; the result, on every thread: value plus the number of threads. */
int ring_pass(int value);
#endif
