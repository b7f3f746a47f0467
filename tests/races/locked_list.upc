// question: does a lock order a list to which all threads add elements?
#include "races.h"

struct node {
    int value;
    shared [] struct node *next;
};
static shared [] struct node *shared head;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    shared [] struct node *node = upc_alloc(sizeof *node);
    int sum = 0;
    node->value = MYTHREAD;
    upc_lock(lock);
    node->next = head;
    head = node;
    upc_unlock(lock);
    upc_barrier;
    for (node = head; node; node = node->next)
        sum += node->value;
    CHECK(sum == THREADS * (THREADS - 1) / 2);
    return pass();
}
