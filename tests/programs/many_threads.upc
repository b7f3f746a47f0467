// question: 256 threads on few cores start, meet in barriers, see each other's writes and end
// threads: 1 100 256
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
