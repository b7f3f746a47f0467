// question: do relaxed writes arrive while their writer makes no UPC call, each of them once, in order, and nothing beside them?
// threads: 1 2 3 5
// races: yes, its flags and data are relaxed, without fences
#include "check.h"
#include <string.h>
#include <upc_relaxed.h>

enum { MOST = 64, ROUNDS = 12, COUNT = 3000, BYTES = 3000, LINES = 200, LINE = 1024 };

struct mixed {
    char letter;
    unsigned low : 3, high : 13;
    double number;
};

shared int flag[THREADS];
shared [MOST] int to_all[MOST * THREADS];
shared int answer[THREADS];
shared long counter[THREADS];
shared [BYTES] unsigned char woven[BYTES * THREADS];
shared struct mixed record[THREADS];
shared [LINE * LINES] char wide[THREADS][LINE * LINES];

#define NEXT ((MYTHREAD + 1) % THREADS)
#define BEFORE ((MYTHREAD + THREADS - 1) % THREADS)

static volatile int *my_flag;

static void wait_for(int value)
{
    while (*my_flag != value)
        ;
}

static void ring(void)
{
    int round;
    for (round = 1; round <= ROUNDS; round++) {
        flag[NEXT] = round;
        wait_for(round);
        upc_barrier;
    }
    // The same without a fence of any kind between the rounds: thread 0 begins each.
    for (round = ROUNDS + 1; round <= 2 * ROUNDS; round++) {
        if (MYTHREAD != 0)
            wait_for(round);
        flag[NEXT] = round;
        if (MYTHREAD == 0)
            wait_for(round);
    }
    upc_barrier;
}

static void all_at_once(void)
{
    volatile int *from = (volatile int *)&to_all[MYTHREAD * MOST];
    int t;
    for (t = 0; t < THREADS; t++)
        to_all[t * MOST + MYTHREAD] = MYTHREAD + 1;
    for (t = 0; t < THREADS; t++)
        while (from[t] != t + 1)
            ;
    upc_barrier;
}

// Values of one place are seen in the order in which they were written.
static void in_order(void)
{
    volatile long *mine = (volatile long *)&counter[MYTHREAD];
    long i, seen = 0;
    for (i = 1; i <= COUNT; i++) {
        long now = *mine;
        CHECK(now >= seen);
        seen = now;
        counter[NEXT] = i;
    }
    while (*mine != COUNT)
        CHECK(*mine >= seen);
    upc_barrier;
}

// What has arrived does not arrive again: its receiver has written the place since.
static void once(void)
{
    volatile int *mine = (volatile int *)&answer[MYTHREAD];
    int i;
    for (i = 1; i <= ROUNDS; i++) {
        flag[NEXT] = -i;
        wait_for(-i);
        *my_flag = 0;
        answer[BEFORE] = i;
        while (*mine != i)
            ;
        upc_fence;
        upc_barrier;
        CHECK(*my_flag == 0);
        upc_barrier;
    }
}

// Each thread writes every THREADS-th byte of all threads' memory, some of them again and again, while others write those between.
static void weave(void)
{
    volatile unsigned char *mine = (volatile unsigned char *)&woven[MYTHREAD * BYTES];
    int t, i, again;
    for (again = 1; again <= 3; again++)
        for (t = 0; t < THREADS; t++)
            for (i = MYTHREAD; i < BYTES; i += THREADS)
                woven[t * BYTES + i] = (unsigned char)(MYTHREAD + 3 * i + again);
    for (i = 0; i < BYTES; i++)
        while (mine[i] != (unsigned char)(i % THREADS + 3 * i + 3))
            ;
    upc_barrier;
    for (i = 0; i < BYTES; i++)
        CHECK(mine[i] == (unsigned char)(i % THREADS + 3 * i + 3));
    upc_barrier;
}

// Other ways of writing; what the writer itself reads meanwhile is what it wrote.
static void other_ways(void)
{
    volatile struct mixed *mine = (volatile struct mixed *)&record[MYTHREAD];
    struct mixed whole;
    memset(&whole, 0, sizeof whole);
    record[NEXT].letter = 'x';
    record[NEXT].high = 1234;
    record[NEXT].low = 5;
    while (mine->letter != 'x' || mine->high != 1234 || mine->low != 5)
        ;
    CHECK(record[NEXT].letter == 'x' && record[NEXT].high == 1234 && record[NEXT].low == 5);
    upc_barrier;
    whole.letter = 'y';
    whole.number = 2.5;
    upc_memput(&record[NEXT], &whole, sizeof whole);
    while (mine->letter != 'y' || mine->number != 2.5)
        ;
    CHECK(record[NEXT].number == 2.5 && record[NEXT].high == 0);
    upc_barrier;
}

// More than a cache of default size holds of one thread, with the flag in front and after it.
static void much(void)
{
    volatile char *mine = (volatile char *)&wide[MYTHREAD][0];
    int i;
    for (i = 0; i < LINES; i++)
        wide[NEXT][i * LINE] = (char)(i % 100 + 1);
    for (i = 0; i < LINES; i++)
        while (mine[i * LINE] != i % 100 + 1)
            ;
    for (i = 0; i < LINES; i++)
        CHECK(wide[NEXT][i * LINE] == i % 100 + 1 && wide[NEXT][i * LINE + 1] == 0);
    upc_barrier;
}

int main(void)
{
    my_flag = (volatile int *)&flag[MYTHREAD];
    upc_barrier;
    ring();
    all_at_once();
    in_order();
    once();
    weave();
    other_ways();
    much();
    return pass();
}
