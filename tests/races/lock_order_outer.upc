// question: are two locks that threads take in opposite orders under a common lock not reported?
#include "races.h"

static upc_lock_t *outer, *first, *second;

int main(void)
{
    upc_lock_t *one, *other;
    outer = upc_all_lock_alloc(), first = upc_all_lock_alloc(), second = upc_all_lock_alloc();
    one = MYTHREAD % 2 ? first : second;
    other = MYTHREAD % 2 ? second : first;
    upc_lock(outer);
    upc_lock(one);
    upc_lock(other);
    upc_unlock(other);
    upc_unlock(one);
    upc_unlock(outer);
    return pass();
}
