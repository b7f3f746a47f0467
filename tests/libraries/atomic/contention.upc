// question: is no update lost when all threads update one place, by every operation that changes it?
#include "../../programs/check.h"
#include <stdint.h>
#include <upc_atomic.h>

#define ROUNDS 2000
static shared int64_t sum, product, swapped, largest, smallest, bits, flips;
static shared double real;
static shared uint32_t tickets;
static shared char taken[ROUNDS * THREADS];
static shared void *shared head;
struct node {
    shared void *next;
};

static void count(void)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(
        UPC_INT64, UPC_ADD | UPC_SUB | UPC_INC | UPC_DEC | UPC_MULT | UPC_MAX | UPC_MIN | UPC_OR | UPC_XOR | UPC_CSWAP | UPC_GET, 0);
    int64_t i, one = 1, three = 3, value, expected;
    if (MYTHREAD == 0)
        product = 1;
    upc_barrier;
    for (i = 0; i < ROUNDS; i++) {
        value = i * THREADS + MYTHREAD;
        upc_atomic_relaxed(d, NULL, UPC_ADD, &sum, &three, NULL);
        upc_atomic_relaxed(d, NULL, UPC_INC, &sum, NULL, NULL);
        upc_atomic_relaxed(d, NULL, UPC_SUB, &sum, &one, NULL);
        upc_atomic_relaxed(d, NULL, UPC_DEC, &sum, NULL, NULL);
        upc_atomic_relaxed(d, NULL, UPC_MULT, &product, &three, NULL);
        upc_atomic_relaxed(d, NULL, UPC_MAX, &largest, &value, NULL);
        value = -value;
        upc_atomic_relaxed(d, NULL, UPC_MIN, &smallest, &value, NULL);
        upc_atomic_relaxed(d, NULL, UPC_XOR, &flips, &one, NULL);
        upc_atomic_relaxed(d, &expected, UPC_GET, &swapped, NULL, NULL);
        do {
            value = expected;
            expected = value + 1;
            upc_atomic_strict(d, &expected, UPC_CSWAP, &swapped, &value, &expected);
        } while (expected != value);
    }
    value = 1LL << (MYTHREAD % 60);
    upc_atomic_strict(d, NULL, UPC_OR, &bits, &value, NULL);
    upc_barrier;
    for (i = 0, value = 1; i < ROUNDS * THREADS; i++)
        value = (int64_t)((uint64_t)value * 3);
    CHECK(product == value);
    CHECK(sum == 2LL * ROUNDS * THREADS);
    CHECK(swapped == (int64_t)ROUNDS * THREADS);
    CHECK(largest == (int64_t)ROUNDS * THREADS - 1 && smallest == -largest);
    CHECK(flips == (int64_t)ROUNDS * THREADS % 2);
    CHECK(bits == (1LL << THREADS) - 1);
    upc_all_atomicdomain_free(d);
}

/* Each ticket is given out once. */
static void give_tickets(void)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_UINT32, UPC_INC, 0);
    uint32_t i, mine;
    for (i = 0; i < ROUNDS; i++) {
        upc_atomic_relaxed(d, &mine, UPC_INC, &tickets, NULL, NULL);
        CHECK(mine < ROUNDS * THREADS && !taken[mine]);
        taken[mine] = 1;
    }
    upc_all_atomicdomain_free(d);
}

static void add_reals(void)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD, 0);
    double half = 0.5;
    int i;
    for (i = 0; i < ROUNDS; i++)
        upc_atomic_relaxed(d, NULL, UPC_ADD, &real, &half, NULL);
    upc_barrier;
    CHECK(real == 0.5 * ROUNDS * THREADS);
    upc_all_atomicdomain_free(d);
}

/* A stack of pointers-to-shared, pushed by conditional swap. */
static void push(void)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_PTS, UPC_GET | UPC_CSWAP, 0);
    int i, length = 0;
    for (i = 0; i < 200; i++) {
        shared struct node *mine = upc_alloc(sizeof(struct node));
        shared void *top, *seen, *pushed = mine;
        upc_atomic_relaxed(d, &seen, UPC_GET, &head, NULL, NULL);
        do {
            top = seen;
            mine->next = top;
            upc_atomic_strict(d, &seen, UPC_CSWAP, &head, &top, &pushed);
        } while (seen != top);
    }
    upc_barrier;
    for (shared void *p = head; p != NULL; p = ((shared struct node *)p)->next)
        length++;
    CHECK(length == 200 * THREADS);
    upc_all_atomicdomain_free(d);
}

int main(void)
{
    count();
    give_tickets();
    add_reals();
    push();
    return pass();
}
