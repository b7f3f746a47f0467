// UPC 1.0 had objects of type upc_lock_t; since 1.1 a lock is allocated (UPC 7.2.4)
#include <upc.h>

upc_lock_t lock; //~ E0204 @12 never completed
shared upc_lock_t other; //~ E0204
upc_lock_t locks[THREADS]; //~ E0204 array of
extern upc_lock_t elsewhere;
upc_lock_t *right;
upc_lock_t *shared all[THREADS];

void automatic(void)
{
    upc_lock_init(right);
    upc_lock(&elsewhere);
    upc_lock_t own; //~ E0204
}
