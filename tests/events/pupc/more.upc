// What the paper's examples have not: reads, relaxed accesses, functions that are called, barriers, locks, copies, arguments of user events.
#include <upc_relaxed.h>
#include "pupc.h"

shared int a[THREADS];

static int next(void) {
  return (MYTHREAD + 1) % THREADS;
}

int main(void) {
  int evid = pupc_create_event("Numbers"), v = 6;
  upc_lock_t *lock;
  a[next()] = 5;
  upc_barrier 2;
  v += a[next()];
  upc_memput(&a[next()], &v, sizeof v);
  lock = upc_all_lock_alloc();
  upc_lock(lock);
  upc_unlock(lock);
  pupc_event_start(evid, v, 2.5);
  pupc_control(0);
  upc_fence;
  pupc_control(1);
  pupc_event_end(evid, v, 3.5);
  upc_free(upc_alloc(8));
  if (MYTHREAD == 0)
    upc_global_exit(4);
  upc_barrier;
}
