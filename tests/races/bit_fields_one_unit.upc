// question: is the race found of two bit-fields that share a byte?
// threads: 2
// race: 13 15
#include "races.h"

static shared struct {
    unsigned a : 3, b : 5;
} bits;

int main(void)
{
    if (MYTHREAD == 0)
        bits.a = 1;
    else
        bits.b = 1;
    return pass();
}
