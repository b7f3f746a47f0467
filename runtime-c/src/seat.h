/* Seats: the processors on which the threads of this machine were last seen. Threads that are not bound often come to
   share a processor though others are free. A thread that waits where another one was seen should yield at once, because
   what it waits for may need this very processor. */
#ifndef UPCR_SEAT_H
#define UPCR_SEAT_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the bytes of zeroed memory that all threads of this machine share, for this number of threads. */
size_t upcr_seats_bytes(int threads);

/* Takes that memory, for this many threads of which `first` is the lowest, and records the seat of this one. */
void upcr_seats_take(void *memory, int first, int threads);

/* Returns whether another thread of this machine, or the helper of one, was last seen on this processor, and records the
   seat of this one. False without seats. Called by the threads themselves only. */
bool upcr_seat_is_shared(void);

/* Records the seat of this process's helper while it works for others, who wait for it. Called by the helper. */
void upcr_seat_of_helper(bool works);

#endif
