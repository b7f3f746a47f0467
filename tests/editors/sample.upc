#include <upc.h>
/* shared THREADS */
shared [4] int a[4*THREADS];

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_forall (int i = 0; i < 4*THREADS; i++; &a[i])
        a[i] = nothing;
    upc_barrier;
    return MYTHREAD;
}
