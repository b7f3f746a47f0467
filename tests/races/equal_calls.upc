// question: does a report name the right one of two equal calls in the branches of a condition?
// threads: 2
// not: races-clang it makes one call of the two
// race: 16 18
#include "races.h"

enum { WORDS = 8 };

static shared [] long to[WORDS];
static long from[WORDS];

static void put(int n)
{
    size_t bytes = (size_t)n * sizeof(long);
    if (n & 1)
        upc_memput(to, from, bytes);
    else
        upc_memput(to, from, bytes);
}

int main(void)
{
    put(MYTHREAD + 5);
    return pass();
}
