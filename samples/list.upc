/*
 * list: a linked list whose nodes are spread over the threads.
 *
 * A node lives in the shared memory of the thread that made it and points to the next one,
 * which may belong to any thread: `shared [] node_t *`, a pointer-to-shared inside a shared
 * structure.  The head is such a pointer that is itself shared. All threads insert into the
 * same ordered list at the same time, under a lock; acquiring and releasing it also makes what
 * one holder wrote visible to the next, so that no access needs to be strict.
 *
 *   upcc -o list list.upc && ./list -n 4
 *
 * prints "list: OK (...)".
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define NODES 60  /* made by each thread */
#define STRIDE 17 /* without a common factor with NODES: i * STRIDE % NODES takes each value once */

typedef struct node node_t;
struct node {
    int key;
    int maker;
    shared [] node_t *next;
};

shared [] node_t *shared head; /* a shared pointer to shared; null at the start */
shared int crossings;          /* a shared scalar: links from one thread to another */

/* The keys of all threads interleave and no two are equal. */
static int make_key(int i) { return i * THREADS + (MYTHREAD + i) % THREADS; }

/* Call with the lock held. */
static void insert(shared [] node_t *fresh)
{
    shared [] node_t *before = NULL;
    shared [] node_t *after = head;

    while (after != NULL && after->key < fresh->key) {
        before = after;
        after = after->next;
    }
    fresh->next = after;
    if (before == NULL)
        head = fresh;
    else
        before->next = fresh;
}

static shared [] node_t *make_node(int key)
{
    shared [] node_t *node = (shared [] node_t *)upc_alloc(sizeof(node_t));
    node_t *here;

    if (node == NULL) {
        printf("list: FAILED (out of shared memory)\n");
        upc_global_exit(1);
    }
    here = (node_t *)node; /* it is ours: fill it in as any C structure */
    here->key = key;
    here->maker = MYTHREAD;
    return node;
}

/* On one thread: walks along the list, checks and frees it. */
static void check(void)
{
    long *made = (long *)calloc(THREADS, sizeof *made);
    shared [] node_t *node = head;
    int expected = 0, t, ok = made != NULL;

    while (ok && node != NULL) {
        shared [] node_t *next = node->next;

        ok = node->key == expected && node->maker >= 0 && node->maker < THREADS
             && upc_threadof(node) == (size_t)node->maker;
        if (ok)
            made[node->maker]++;
        if (next != NULL && upc_threadof(next) != upc_threadof(node))
            crossings++;
        upc_free(node); /* any thread may free what any thread allocated */
        node = next;
        expected++;
    }
    for (t = 0; ok && t < THREADS; t++)
        ok = made[t] == NODES;
    free(made);
    if (!ok || expected != NODES * THREADS) {
        printf("list: FAILED (wrong after %d nodes)\n", expected);
        upc_global_exit(1);
    }
    head = NULL;
}

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    int i;

    for (i = 0; i < NODES; i++) {
        shared [] node_t *node = make_node(make_key(i * STRIDE % NODES)); /* here and there in the list */

        upc_lock(lock);
        insert(node);
        upc_unlock(lock);
    }
    upc_barrier;

    if (MYTHREAD == 0) {
        check();
        printf("list: OK (%d nodes, %d links between threads)\n", NODES * THREADS, crossings);
    }
    upc_all_lock_free(lock);
    return 0;
}

/* The events that all threads together raise. Tests compare them with a profile. */
// counts: UPC_ALLOC=60*THREADS, UPC_FREE=60*THREADS, UPC_LOCK=60*THREADS, UPC_UNLOCK=60*THREADS, UPC_ALL_LOCK_ALLOC=THREADS, UPC_LOCK_FREE=THREADS, UPC_BARRIER=THREADS
