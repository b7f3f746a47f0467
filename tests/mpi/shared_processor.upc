// question: does a thread that waits for messages leave its processor to another thread that was seen there?
// threads: 2 3
// not: hosts a thread sees only those of its own machine

/* A wait for messages spins for a millisecond at most, also while other programs have the processor. */
#define MOST_US 100
#include "../programs/shared_processor.upc"
