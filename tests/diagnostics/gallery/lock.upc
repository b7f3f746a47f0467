// A lock that is an object
#include <upc.h>

upc_lock_t lock; //~ E0204 @12
shared int counter;

void count(void)
{
    upc_lock(lock); //~ E0204 @14
    counter++;
    upc_unlock(lock);
}
