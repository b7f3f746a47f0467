// question: locks exclude, attempts fail while another thread holds, locks can be freed held or not and by other functions than they came from
// counts: UPC_LOCK=700*THREADS+1, UPC_UNLOCK=721*THREADS-1, UPC_GLOBAL_LOCK_ALLOC=501*THREADS, UPC_ALL_LOCK_ALLOC=THREADS, UPC_LOCK_FREE=502*THREADS+1, UPC_BARRIER=7*THREADS
// counts: UPC_PUT=421*THREADS+1, UPC_PUT.remote=420*(THREADS-1), UPC_GET.remote=(THREADS-1)*(THREADS+424), C_FUNC=2*THREADS
#include "check.h"

#define ROUNDS 200
shared int counter, holder;
upc_lock_t *shared published;
upc_lock_t *shared each[THREADS];
static upc_lock_t *global_lock;

int main(void)
{
    int i, got;
    upc_lock_t *mine = upc_global_lock_alloc();
    upc_lock_t *all = upc_all_lock_alloc();
    CHECK(mine != NULL && all != NULL && mine != all);
    each[MYTHREAD] = mine;
    if (MYTHREAD == 0)
        published = all;
    upc_barrier;
    CHECK(published == all);
    for (i = 0; i < THREADS; i++)
        CHECK((each[i] == mine) == (i == MYTHREAD));
    for (i = 0; i < ROUNDS; i++) {
        upc_lock(all);
        holder = MYTHREAD;
        counter = counter + 1;
        CHECK(holder == MYTHREAD);
        upc_unlock(all);
    }
    upc_barrier;
    CHECK(counter == ROUNDS * THREADS);
    upc_barrier;
    for (i = got = 0; got < 20; i++)
        if (upc_lock_attempt(all)) {
            counter++;
            got++;
            upc_unlock(all);
        }
    upc_barrier;
    CHECK(counter == (ROUNDS + 20) * THREADS);
    /* Everyone finds thread 0's lock taken. */
    if (MYTHREAD == 0)
        upc_lock(each[0]);
    upc_barrier;
    if (MYTHREAD != 0)
        CHECK(upc_lock_attempt(each[0]) == 0);
    upc_barrier;
    if (MYTHREAD == 0) {
        upc_lock_free(each[0]); /* held */
        upc_lock_free(NULL);
    } else {
        CHECK(upc_lock_attempt(mine) == 1);
        upc_unlock(mine);
        upc_lock_free(mine);
    }
    upc_all_lock_free(all);
    /* Many locks. */
    for (i = 0; i < 500; i++) {
        global_lock = upc_global_lock_alloc();
        upc_lock(global_lock);
        upc_unlock(global_lock);
        upc_lock_free(global_lock);
    }
    return pass();
}
