// Two block sizes
#include <upc.h>

shared [2][2] int square[4 * THREADS]; //~ E0100 @11

int main(void)
{
    return 0;
}
