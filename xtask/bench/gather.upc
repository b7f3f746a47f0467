/* Irregular reads over messages: a loop against one bupc_memget_ilist of all elements. Each line printed: name, nanoseconds per element. */
#include <upc_relaxed.h>
#include "bench.h"

#define EACH 200000
#define REPEAT 8

shared [EACH] long elements[EACH * THREADS];
int at[EACH];
long got[EACH];
const shared void *from[EACH];
volatile long sink;

static void by_loop(void)
{
    long sum = 0;
    for (int i = 0; i < EACH; i++)
        sum += elements[at[i]];
    sink += sum;
}

static void by_list(void)
{
    void *const to[] = {got};
    long sum = 0;
    for (int i = 0; i < EACH; i++)
        from[i] = &elements[at[i]];
    bupc_memget_ilist(1, to, sizeof got, EACH, from, sizeof *got);
    for (int i = 0; i < EACH; i++)
        sum += got[i];
    sink += sum;
}

int main(void)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } forms[] = {{"gather_loop", by_loop}, {"gather_list", by_list}};
    unsigned long random = MYTHREAD + 1;
    for (int i = 0; i < EACH; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        at[i] = (random >> 33) % ((unsigned long)EACH * THREADS);
        elements[(long)EACH * MYTHREAD + i] = i;
    }
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
        double least = 0;
        for (int n = 0; n < REPEAT; n++) {
            upc_barrier;
            double start = bench_now();
            forms[k].run();
            double took = (bench_now() - start) / EACH;
            least = n == 0 || took < least ? took : least;
        }
        if (MYTHREAD == 0)
            bench_print(forms[k].name, least);
        upc_barrier;
    }
    return 0;
}
