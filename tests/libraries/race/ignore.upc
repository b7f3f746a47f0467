// question: do regions of <upc_race.h> change nothing but the detection of races?
#include "../../programs/check.h"
#include <upc_race.h>

static shared int a[THREADS];

int main(void)
{
    upc_race_ignore_begin();
    upc_race_ignore_begin();
    a[MYTHREAD] = MYTHREAD + 1;
    upc_race_ignore_end();
    upc_barrier;
    CHECK(a[(MYTHREAD + 1) % THREADS] == (MYTHREAD + 1) % THREADS + 1);
    upc_race_ignore_end();
#pragma upcc race_ok
    int next = a[(MYTHREAD + 1) % THREADS], own = a[MYTHREAD];
#pragma upcc race_ok
    for (int i = 0; i < 3; i++) {
        if (i == 2)
            break;
        own += i;
    }
    CHECK(next == (MYTHREAD + 1) % THREADS + 1 && own == MYTHREAD + 2);
    return pass();
}
