// question: pointers-to-shared in every position C gives pointers: members, arrays, parameters, results, typedefs, casts, conditions
// counts: UPC_BARRIER=7*THREADS, UPC_FORALL=3*THREADS
#include "check.h"
#include <stdlib.h>

#define N 12
typedef shared [3] int *row_t;
typedef shared int *shared chain_t;
shared [3] int a[N * THREADS];
shared int cyclic[N * THREADS];
shared [] int one_place[N];
shared [3] int *shared shared_p;             /* shared pointer-to-shared */
shared [3] int *shared slots[THREADS];       /* shared array of pointers-to-shared */
shared int *shared *shared deep;             /* three hops */
shared chain_t links[THREADS];
struct node { int value; shared struct node *next; row_t where; shared [] char *text[2]; };
shared struct node nodes[4 * THREADS];
static row_t table[4];
static struct { row_t r; union { shared int *cyc; long bits; } u; } holder;

static row_t at(row_t base, int n) { return base + n; }
static int get(shared [3] int *p, int n) { return p[n]; }
static int get_array(shared [3] int p[], int n) { return *(p + n); }
static void set_out(row_t *out, row_t value) { *out = value; }
static shared void *generic_of(shared const void *p) { return (shared void *)p; }
static row_t (*at_pointer)(row_t, int) = at;

int main(void)
{
    int i, sum;
    row_t p, *pp = &p;
    shared int *c;
    shared struct node *n;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i])
        a[i] = i * 10;
    upc_forall (i = 0; i < N * THREADS; i++; i)
        cyclic[i] = -i;
    slots[MYTHREAD] = &a[MYTHREAD];
    if (MYTHREAD == 0) {
        shared_p = a + 5;
        links[0] = &cyclic[1];
        deep = &links[0];
    }
    upc_barrier;

    CHECK(get(a, 7) == 70 && get_array(at(a, 2), 3) == 50 && *at_pointer(a, 4) == 40 && (*at_pointer)(a, 4)[1] == 50);
    set_out(&p, a + 6);
    CHECK(*p == 60 && **pp == 60 && (*pp)[1] == 70 && *(*pp)++ == 60 && *p == 70 && (*pp)--[0] == 70 && p == &a[6]);
    CHECK(*shared_p == 50 && shared_p[2] == 70 && **deep == -1 && (*deep)[1] == -2 && *links[0] == -1);
    for (i = 0; i < THREADS; i++)
        CHECK(*slots[i] == i * 10 && slots[i][1] == i * 10 + 10);
    table[1] = p;
    holder.r = table[1] + 1;
    holder.u.cyc = cyclic + 3;
    CHECK(*holder.r == 70 && holder.u.cyc[1] == -4 && *(MYTHREAD % 2 ? holder.r : p) == (MYTHREAD % 2 ? 70 : 60));

    /* Null, truth, comparison with generic and null pointers. */
    p = NULL;
    CHECK(!p && p == 0 && !(p != NULL) && (p ? 0 : 1) && upc_threadof(p) == 0 && (int *)p == NULL);
    p = 0;
    p = a;
    CHECK(p && p != 0 && p == generic_of(a) && (shared void *)p == (shared void *)a && (!p || *p == 0) && (p && p[1] == 10));
    if (!p)
        CHECK(0);
    while (p < a + 3)
        p++;
    CHECK(p == a + 3 && p - a == 3 && a - p == -3 && p > a && a <= p);
    for (sum = 0, p = a; p != &a[N * THREADS]; ++p)
        sum += *p;
    CHECK(sum == 10 * (N * THREADS) * (N * THREADS - 1) / 2);

    /* Casts between block sizes. */
    c = (shared int *)&a[1];
    CHECK(*c == 10 && upc_phaseof(c) == 0 && upc_threadof(c) == upc_threadof(&a[1]));
    CHECK(*(shared [] int *)&a[2] == 20 && ((shared [] int *)a)[2] == 20);
    CHECK(upc_phaseof(&a[2]) == 2 && upc_phaseof((shared [4] int *)&a[2]) == 0);
    CHECK(upc_phaseof((shared [3] int *)&a[2]) == 2 && upc_phaseof((shared [3] unsigned *)&a[2]) == 2 && upc_phaseof((shared [3] short *)&a[2]) == 0);

    /* Casts to private. */
    upc_barrier;
    for (i = 0; i < N * THREADS; i++)
        if (upc_threadof(&a[i]) == MYTHREAD) {
            int *local = (int *)&a[i];
            CHECK(*local == i * 10);
            *local += 1;
            CHECK(a[i] == i * 10 + 1);
            a[i]--;
            CHECK(*local == i * 10);
        }
    upc_barrier;

    /* A list through shared hops. */
    upc_forall (i = 0; i < 4 * THREADS; i++; &nodes[i]) {
        nodes[i].value = i;
        nodes[i].next = i + 1 < 4 * THREADS ? &nodes[i + 1] : NULL;
        nodes[i].where = a + i;
        nodes[i].text[1] = (shared [] char *)&one_place[i % N];
    }
    upc_barrier;
    for (i = 0, n = nodes; n; n = n->next, i++)
        CHECK(n->value == i && *n->where == i * 10 && n->where[1] == i * 10 + 10 && n->text[1] == (shared void *)&one_place[i % N]);
    CHECK(i == 4 * THREADS);
    CHECK(nodes->next->next->next->value == 3 && *nodes[0].next->next->where == 20 && (*(*nodes).next).next->value == 2);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        nodes->next->next->value = 77;
        nodes->next->where[2] += 5;
        (*nodes->next).next->next->value++;
    }
    upc_barrier;
    CHECK(nodes[2].value == 77 && a[3] == 35 && nodes[3].value == 4);
    return pass();
}
