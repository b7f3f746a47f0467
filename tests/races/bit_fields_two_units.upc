// question: do bit-fields of different storage units, and a member between, not race?
#include "races.h"

static shared struct {
    unsigned a : 3;
    unsigned : 0;
    unsigned b : 5;
    char c;
} bits;

int main(void)
{
    switch (MYTHREAD) {
    case 0:
        bits.a = 1;
        break;
    case 1:
        bits.b = 2;
        break;
    case 2:
        bits.c = 3;
        break;
    }
    upc_barrier;
    CHECK(bits.a == 1 && bits.b == 2);
    return pass();
}
