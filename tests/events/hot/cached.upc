// Reads and writes of another thread's memory by way of the cache, each many times: hits, misses and lines sent back are counted by place, reported or not.
// With an argument also accesses that the counts of the cache report under another kind.
#include <stdlib.h>
#include <upc_relaxed.h>

#define N 4096
#define TURNS 2

struct pair { int small : 7; int large : 19; long other; };
struct triple { long part[3]; };

shared [N] int numbers[N * THREADS];
shared [N] struct pair pairs[N * THREADS];
shared [N] struct triple triples[N * THREADS];
strict shared [4] int turn[4 * THREADS];

static int peer;
static unsigned state = 1;

static int scattered(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8 & (N - 1);
}

static int read_one(int i)
{
    return numbers[peer * N + i];
}

static long walk(void)
{
    long sum = 0;
    for (int turn = 0; turn < TURNS; turn++)
        for (int i = 0; i < N; i++)
            sum += read_one(i);
    return sum;
}

static long jump(void)
{
    long sum = 0;
    for (int i = 0; i < TURNS * N; i++)
        sum += read_one(scattered()) + pairs[peer * N + scattered()].other;
    return sum;
}

static void write_all(void)
{
    for (int i = 0; i < TURNS * N; i++) {
        numbers[peer * N + i % N] = i;
        pairs[peer * N + scattered()].other = i;
    }
}

static long fields(void)
{
    long sum = 0;
    for (int i = 0; i < N; i++) {
        pairs[peer * N + i].small = i & 31;
        sum += pairs[peer * N + i].large;
    }
    return sum;
}

// Local and remote by one place, to and fro.
static long around(void)
{
    long sum = 0;
    for (int i = 0; i < TURNS * N; i++)
        sum += numbers[(MYTHREAD + i) % THREADS * N + i % N];
    return sum;
}

static long otherwise(void)
{
    long sum = 0;
    for (int i = 0; i < TURNS * N; i++) {
        // Some lie in two lines.
        struct triple whole = triples[peer * N + scattered()];
        sum += whole.part[1] + turn[peer * 4];
#pragma pupc off
        sum += numbers[peer * N + scattered()];
#pragma pupc on
        sum += numbers[peer * N + scattered()];
        if (i % 100 == 0)
            upc_fence;
    }
    return sum;
}

int main(int argc, char **argv)
{
    (void)argv;
    peer = (MYTHREAD + 1) % THREADS;
    long sum = walk() + jump();
    upc_barrier;
    write_all();
    sum += fields() + walk();
    upc_barrier;
    sum += around();
    if (argc > 1)
        sum += otherwise();
    upc_barrier;
    return sum == -1;
}
