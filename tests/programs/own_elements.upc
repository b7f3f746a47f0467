// question: are elements of the thread's own part, selected by MYTHREAD, the same objects for all threads?
// threads: 1 2 3
#include "check.h"
#include <upc_relaxed.h>

#define ROW 6

typedef struct {
    int done;
    short parts[3];
    unsigned low : 3, high : 5;
    struct {
        double values[2];
    } inner;
} state_t;

shared int one[THREADS];
shared [ROW] long rows[THREADS][ROW];
shared [ROW] short cubes[2 * THREADS][2][3];
shared state_t states[THREADS];
shared [2] char pairs[4 * THREADS];      /* a row is no block */
shared [ROW] int wide[THREADS][2 * ROW]; /* nor here */
shared [] int *shared links[THREADS];
strict shared int flags[THREADS];

static int calls;
static int next(int n) { return calls++ * 0 + n; }

static void write_own(int x)
{
    const int me = MYTHREAD;
    int moving = MYTHREAD;
    int i;

    one[MYTHREAD] = 10 * me;
    one[me] += 3;
    one[(long)me]++;
    for (i = 0; i < ROW; i++)
        rows[me][i] = 0;
    for (i = 0; i < 100; i++)
        rows[MYTHREAD][(i * 7 + me) % ROW] += i;
    rows[me][next(2)]++;
    cubes[me][x][1] = one[MYTHREAD];
    cubes[MYTHREAD][next(0)][rows[me][0] % 3] ^= 5;
    states[me].done = x;
    states[me].parts[1] = 7;
    states[me].parts[x]--;
    states[MYTHREAD].low = 5;
    states[MYTHREAD].high = states[me].low + 9;
    states[me].inner.values[x] = 0.5 * me;
    pairs[MYTHREAD] = 'a' + me;
    wide[MYTHREAD][ROW + 1] = 100 + me;
    links[me] = (shared [] int *)&one[me];
    *links[MYTHREAD] += 1;
    flags[MYTHREAD] = 1;
    /* Not its own any more. */
    moving = (moving + 1) % THREADS;
    upc_barrier;
    one[moving] += 1000;
    states[moving].inner.values[0] = moving;
}

static long sum_of(int thread)
{
    long sum = 0;
    int i;

    for (i = 0; i < 100; i++)
        sum += i;
    return sum + 1 + 0 * thread;
}

int main(void)
{
    int t, i;

    write_own(1);
    upc_barrier;
    for (t = 0; t < THREADS; t++) {
        long sum = 0;
        shared state_t *state = &states[t];
        shared [] int *link = links[t];

        CHECK(one[t] == 10 * t + 5 + 1000);
        for (i = 0; i < ROW; i++)
            sum += rows[t][i];
        CHECK(sum == sum_of(t));
        CHECK(state->done == 1 && state->parts[1] == 6);
        CHECK(state->low == 5 && state->high == 14);
        CHECK(state->inner.values[1] == 0.5 * t && state->inner.values[0] == t);
        CHECK(pairs[t] == 'a' + t);
        CHECK(wide[t][ROW + 1] == 100 + t);
        CHECK(upc_threadof(link) == (size_t)t && *link == one[t]);
        CHECK(flags[t] == 1);
    }
    for (t = 0; t < THREADS; t++)
        CHECK(cubes[t][1][1] == 10 * t + 4);
    CHECK(calls == 2);
    return pass();
}
