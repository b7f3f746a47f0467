// question: does memory of other threads keep every rule of the memory model, in every size, by language and by library, cached or not?
// threads: 1 2 3 4 8
#include "check.h"
#include <stdint.h>
#include <string.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include <upc_relaxed.h>

enum { BLOCK = 20000, ROUNDS = 6, TURNS = 40 };

shared [BLOCK] unsigned char board[BLOCK * THREADS];
strict shared int flag[THREADS];
strict shared int seen[THREADS];
static upc_lock_t *lock;

static shared [] unsigned char *of(int thread)
{
    return (shared [] unsigned char *)&board[thread % THREADS * BLOCK];
}

static unsigned char value(int i, int round)
{
    return (unsigned char)(i * 7 + round * 13 + 1);
}

/* A thread reads what it wrote, whatever the sizes and places of the write and of the read. */
#define SIZES(DO) DO(1) DO(2) DO(3) DO(4) DO(7) DO(8) DO(16) DO(33) DO(64) DO(100) DO(1024) DO(1500) DO(9000)
#define TYPE(n)                                                                                                                \
    typedef struct {                                                                                                           \
        unsigned char byte[n];                                                                                                 \
    } bytes##n;
SIZES(TYPE)

static void reads_what_it_wrote(void)
{
    shared [] unsigned char *there = of(MYTHREAD + 1);
    static unsigned char image[BLOCK];
    int at, i;
    upc_memget(image, there, BLOCK);
#define OWN(n)                                                                                                                 \
    for (at = 0; at < 300; at += 37) {                                                                                         \
        bytes##n now, back;                                                                                                    \
        for (i = 0; i < n; i++)                                                                                                \
            image[at + i] = now.byte[i] = value(i, at + n);                                                                    \
        *(shared [] bytes##n *)(there + at) = now;                                                                             \
        back = *(shared [] bytes##n *)(there + at);                                                                            \
        CHECK(memcmp(&back, &now, n) == 0);                                                                                    \
        CHECK(there[at] == image[at] && there[at + n - 1] == image[at + n - 1] && there[at + n] == image[at + n]);             \
    }
    SIZES(OWN)
    for (i = 0; i < BLOCK; i++)
        CHECK(there[i] == image[i]);
    upc_barrier;
    for (i = 0; i < BLOCK; i++)
        CHECK(there[i] == image[i]);
    upc_barrier;
}

struct fields {
    int head;
    unsigned a : 3, b : 13, c : 16;
    char tail[5];
};

static void fields_of_bits(void)
{
    shared [] struct fields *there = (shared [] struct fields *)of(MYTHREAD + 1);
    struct fields whole;
    there->head = 17;
    there->a = 5;
    there->b = 4097;
    there->c = 65000;
    there->tail[4] = 'x';
    whole = *there;
    CHECK(whole.head == 17 && whole.a == 5 && whole.b == 4097 && whole.c == 65000 && whole.tail[4] == 'x');
    there->b++;
    CHECK(there->a == 5 && there->b == 4098 && there->c == 65000);
    upc_barrier;
    CHECK(((shared [] struct fields *)of(MYTHREAD))->b == 4098);
    upc_barrier;
}

/* What others wrote before a barrier is seen after it, and nothing that was read before. */
static void barriers(void)
{
    shared [] unsigned char *there = of(MYTHREAD + 1), *here = of(MYTHREAD);
    int round, i;
    for (round = 0; round < ROUNDS; round++) {
        for (i = 0; i < 3000; i++)
            here[i] = value(i, round);
        if (round % 2 == 0) {
            upc_barrier round;
        } else {
            upc_notify;
            upc_wait;
        }
        for (i = 0; i < 3000; i++)
            CHECK(there[i] == value(i, round));
        for (i = 0; i < 100; i++)
            there[5000 + i * 3] = value(i, round + 1);
        upc_barrier;
        for (i = 0; i < 100; i++)
            CHECK(here[5000 + i * 3] == value(i, round + 1));
        upc_barrier;
    }
}

static void locks(void)
{
    shared [] long *count = (shared [] long *)of(THREADS - 1);
    int i;
    if (MYTHREAD == 0)
        *count = 0;
    upc_barrier;
    for (i = 0; i < TURNS; i++) {
        upc_lock(lock);
        *count = *count + 1;
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK(*count == (long)TURNS * THREADS);
    upc_barrier;
}

/* Relaxed writes are seen by whoever has seen the strict write after them: in the writer's memory, in the reader's, in that of a third. */
static void messages(void)
{
    int next = (MYTHREAD + 1) % THREADS, before = (MYTHREAD + THREADS - 1) % THREADS, round, i, whose;
    flag[MYTHREAD] = seen[MYTHREAD] = 0;
    upc_barrier;
    for (round = 1; round <= ROUNDS; round++) {
        for (whose = 0; whose < 3; whose++)
            for (i = 0; i < 50; i++)
                of(MYTHREAD + whose)[1000 * (whose + 1) + i * 9] = value(i, round + whose);
        flag[next] = round;
        while (flag[MYTHREAD] != round)
            ;
        for (whose = 0; whose < 3; whose++)
            for (i = 0; i < 50; i++)
                CHECK(of(before + whose)[1000 * (whose + 1) + i * 9] == value(i, round + whose));
        seen[before] = round;
        while (seen[MYTHREAD] != round)
            ;
    }
    upc_barrier;
}

/* Threads may write neighbouring bytes at the same time. */
static void neighbours(void)
{
    shared [] unsigned char *all = of(0);
    int round, i;
    for (round = 0; round < ROUNDS; round++) {
        for (i = MYTHREAD; i < 2000; i += THREADS) {
            CHECK(round == 0 || all[i] == value(i, round - 1));
            all[i] = value(i, round);
        }
        upc_barrier;
        for (i = 0; i < 2000; i++)
            CHECK(all[i] == value(i, round));
        upc_barrier;
    }
}

static void library(void)
{
    shared [] unsigned char *there = of(MYTHREAD + 1);
    static unsigned char image[BLOCK], back[BLOCK];
    static const int sizes[] = {1, 8, 100, 1000, 9000};
    unsigned s;
    int i, n;
    upc_memget(image, there, BLOCK);
    for (s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        n = sizes[s];
        for (i = 0; i < 2000; i += 5)
            there[i] = image[i] = value(i, n);
        upc_memget(back, there, n);
        CHECK(memcmp(back, image, n) == 0);
        for (i = 0; i < n; i++)
            image[i + 3] = value(i, n + 1);
        upc_memput(there + 3, image + 3, n);
        for (i = 0; i < n + 10; i++)
            CHECK(there[i] == image[i]);
        there[10000] = image[10000] = 77;
        upc_memcpy(there + 10000, there, n);
        memcpy(image + 10000, image, n);
        for (i = 0; i < n; i++)
            CHECK(there[10000 + i] == image[10000 + i]);
        there[n] = image[n] = 78;
        upc_memset(there, n, n);
        memset(image, n, n);
        for (i = 0; i <= n; i++)
            CHECK(there[i] == image[i]);
    }
    upc_barrier;
}

static void atomics(void)
{
    shared [] int64_t *there = (shared [] int64_t *)of(MYTHREAD + 1);
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT64, UPC_ADD | UPC_GET | UPC_SET, 0);
    int64_t operand = 5, found;
    int i;
    for (i = 0; i < 40; i++) {
        there[i] = i;
        upc_atomic_relaxed(domain, &found, UPC_ADD, there + i, &operand, NULL);
        CHECK(found == i && there[i] == i + 5 && (i == 0 || there[i - 1] == i - 1));
        upc_atomic_strict(domain, NULL, UPC_SET, there + i, &found, NULL);
        CHECK(there[i] == i);
    }
    upc_all_atomicdomain_free(domain);
    upc_barrier;
}

static void started(void)
{
    shared [] unsigned char *there = of(MYTHREAD + 1);
    static unsigned char out[9000], in[9000];
    static const int sizes[] = {1, 8, 300, 9000};
    unsigned s;
    int i, n;
    for (s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        upc_handle_t put;
        n = sizes[s];
        for (i = 0; i < n; i++)
            out[i] = value(i, n);
        there[n] = 9;
        CHECK(there[0] == there[0]);
        put = upc_memput_nb(there, out, n);
        CHECK(there[n] == 9);
        there[n + 1] = 10;
        upc_sync(put);
        for (i = 0; i < n; i++)
            CHECK(there[i] == out[i]);
        there[n - 1] = 11;
        upc_sync(upc_memget_nb(in, there, n));
        CHECK(memcmp(in, out, n - 1) == 0 && in[n - 1] == 11 && there[n] == 9 && there[n + 1] == 10);
    }
    upc_barrier;
}

static void collectives(void)
{
    static shared [100] unsigned char got[100 * THREADS];
    shared [100] unsigned char *there = got + (MYTHREAD + 1) % THREADS * 100;
    int round, i;
    for (round = 0; round < ROUNDS; round++) {
        for (i = 0; i < 100; i++) {
            CHECK(there[i] == (round == 0 ? 0 : value(i, round - 1)));
            if (MYTHREAD == round % THREADS)
                of(THREADS - 1)[i] = value(i, round);
        }
        upc_all_broadcast(got, of(THREADS - 1), 100, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        for (i = 0; i < 100; i++)
            CHECK(there[i] == value(i, round));
    }
    upc_barrier;
}

int main(void)
{
    lock = upc_all_lock_alloc();
    upc_barrier;
    reads_what_it_wrote();
    fields_of_bits();
    barriers();
    locks();
    messages();
    neighbours();
    library();
    atomics();
    started();
    collectives();
    return pass();
}
