// question: 256 threads on few cores start, meet in barriers, see each other's writes and end
// threads: 1 100 256
// counts: UPC_BARRIER=7*THREADS, UPC_PUT=3*THREADS, UPC_PUT.remote=3*THREADS*(THREADS>1), UPC_GET=3*THREADS, UPC_GET.remote=0
#include "check.h"

shared int value[THREADS];

int main(void)
{
    int round;
    for (round = 1; round <= 3; round++) {
        value[(MYTHREAD + round) % THREADS] = MYTHREAD * round;
        upc_barrier round;
        CHECK(value[MYTHREAD] == (MYTHREAD - round % THREADS + THREADS) % THREADS * round);
        upc_barrier;
    }
    return pass();
}
