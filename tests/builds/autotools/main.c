#include <config.h>
#include <stdio.h>

#include "ring.h"

#if !HAVE_UPC_H || !HAVE_UPC_COLLECTIVE_H || HAVE_NO_SUCH_HEADER_H || !HAVE_LIBM || HAVE_LIBNO_SUCH_LIBRARY
#error "configure has the wrong answer about headers or libraries"
#endif
#if !HAVE_GETTIMEOFDAY || HAVE_NO_SUCH_FUNCTION
#error "configure has the wrong answer about functions"
#endif

int main(void)
{
    int got = ring_pass(5);
    if (MYTHREAD == 0)
        printf("%s: %d, long has %d bytes\n", PACKAGE_NAME, got, SIZEOF_LONG);
    return got != 5 + THREADS || SIZEOF_LONG != (int)sizeof(long);
}
