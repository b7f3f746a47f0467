// W0622: a program of one unit, where no other unit can set a variable with external linkage.
#include <upc.h>

upc_lock_t *lock;
upc_lock_t *allocated;
extern upc_lock_t *elsewhere;
shared int n;

static void count(void)
{
    upc_lock(lock); //~ W0622 @14 nothing assigns one to `lock`
    n++;
    upc_unlock(lock); //~ W0622
    // Silent.
    upc_lock(allocated);
    n++;
    upc_unlock(allocated);
    upc_lock(elsewhere);
}

int main(void)
{
    allocated = upc_all_lock_alloc();
    count();
    return 0;
}
