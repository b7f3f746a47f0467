/* The least that an event can cost: a call through a pointer with four arguments, a reading of the clock, a record of 32 bytes. Each line
   printed: name, nanoseconds per event. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdint.h>
#include "bench.h"
#if defined(__x86_64__)
#include <x86intrin.h>
#define TICKS() __rdtsc()
#else
#define TICKS() ((uint64_t)bench_now())
#endif

enum { N = 1 << 14, ROUNDS = 41, RECORDS = 4096 };
static struct record {
    uint64_t time, tag, first, second;
} records[RECORDS];
static unsigned next;

static void notify(void *context, unsigned tag, int type, const char *file, int line, int column, ...)
{
    struct record *record = &records[next++ % RECORDS];
    va_list arguments;
    (void)context, (void)type, (void)file, (void)line, (void)column;
    va_start(arguments, column);
    *record = (struct record){TICKS(), tag, va_arg(arguments, uint64_t), va_arg(arguments, uint64_t)};
    va_end(arguments);
}

int main(void)
{
    void (*volatile callback)(void *, unsigned, int, const char *, int, int, ...) = notify;
    static double event[ROUNDS], pair[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double start = bench_now(), then;
        for (uint64_t i = 0; i < N; i++)
            callback(records, 1, 2, "file", 3, 4, i, i, i, i);
        event[round] = (then = bench_now()) - start;
        for (uint64_t i = 0; i < N; i++) {
            callback(records, 1, 0, "file", 3, 4, i, i, i, i);
            callback(records, 1, 1, "file", 3, 4, i, i, i, i);
        }
        pair[round] = bench_now() - then;
    }
    bench_print("event", bench_median(event, ROUNDS) / N);
    bench_print("pair", bench_median(pair, ROUNDS) / N);
    return 0;
}
