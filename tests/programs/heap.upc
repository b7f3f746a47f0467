// question: the heap functions give what they promise: affinity, layout, sharing, alignment, reuse after freeing
// counts: UPC_ALLOC=603*THREADS, UPC_GLOBAL_ALLOC=3*THREADS, UPC_ALL_ALLOC=3*THREADS, UPC_FREE=605*THREADS+1, UPC_BARRIER=THREADS*THREADS+8*THREADS, UPC_FORALL=2*THREADS
#include "check.h"
#include <string.h>

shared [10] int *shared published;
shared [] char *shared from[THREADS];
struct node { int value; shared struct node *next; };
shared struct node *shared head;

int main(void)
{
    int i, t, round;
    shared int *cyclic = upc_all_alloc(20 * THREADS, sizeof(int));
    shared [10] int *all = upc_all_alloc(3 * THREADS, 10 * sizeof(int)), *mine;
    shared [] char *local;
    CHECK(cyclic && all && upc_threadof(all) == 0 && upc_phaseof(all) == 0 && upc_threadof(cyclic) == 0);
    if (MYTHREAD == THREADS - 1)
        published = all;
    upc_barrier;
    CHECK(published == all);
    upc_forall (i = 0; i < 30 * THREADS; i++; &all[i])
        all[i] = i;
    upc_forall (i = 0; i < 20 * THREADS; i++; i)
        cyclic[i] = -i;
    upc_barrier;
    for (i = 0; i < 30 * THREADS; i++)
        CHECK(all[i] == i && upc_threadof(&all[i]) == i / 10 % THREADS);
    for (i = 0; i < 20 * THREADS; i++)
        CHECK(cyclic[i] == -i);

    mine = upc_global_alloc(2 * THREADS, 10 * sizeof(int));
    CHECK(mine && upc_threadof(mine) == 0);
    for (i = 0; i < 20 * THREADS; i++)
        mine[i] = MYTHREAD * 1000 + i;
    upc_barrier;
    for (i = 0; i < 20 * THREADS; i++)
        CHECK(mine[i] == MYTHREAD * 1000 + i);

    local = upc_alloc(5000);
    CHECK(local && upc_threadof(local) == MYTHREAD && upc_phaseof(local) == 0);
    CHECK((size_t)(char *)local % sizeof(double) == 0);
    memset((char *)local, 'a' + MYTHREAD % 26, 5000);
    from[MYTHREAD] = local;
    upc_barrier;
    for (t = 0; t < THREADS; t++)
        CHECK(from[t][0] == 'a' + t % 26 && from[t][4999] == 'a' + t % 26 && upc_threadof(from[t]) == t);
    CHECK(upc_alloc(0) == NULL && upc_global_alloc(0, 8) == NULL && upc_global_alloc(8, 0) == NULL && upc_all_alloc(0, 0) == NULL);
    upc_free(NULL);
    upc_all_free(NULL);
    upc_barrier;
    upc_free(from[(MYTHREAD + 1) % THREADS]); /* anybody may free */
    upc_free(mine);
    upc_all_free(all);
    if (MYTHREAD == 0)
        upc_free(cyclic);
    upc_barrier;

    /* Far more in total than the heap holds at once. */
    for (round = 0; round < 200; round++) {
        shared [] char *p = upc_alloc(1 << 18), *q = upc_alloc(1000 + round);
        CHECK(p && q && p != q);
        *(char *)p = *(char *)q = 1;
        upc_free(p);
        p = upc_alloc(64);
        CHECK(p[0] == p[0]);
        upc_free(q);
        upc_free(p);
    }
    upc_barrier;

    /* A list made by every thread in turn. */
    for (t = 0; t < THREADS; t++) {
        if (t == MYTHREAD) {
            shared struct node *n = upc_alloc(sizeof(struct node));
            n->value = t;
            n->next = head;
            head = n;
        }
        upc_barrier;
    }
    {
        shared struct node *n;
        for (n = head, i = THREADS - 1; n; n = n->next, i--)
            CHECK(n->value == i && upc_threadof(n) == i);
        CHECK(i == -1);
    }
    return pass();
}
