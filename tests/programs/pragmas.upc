// question: the strict and relaxed pragmas have file and block scope, the type's own qualifier goes before them
// threads: 1 2
// counts: UPC_BARRIER=2*THREADS, UPC_PUT=6, UPC_GET=3*THREADS+6, UPC_GET.remote=3*(THREADS-1)
#include "check.h"
#include <upc_strict.h>

shared int by_header;
relaxed shared int relaxed_x;
#pragma upc relaxed
shared int y;
strict shared int strict_y;

static int blocks(void)
{
#pragma upc strict
    int before = y;
    {
#pragma upc relaxed
        y = before + 1;
        {
#pragma upc strict
            y++;
        }
        y += relaxed_x;
    }
    y = y + 1;
    return y;
}
#pragma upc strict
static void rest(void) { by_header = 5; strict_y = 6; }

int main(void)
{
    if (MYTHREAD == 0) {
        CHECK(blocks() == 3);
        rest();
    }
    upc_barrier;
    CHECK(y == 3 && by_header == 5 && strict_y == 6);
    return pass();
}
