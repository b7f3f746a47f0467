/* <bupc_extern.h>: Berkeley's functions for programs whose main is in C or C++. Files of all three languages may include it. */
#pragma GCC system_header
#ifndef UPCR_BUPC_EXTERN_H
#define UPCR_BUPC_EXTERN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The threads run before any main is called. The first function does nothing; the second calls main_function and ends the thread with its value. */
extern void bupc_init(int *argc, char ***argv);
extern void bupc_init_reentrant(int *argc, char ***argv, int (*main_function)(int, char **));
extern void bupc_exit(int status);

/* The functions for MYTHREAD, THREADS, upc_notify, upc_wait and upc_barrier of UPC code; the last three take a value. */
extern int bupc_extern_mythread(void);
extern int bupc_extern_threads(void);
extern char *bupc_extern_getenv(const char *name);
extern void bupc_extern_notify(int value);
extern void bupc_extern_wait(int value);
extern void bupc_extern_barrier(int value);

/* upc_alloc; and upc_all_alloc, which returns the address of the thread's own part. UPC code converts both results to pointers-to-shared with
   bupc_local_to_shared. thread: the one that called bupc_extern_alloc, 0 for memory from bupc_extern_all_alloc. */
extern void *bupc_extern_alloc(size_t nbytes);
extern void *bupc_extern_all_alloc(size_t nblocks, size_t nbytes);
extern void bupc_extern_free(void *ptr, int thread);
extern void bupc_extern_all_free(void *ptr, int thread);

#ifdef __cplusplus
}
#endif

#endif
