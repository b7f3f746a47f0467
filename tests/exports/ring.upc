// Each thread writes to its neighbour, step by step; then all add to one sum under a lock. For suite `exports`, which knows how often what happens.
#include <pupc.h>
#include <upc.h>

shared int cell[THREADS];
shared int sum;
upc_lock_t *lock;

static void exchange(int count)
{
    int right = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < count; i++)
        cell[right] = i;
}

int main(void)
{
    unsigned step = pupc_create_event("step", "%d");
    lock = upc_all_lock_alloc();
    for (int s = 0; s < 3; s++) {
        pupc_event_start(step, s);
        exchange(4);
        upc_barrier s;
        pupc_event_end(step, s);
    }
    upc_lock(lock);
    sum += 1;
    upc_unlock(lock);
    upc_barrier;
    return sum == THREADS ? 0 : 1;
}
