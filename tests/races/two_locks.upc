// question: is the race found of accesses under two different locks?
// threads: 2
// race: 13 13
#include "races.h"

static shared int x;

int main(void)
{
    upc_lock_t *first = upc_all_lock_alloc(), *second = upc_all_lock_alloc();
    upc_lock_t *mine = MYTHREAD == 0 ? first : second;
    upc_lock(mine);
    x++;
    upc_unlock(mine);
    return pass();
}
