/* Shares of processors, and how many threads share one, by the masks of made-up machines. */
#define _GNU_SOURCE
#include "test.h"

#include "transport/host/bind.h"

enum { MOST = 300 };
static cpu_set_t masks[MOST], shares[MOST];

/* "0-3,8": the processors of a mask. */
static cpu_set_t mask_of(const char *text)
{
    cpu_set_t mask;
    CPU_ZERO(&mask);
    while (*text != '\0') {
        char *end;
        long first = strtol(text, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        for (long cpu = first; cpu <= last; cpu++)
            CPU_SET((size_t)cpu, &mask);
        text = *end == ',' ? end + 1 : end;
    }
    return mask;
}

/* The threads of a machine are started with these masks: each gets `each` processors of it, at least, that nobody else gets; 0: keeps its mask.
   sharers: threads of one processor then. */
static const struct machine {
    const char *masks[8];
    int threads, each, sharers;
} machines[] = {
    {{"0-1"}, 1, 0, 1},
    {{"0-1"}, 2, 1, 1},
    {{"0-1"}, 3, 0, 2},
    {{"3"}, 2, 0, 2},
    {{"0-7"}, 2, 4, 1},
    {{"0-7"}, 3, 2, 1},
    {{"0-255"}, 256, 1, 1},
    {{"0-127"}, 256, 0, 2},
    {{"0-15"}, 300, 0, 19},
    {{"0", "1"}, 2, 0, 1},                   /* bound by the launcher */
    {{"0-3", "4-7"}, 2, 0, 1},               /* processors for threads of their own */
    {{"0-3", "0-3", "4-7", "4-7"}, 4, 2, 1}, /* two packages */
    {{"0-1", "0-1", "0-1", "2-5"}, 4, 0, 2},
    {{"0", "0", "1"}, 3, 0, 2},
    {{"0-1", "1-2", "2-3"}, 3, 0, 1},
    {{"0-1", "0-1", "1-2"}, 3, 0, 1},
    {{"0", "0-1", "0-1"}, 3, 0, 2},
    {{"0", "0-1", "1-2", "2-3"}, 4, 0, 1},
};

static void check(const struct machine *machine)
{
    int kinds = 0;
    while (kinds < 8 && machine->masks[kinds] != NULL)
        kinds++;
    for (int t = 0; t < machine->threads; t++)
        masks[t] = mask_of(machine->masks[t < kinds ? t : kinds - 1]);
    for (int t = 0; t < machine->threads; t++) {
        cpu_set_t both;
        bool shares_it = host_share(masks, machine->threads, t, &shares[t]);
        CHECK(shares_it == (machine->each != 0));
        if (!shares_it)
            shares[t] = masks[t];
        CHECK(CPU_COUNT(&shares[t]) >= machine->each);
        CPU_AND(&both, &shares[t], &masks[t]);
        CHECK(CPU_EQUAL(&both, &shares[t]));
        for (int other = 0; machine->each != 0 && other < t; other++) {
            CPU_AND(&both, &shares[t], &shares[other]);
            CHECK(CPU_COUNT(&both) == 0);
        }
    }
    CHECK(host_sharers(shares, machine->threads) == machine->sharers);
}

int main(void)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        check(&machines[i]);
    return 0;
}
