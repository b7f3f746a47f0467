// question: shared scalars of every type are one object for all threads, with affinity to thread 0 and initial value 0
// counts: UPC_BARRIER=4*THREADS, UPC_PUT=24, UPC_PUT.remote=17*(THREADS>1), UPC_GET=35*THREADS+4, UPC_GET.remote=35*(THREADS-1)
#include "check.h"

shared char c;
shared signed char sc;
shared unsigned short us;
shared int i;
shared unsigned int u;
shared long long ll;
shared unsigned long ul;
shared float f;
shared double d;
shared long double ld;
shared _Bool b;
static shared int hidden;
int shared after;
const shared int constant;
volatile shared long vol;
shared [5] int blocked_scalar;
enum color { RED, GREEN = 7, BLUE };
shared enum color color;
shared void *shared generic;
int *shared local_in_shared;

int main(void)
{
    CHECK(c == 0 && sc == 0 && us == 0 && i == 0 && u == 0 && ll == 0 && ul == 0);
    CHECK(f == 0 && d == 0 && ld == 0 && b == 0 && hidden == 0 && after == 0 && constant == 0 && vol == 0);
    CHECK(color == RED && generic == NULL && local_in_shared == NULL);
    CHECK(upc_threadof(&i) == 0 && upc_threadof(&ld) == 0 && upc_phaseof(&blocked_scalar) == 0);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        c = 'x';
        sc = -5;
        us = 65535;
        i = -2000000000;
        u = 4000000000u;
        ll = -(1LL << 60);
        ul = ~0ul;
        f = 1.5f;
        d = 1e300;
        ld = 3.25L;
        b = 17;
        hidden = 1;
        after = 2;
        vol = 3;
        blocked_scalar = 4;
        color = BLUE;
        generic = &ll;
    }
    upc_barrier;
    CHECK(c == 'x' && sc == -5 && us == 65535 && i == -2000000000 && u == 4000000000u && ll == -(1LL << 60) && ul == ~0ul);
    CHECK(f == 1.5f && d == 1e300 && ld == 3.25L && b == 1 && hidden == 1 && after == 2 && vol == 3);
    CHECK(blocked_scalar == 4 && color == BLUE && generic == &ll);
    /* Conversions of the stored value: the value of an assignment is what was stored. */
    upc_barrier;
    if (MYTHREAD == 0) {
        int stored = (c = 0x141);
        CHECK(stored == 0x41 && c == 0x41);
        CHECK((us = -1) == 65535);
        CHECK((b = 0.5) == 1);
        CHECK((i = 3.9) == 3);
        d = i = us = 7;
        CHECK(d == 7.0 && i == 7 && us == 7);
    }
    return pass();
}
