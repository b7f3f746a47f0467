// question: do threads over messages keep to processors of their own where there are enough, to what their launcher gave them, and else to nothing?
// threads: 1 2 3 8
// not: messages-ucx it asks what Open MPI was told
// not: hosts-ucx it asks what Open MPI was told
#define _GNU_SOURCE
#include "../programs/check.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc_strict.h>

enum { MOST = 1024 };

// What each thread may use, what its launcher (its parent, which is not bound) was given, and on which machine it is.
struct seat {
    cpu_set_t mine, given;
    char machine[64];
};
shared struct seat seats[THREADS];

static struct seat all[MOST];

static int overlap(const cpu_set_t *one, const cpu_set_t *other)
{
    cpu_set_t both;
    CPU_AND(&both, one, other);
    return CPU_COUNT(&both);
}

// Threads of one machine that were given the same as this one; -1: another one was given some of it and not all.
static int equals(int thread)
{
    int t, count = 0;
    for (t = 0; t < THREADS; t++) {
        if (strcmp(all[t].machine, all[thread].machine) != 0)
            continue;
        if (CPU_EQUAL(&all[t].given, &all[thread].given))
            count++;
        else if (overlap(&all[t].given, &all[thread].given) != 0)
            return -1;
    }
    return count;
}

// Where threads outnumber processors, Open MPI's processes must yield while they start.
static void check_yield(void)
{
    const char *yields = getenv("OMPI_MCA_mpi_yield_when_idle");
    int t, here = 0, given = CPU_COUNT(&all[MYTHREAD].given);
    for (t = 0; t < THREADS; t++)
        here += strcmp(all[t].machine, all[MYTHREAD].machine) == 0;
    CHECK(getenv("OMPI_COMM_WORLD_LOCAL_SIZE") == NULL || here <= given || (yields != NULL && strcmp(yields, "1") == 0));
}

// With an argument each thread says how many processors it may use, and which is the first.
static void say(void)
{
    int cpu = 0, t;
    for (t = 0; t < THREADS; t++) {
        for (cpu = 0; !CPU_ISSET(cpu, &all[t].mine); cpu++)
            ;
        if (MYTHREAD == 0)
            printf("thread %d: %d from %d\n", t, CPU_COUNT(&all[t].mine), cpu);
    }
}

int main(int argc, char **argv)
{
    struct seat seat;
    int t, u;
    (void)argv;
    memset(&seat, 0, sizeof seat);
    CHECK(sched_getaffinity(0, sizeof seat.mine, &seat.mine) == 0);
    CHECK(sched_getaffinity(getppid(), sizeof seat.given, &seat.given) == 0);
    gethostname(seat.machine, sizeof seat.machine - 1);
    seats[MYTHREAD] = seat;
    upc_barrier;
    for (t = 0; t < THREADS; t++)
        all[t] = seats[t];
    for (t = 0; t < THREADS && argc == 1; t++) {
        int same = equals(t), given = CPU_COUNT(&all[t].given);
        CHECK(overlap(&all[t].mine, &all[t].given) == CPU_COUNT(&all[t].mine));
        if (same <= 1 || same > given) {
            CHECK(CPU_EQUAL(&all[t].mine, &all[t].given));
            continue;
        }
        CHECK(CPU_COUNT(&all[t].mine) == given / same || CPU_COUNT(&all[t].mine) == (given + same - 1) / same);
        for (u = 0; u < t; u++)
            CHECK(strcmp(all[t].machine, all[u].machine) != 0 || overlap(&all[t].mine, &all[u].mine) == 0);
    }
    check_yield();
    if (argc > 1)
        say();
    return pass();
}
