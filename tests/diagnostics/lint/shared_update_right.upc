// Silent where W0623 would be wrong: one thread, a lock, elements of the thread's own, what is not known.
#include <stdlib.h>
#include <upc.h>
#define N 64

shared int count, token[THREADS];
strict shared int turn;
shared int a[N * THREADS], each[THREADS];
shared [8] int blocks[8 * THREADS];
upc_lock_t *lock;
int rank, mine;

static void locked(void)
{
    upc_lock(lock);
    count++;
    upc_unlock(lock);
}

static void under_lock(void) { count++; }

static void one_thread_calls(void) { count++; }

static void leaves(void)
{
    if (MYTHREAD != 0)
        return;
    count++;
}

static void by_parameter(int thread)
{
    if (thread == 0)
        count++;
}

static void early(int error)
{
    upc_lock(lock);
    if (error) {
        upc_unlock(lock);
        return;
    }
    count++;
    upc_unlock(lock);
}

static void attempts(void)
{
    if (upc_lock_attempt(lock)) {
        count++;
        upc_unlock(lock);
    }
}

static void token_passes(void)
{
    while (turn != MYTHREAD)
        upc_fence;
    count++;
    turn = turn + 1;
}

static void rounds(void)
{
    int round = 0;
    for (; round != MYTHREAD; round++)
        upc_barrier;
    count++;
    for (; round != THREADS; round++)
        upc_barrier;
}

static void in_turn(void)
{
    for (int t = 0; t < THREADS; t++) {
        if (t != MYTHREAD) {
            upc_barrier;
            continue;
        }
        count++;
        upc_barrier;
    }
}

static void mutual(void)
{
    if (token[MYTHREAD])
        count++;
    if (turn == rank)
        count++;
}

static void acquire(void) { upc_lock(lock); }

static void wrapped(void)
{
    acquire();
    count++;
    upc_unlock(lock);
}

void elsewhere(void);

static void after_call(void)
{
    elsewhere();
    count++;
}

// The functions of another unit may be locks of the program's own.
static void own_locks(void)
{
    upc_barrier;
    elsewhere();
    count++;
    elsewhere();
    upc_barrier;
    elsewhere();
    count++;
    turn = 0;
    upc_barrier;
    elsewhere();
    a[MYTHREAD] = 1;
    count++;
    upc_barrier;
    elsewhere();
    count++;
    upc_unlock(lock);
    upc_barrier;
    elsewhere();
    count++;
    upc_memset(token, 0, sizeof(int));
    upc_barrier;
    elsewhere();
    count++;
    upc_notify;
    upc_wait;
    elsewhere();
    if (N > 3) {
        count++;
    } else {
        upc_barrier;
    }
    elsewhere();
    upc_barrier;
    for (int i = 0; i < N; i++) {
        elsewhere();
        count++;
        elsewhere();
    }
    upc_barrier;
    elsewhere();
    for (int i = 0; i < N; i++) {
        if (a[3] > 3)
            upc_barrier;
        count++;
    }
    elsewhere();
    if (MYTHREAD == 0) {
        upc_barrier; //~ W0709
        count++;
    }
    if (a[3]) {
        upc_barrier;
    } else {
        count++;
    }
    elsewhere();
    upc_barrier;
}

// Pointers that differ between threads, and pointers to private memory.
static void pointers(int n, shared int *given)
{
    shared int *p = &each[MYTHREAD], *q = a, *r = a;
    int local = 0, *own = &local;
    (*p)++;
    (*given)++;
    q += MYTHREAD;
    (*q)++;
    r += n;
    (*r)++;
    (*own)++;
    own = (int *)&each[MYTHREAD];
    (*own)++;
    q = a;
    if (MYTHREAD == 1)
        q++;
    (*q)++;
    q = a;
    for (int i = 0; i < MYTHREAD; i++)
        q++;
    (*q)++;
    q = a;
    upc_forall (int i = 0; i < N; i++; i) {
        q++;
        (*q)++;
    }
    shared int *apart = upc_alloc(sizeof(int));
    (*apart)++;
    upc_free(apart);
}

// Elements that data select so that threads do not meet.
static void data(void)
{
    int i, first = MYTHREAD * N;
    upc_forall (i = 0; i < N; i++; &each[a[i]])
        each[a[i]]++;
    upc_forall (i = 0; i < N; i++; a[i]) //~ W0712
        each[a[i] % THREADS]++;
    for (i = 0; i < N; i++) {
        if (a[i] % THREADS == MYTHREAD)
            each[a[i] % THREADS]++;
        a[first + a[i]]++;
        a[first + rand() % N]++;
        blocks[a[MYTHREAD]]++;
        // The thread's part may be sorted.
        blocks[a[first + i]]++;
        // A sum of rows may be a sum of the thread's own rows.
        a[a[i]] += a[i + 1];
        a[each[MYTHREAD] + i]++;
    }
}

static void copies(void)
{
    int me = MYTHREAD, other, half;
    other = me;
    half = other / 2;
    if (me == 0)
        count++;
    if (other == 0)
        count++;
    if (half == 1)
        count++;
    MYTHREAD == 0 && count++;
    MYTHREAD ? 0 : count++;
    switch (MYTHREAD) {
    case 0: count++;
    }
    while (MYTHREAD == 0 && half++ < 3)
        count++;
    for (int i = 0; i < THREADS; i++)
        if (i == MYTHREAD)
            count++;
}

static void owned(void)
{
    int i, mine = 0;
    each[MYTHREAD]++;
    mine++;
    for (i = MYTHREAD; i < N; i += THREADS)
        a[i]++;
    upc_forall (i = 0; i < N; i++; &a[i])
        a[i] += i;
    upc_forall (i = 0; i < N; i++; 0) //~ W0705
        count += i;
    // One block, and one iteration.
    upc_forall (i = 0; i < 8; i++; &blocks[i])
        count += blocks[i];
    upc_forall (i = 0; i < 1; i++; i)
        count += i;
    if (upc_threadof(&a[3]) == MYTHREAD)
        a[3]++;
    count = a[3];
}

// Silent: a thread's own place, one thread, a lock between two tests, other values.
static void extremes(int x)
{
    if (x > each[MYTHREAD])
        each[MYTHREAD] = x;
    if (MYTHREAD == 0 && x > count)
        count = x;
    if (MYTHREAD == 0)
        if (x > count)
            count = x;
    if (x > count) {
        upc_lock(lock);
        if (x > count)
            count = x;
        upc_unlock(lock);
    }
    if (x > count)
        count = 0;
    count = x > 3 ? x : a[3];
}

// Nothing shows that several threads call this function.
void library(void) { count++; }

int main(void)
{
    lock = upc_all_lock_alloc();
    upc_lock(lock);
    under_lock();
    upc_unlock(lock);
    if (MYTHREAD == 0)
        one_thread_calls();
    locked();
    leaves();
    by_parameter(MYTHREAD);
    early(0);
    attempts();
    token_passes();
    rounds();
    in_turn();
    mutual();
    copies();
    owned();
    extremes(mine);
    pointers(mine, a);
    data();
    own_locks();
    // After the first of these, locks may be held.
    wrapped();
    after_call();
    return 0;
}
