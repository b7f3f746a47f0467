/*
 * uts: search of an unbalanced tree, with work stealing.
 *
 * The children of a node follow from a hash of the node, so the tree is always the same, but
 * nobody can tell how large a subtree is without walking through it.  Dealing out the children
 * of the root would leave most threads idle: instead, idle threads steal.
 *
 *   - A thread works on a private stack; no other thread ever looks at it.
 *   - When the stack is well filled, the thread releases a chunk of it into its public pool, in
 *     shared memory under a lock.
 *   - A thread without work takes a chunk from its own pool, or else from somebody's whose pool
 *     is not empty.  Whether a pool is worth locking is found by a glance at a strict counter;
 *     under the lock it is looked at again.
 *   - A thread that finds nothing declares itself idle; before it goes stealing again, it takes
 *     that back.  Thus when all are idle, there is no work on any stack, in any pool or on its
 *     way, and all may go home.
 *
 *   upcc -o uts uts.upc && ./uts -n 4
 *
 * prints "uts: OK (...)".
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <upc_relaxed.h>

#define ROOT_CHILDREN 2000
#define CHILDREN 4        /* of another node that has any: with probability ODDS / 1000 */
#define ODDS 245          /* CHILDREN * ODDS / 1000 < 1, so the tree is finite */
#define ROUNDS 40         /* of hashing for each node: the work it stands for */
#define CHUNK 8           /* nodes moved at once */
#define STACK 8192        /* nodes on a private stack */
#define POOL (32 * CHUNK) /* nodes in a public pool */

typedef struct {
    uint64_t hash;
    int depth;
} node_t;

/* The work of a thread that others may take. */
shared [POOL] node_t pool[THREADS][POOL];
strict shared int available[THREADS];   /* nodes in the pool; written under its lock */
upc_lock_t *shared pool_lock[THREADS];  /* a shared array of pointers to locks */

/* Termination. */
static upc_lock_t *idle_lock;           /* guards idle_threads */
shared int idle_threads;
strict shared int finished;

/* Results. */
shared long visited[THREADS];
shared long stolen[THREADS];

static node_t stack[STACK]; /* private */
static int top;             /* nodes on it */

static uint64_t mix(uint64_t z)
{
    z += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static int children_of(node_t node)
{
    if (node.depth == 0)
        return ROOT_CHILDREN;
    return mix(node.hash) % 1000 < ODDS ? CHILDREN : 0;
}

static node_t child_of(node_t node, int i)
{
    node_t child = {node.hash * 31 + (uint64_t)i + 1, node.depth + 1};
    int round;

    for (round = 0; round < ROUNDS; round++)
        child.hash = mix(child.hash);
    return child;
}

static const node_t root = {42, 0};

static void push(node_t node)
{
    if (top == STACK) {
        printf("uts: FAILED (the stack of thread %d is full)\n", MYTHREAD);
        upc_global_exit(1);
    }
    stack[top++] = node;
}

/* With plenty here and room in the pool, moves the oldest nodes, nearest to the root, there. */
static void release(void)
{
    int me = MYTHREAD;

    if (top < 3 * CHUNK || available[me] > POOL - CHUNK)
        return;
    upc_lock(pool_lock[me]);
    if (available[me] <= POOL - CHUNK) {
        upc_memput(&pool[me][available[me]], stack, CHUNK * sizeof(node_t));
        available[me] += CHUNK;
        top -= CHUNK;
        memmove(stack, stack + CHUNK, top * sizeof(node_t));
    }
    upc_unlock(pool_lock[me]);
}

/* Moves nodes from the pool of `victim` to the empty private stack; gives their number. */
static int take_from(int victim)
{
    int there, n;

    if (available[victim] == 0)
        return 0;
    upc_lock(pool_lock[victim]);
    there = available[victim]; /* may have changed meanwhile */
    n = there < CHUNK ? there : CHUNK;
    if (n > 0) {
        upc_memget(stack, &pool[victim][there - n], n * sizeof(node_t));
        available[victim] = there - n;
        top = n;
    }
    upc_unlock(pool_lock[victim]);
    return n;
}

/* Fills the private stack from any pool, the own one first; 0 if there was nothing. */
static int find_work(void)
{
    int i;

    for (i = 0; i < THREADS; i++) {
        int victim = (MYTHREAD + i) % THREADS;

        if (take_from(victim) > 0) {
            if (victim != MYTHREAD)
                stolen[MYTHREAD]++;
            return 1;
        }
    }
    return 0;
}

static int any_available(void)
{
    int t;

    for (t = 0; t < THREADS; t++)
        if (available[t] > 0)
            return 1;
    return 0;
}

/* Adds to the number of idle threads; when all are, the search is finished.  Gives 1 if it is. */
static int declare(int change)
{
    int over;

    upc_lock(idle_lock);
    if (!finished) {
        idle_threads += change;
        if (idle_threads == THREADS)
            finished = 1;
    }
    over = finished;
    upc_unlock(idle_lock);
    return over;
}

/* Waits until there may be work (0) or the search is finished (1). */
static int idle(void)
{
    if (declare(+1))
        return 1;
    while (!finished) {
        if (any_available())
            return declare(-1);
        sched_yield(); /* leave the processor to those who work */
    }
    return 1;
}

/* Gives the number of nodes this thread visited. */
static long search(void)
{
    long count = 0;
    int i, n;

    do {
        while (top > 0 || find_work()) {
            node_t node = stack[--top];

            count++;
            n = children_of(node);
            for (i = 0; i < n; i++)
                push(child_of(node, i));
            release();
        }
    } while (!idle());
    return count;
}

/* The size of the tree below and with `node`, without any of the above. */
static long size_of_tree(node_t node)
{
    long size = 1;
    int i, n = children_of(node);

    for (i = 0; i < n; i++)
        size += size_of_tree(child_of(node, i));
    return size;
}

int main(void)
{
    long total = 0, steals = 0, expected;
    int t;

    pool_lock[MYTHREAD] = upc_global_lock_alloc(); /* each call gives another lock */
    idle_lock = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        push(root);
    upc_barrier;

    visited[MYTHREAD] = search();
    upc_barrier;

    if (MYTHREAD == 0) {
        for (t = 0; t < THREADS; t++) {
            total += visited[t];
            steals += stolen[t];
        }
        expected = size_of_tree(root);
        if (total != expected) {
            printf("uts: FAILED (visited %ld nodes of %ld)\n", total, expected);
            upc_global_exit(1);
        }
        printf("uts: OK (%ld nodes, %ld steals)\n", total, steals);
    }
    upc_lock_free(pool_lock[MYTHREAD]);
    upc_all_lock_free(idle_lock);
    return 0;
}

/* The events that all threads together raise. Tests compare them with a profile. */
// counts: UPC_ALL_LOCK_ALLOC=THREADS, UPC_GLOBAL_LOCK_ALLOC=THREADS, UPC_LOCK_FREE=2*THREADS, UPC_BARRIER=2*THREADS
