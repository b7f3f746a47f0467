// Threads of OpenMP raise events at the same time, and still exist when the program ends. Prints what all threads of UPC together raise.
#include <omp.h>
#include <pupc.h>
#include <stdio.h>
#include <upc_relaxed.h>

#ifndef LOCAL /* Events of accesses to own memory. */
#define LOCAL 0
#endif
#ifndef FUNCTIONS /* Events of functions. */
#define FUNCTIONS 0
#endif
#define TEAM 4
#define ROUNDS 5
#define EACH 400
#define NEXT ((MYTHREAD + 1) % THREADS)

shared [TEAM * EACH] int cells[THREADS][TEAM * EACH];
static unsigned part;

static int fetched(int i)
{
    return cells[NEXT][i];
}

static void stored(int i, int value)
{
    cells[MYTHREAD][i] = value;
}

#pragma pupc off
static void say(const char *event, long count)
{
    if (MYTHREAD == 0)
        printf("%s %ld\n", event, count * THREADS);
}
#pragma pupc on

int main(void)
{
    long sum = 0;

    part = pupc_create_event("part", "%d");
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for num_threads(TEAM) schedule(static, 7)
        for (int i = 0; i < TEAM * EACH; i++)
            stored(i, i);
        upc_barrier;
#pragma omp parallel num_threads(TEAM) reduction(+ : sum)
        {
            pupc_event_start(part, omp_get_thread_num());
#pragma omp for
            for (int i = 0; i < TEAM * EACH; i++)
                sum += fetched(i);
            pupc_event_end(part, omp_get_thread_num());
        }
        upc_barrier;
    }
    if (sum != ROUNDS * (TEAM * EACH * (TEAM * EACH - 1L) / 2))
        upc_global_exit(2);
    say("UPC_GET", ROUNDS * TEAM * EACH);
    say("UPC_PUT", LOCAL * ROUNDS * TEAM * EACH);
    say("UPC_BARRIER", 2 * ROUNDS);
    say("part", ROUNDS * TEAM);
    say("C_FUNC", FUNCTIONS * (1 + 2 * ROUNDS * TEAM * EACH));
    return 0;
}
