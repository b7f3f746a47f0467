/* What performance events cost. Thread 0 works, the others wait in a barrier. Each line printed: name, nanoseconds per operation; `count`:
   events that thread 0 has raised, the ends of pairs included. */
#include <upc.h>
#include <pupc.h>
#include "bench.h"

enum { N = 1 << 14, ROUNDS = 41 };
shared [N] long data[N * THREADS];

int main(void)
{
    unsigned bare = pupc_create_event("bare", NULL), full = pupc_create_event("full", "%d %d %ld %ld");
    int next = (MYTHREAD + 1) % THREADS;
    shared [N] long *mine = &data[(size_t)N * MYTHREAD], *theirs = &data[(size_t)N * next];
    static double event[ROUNDS], four[ROUNDS], pair[ROUNDS], get[ROUNDS], put[ROUNDS], local[ROUNDS];
    long sum = 0;
    for (int i = 0; i < N; i++)
        mine[i] = i;
    upc_barrier;
    for (int round = 0; MYTHREAD == 0 && round < ROUNDS; round++) {
        double start = bench_now(), then;
        for (int i = 0; i < N; i++)
            pupc_event_atomic(bare);
        event[round] = (then = bench_now()) - start;
        for (int i = 0; i < N; i++)
            pupc_event_atomic(full, i, 3, (long)i, 4L);
        four[round] = (start = bench_now()) - then;
        for (int i = 0; i < N; i++) {
            pupc_event_start(bare);
            pupc_event_end(bare);
        }
        pair[round] = (then = bench_now()) - start;
        for (int i = 0; i < N; i++)
            sum += theirs[i];
        get[round] = (start = bench_now()) - then;
        for (int i = 0; i < N; i++)
            theirs[i] = i;
        put[round] = (then = bench_now()) - start;
        for (int i = 0; i < N; i++)
            mine[i] += i;
        local[round] = (start = bench_now()) - then;
    }
    if (MYTHREAD == 0) {
        bench_print("event", bench_median(event, ROUNDS) / N);
        bench_print("event_of_four", bench_median(four, ROUNDS) / N);
        bench_print("pair", bench_median(pair, ROUNDS) / N);
        bench_print("get", bench_median(get, ROUNDS) / N);
        bench_print("put", bench_median(put, ROUNDS) / N);
        bench_print("local", bench_median(local, ROUNDS) / N / 2);
        bench_print("count", (double)N * ROUNDS * 8);
    }
    upc_barrier;
    return sum == 1;
}
