// UPC 7.1, C11 7.1.4: functions of the library that the program declares itself
#include <upc.h>

extern shared void *upc_all_alloc();
extern shared void *upc_all_alloc(size_t count, size_t bytes);
extern int upc_threadof(shared void *); //~ W0226 @12 treated as the library's `size_t (shared const volatile void *)`
void upc_memget(void *, shared void *, size_t), upc_memput(shared void *, char *, int); //~ W0226 //~ W0226 @49
extern int upc_lock_attempt(shared void *); //~ W0226
void upc_global_exit(long); //~ W0226
extern shared void *upc_alloc(size_t, size_t); //~ E0200
extern int upc_phaseof(int *); //~ E0200
extern int upc_all_lock_alloc(); //~ E0200
int upc_lock(upc_lock_t *); //~ E0200

/* A definition is another function. */
int upc_addrfield(shared void *p) //~ E0200
{
    extern void upc_free(shared char *); //~ W0226
    return (int)upc_threadof(p);
}

/* Not the library's. */
int helper(int);
int helper(long); //~ E0200
