/* <bupc_extern.h>: the functions of UPC for C and C++. */
#include "runtime.h"

#include <stdlib.h>

#pragma GCC visibility push(default)
#include "bupc_extern.h"
#pragma GCC visibility pop

void upc_global_exit(int status);
upcr_pts_t upc_alloc(size_t nbytes);
upcr_pts_t upc_all_alloc(size_t nblocks, size_t nbytes);
void upc_free(upcr_pts_t ptr);
void upc_all_free(upcr_pts_t ptr);
upcr_pts_t bupc_local_to_shared(void *ptr, int thread, int phase);

/* The job has started before main, in whatever language main is written. */
void bupc_init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
}

void bupc_init_reentrant(int *argc, char ***argv, int (*main_function)(int, char **))
{
    if (main_function != NULL)
        exit(main_function(*argc, *argv));
}

void bupc_exit(int status)
{
    upc_global_exit(status);
}

int bupc_extern_mythread(void)
{
    return upcr_mythread;
}

int bupc_extern_threads(void)
{
    return upcr_threads;
}

char *bupc_extern_getenv(const char *name)
{
    return getenv(name);
}

void bupc_extern_notify(int value)
{
    upcr_notify(1, value);
}

void bupc_extern_wait(int value)
{
    upcr_wait(1, value);
}

void bupc_extern_barrier(int value)
{
    upcr_barrier(1, value);
}

void *bupc_extern_alloc(size_t nbytes)
{
    upcr_pts_t memory = upc_alloc(nbytes);
    return upcr_is_null(memory) ? NULL : upcr_local(memory);
}

/* Returns the same place on every thread, whether or not there is a block. */
void *bupc_extern_all_alloc(size_t nblocks, size_t nbytes)
{
    upcr_pts_t memory = upc_all_alloc(nblocks, nbytes);
    return upcr_is_null(memory) ? NULL : upcr_local(upcr_make((size_t)upcr_mythread, 0, upcr_addrfield(memory)));
}

void bupc_extern_free(void *ptr, int thread)
{
    upc_free(bupc_local_to_shared(ptr, thread, 0));
}

void bupc_extern_all_free(void *ptr, int thread)
{
    upc_all_free(bupc_local_to_shared(ptr, thread, 0));
}
