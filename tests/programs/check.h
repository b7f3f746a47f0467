/* What every program here uses: a check that ends the job when it fails, and the line that says that all of them held. */
#ifndef CHECK_H
#define CHECK_H
#include <stddef.h>
#include <stdio.h>
#include <upc.h>

#define CHECK(condition)                                                                                                       \
    do {                                                                                                                       \
        if (!(condition)) {                                                                                                    \
            fprintf(stderr, "%s:%d: thread %d of %d: %s\n", __FILE__, __LINE__, MYTHREAD, THREADS, #condition);                \
            upc_global_exit(1);                                                                                                \
        }                                                                                                                      \
    } while (0)

/* Every thread calls it last. */
static int pass(void)
{
    upc_barrier;
    if (MYTHREAD == 0)
        puts("PASS");
    return 0;
}
#endif
