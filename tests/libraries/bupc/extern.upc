// question: do the functions of <bupc_extern.h> mean what UPC code says itself, and does all that is printed before a bupc_exit of all threads come out?
// counts: UPC_BARRIER=THREADS, UPC_GET=THREADS*THREADS, UPC_GET.remote=THREADS*(THREADS-1)
#include <bupc_extern.h>

#include "../../programs/check.h"
#include <stdlib.h>
#include <unistd.h>

static shared [1] int *numbers;

int main(int argc, char **argv)
{
    int *own, *part, i;
    bupc_init(&argc, &argv);
    CHECK(bupc_extern_mythread() == MYTHREAD && bupc_extern_threads() == THREADS);
    setenv("UPC_TEST_OF_EXTERN", "x", 1);
    CHECK(bupc_extern_getenv("UPC_TEST_OF_EXTERN")[0] == 'x' && bupc_extern_getenv("UPC_TEST_OF_NOTHING") == NULL);
    own = bupc_extern_alloc(10 * sizeof(int));
    own[9] = MYTHREAD;
    CHECK(upc_threadof(bupc_local_to_shared(own, MYTHREAD, 0)) == MYTHREAD);
    bupc_extern_free(own, MYTHREAD);
    part = bupc_extern_all_alloc(THREADS, sizeof(int));
    *part = 7 * MYTHREAD;
    numbers = bupc_local_to_shared(part, 0, 0);
    bupc_extern_barrier(1);
    for (i = 0; i < THREADS; i++)
        CHECK(numbers[i] == 7 * i);
    bupc_extern_notify(2);
    bupc_extern_wait(2);
    bupc_extern_all_free(part, 0);
    part = bupc_extern_all_alloc(1, sizeof(int));
    CHECK(upc_threadof(bupc_local_to_shared(part, 0, 0)) == 0 && part != NULL);
    upc_barrier;
    /* The others call bupc_exit long before thread 0 does. */
    if (MYTHREAD == 0) {
        bupc_extern_free(part, 0);
        usleep(20000);
        puts("PASS");
    }
    bupc_exit(0);
}
