/* Shares of processors, and how many threads share one, by the masks of made-up machines. */
#define _GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

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
    struct host_masks given = {masks, sizeof *masks, machine->threads}, taken = {shares, sizeof *shares, machine->threads};
    while (kinds < 8 && machine->masks[kinds] != NULL)
        kinds++;
    for (int t = 0; t < machine->threads; t++)
        masks[t] = mask_of(machine->masks[t < kinds ? t : kinds - 1]);
    for (int t = 0; t < machine->threads; t++) {
        cpu_set_t both;
        bool shares_it = host_share(&given, t, false, &shares[t]);
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
    CHECK(host_sharers(&taken) == machine->sharers);
}

/* A machine of `domains` domains with `cores` cores each and `hyper` hardware threads each, of which the system numbers the first of each core first, as
   Linux does. The shares of its threads: "0,8 1,9". */
static const struct division {
    int domains, cores, hyper, threads;
    const char *shares;
} divisions[] = {
    {1, 4, 2, 2, "0-1,4-5 2-3,6-7"}, /* whole cores */
    {1, 4, 2, 4, "0,4 1,5 2,6 3,7"}, /* a core each */
    {1, 4, 2, 3, "0,4 1,5 2-3,6-7"}, /* no core has two threads */
    {1, 2, 2, 4, "0 2 1 3"},         /* hardware threads */
    {2, 4, 1, 2, "0-3 4-7"},         /* a domain each */
    {2, 4, 1, 3, "0-1 2-3 4-7"},     /* nobody is in two domains */
    {2, 2, 2, 5, "0 4 1,5 2,6 3,7"}, /* hardware threads in one domain, cores in the other */
    {4, 2, 1, 2, "0-3 4-7"},         /* several domains each */
};

/* The same for the processors of the memory's domains; -: all processors, as the thread was started. */
static const struct division by_domains[] = {
    {1, 4, 1, 2, "- -"},
    {2, 4, 1, 2, "0-3 4-7"},
    {2, 2, 2, 4, "0-1,4-5 0-1,4-5 2-3,6-7 2-3,6-7"},
    {2, 4, 1, 3, "0-3 4-7 -"}, /* one is left over */
    {4, 2, 1, 3, "- - -"},     /* fewer threads than domains */
    {2, 2, 1, 5, "- - - - -"}, /* fewer processors than threads */
    {2, 2, 1, 4, "0-1 0-1 2-3 2-3"},
};

enum { MOST_PROCESSORS = 64, MOST_THREADS = 8 };

/* Writes the processors of a machine; returns their number. */
static int processors_of(const struct division *machine, struct host_processor *list)
{
    int cores = machine->domains * machine->cores, count = cores * machine->hyper;
    for (int cpu = 0; cpu < count; cpu++)
        list[cpu] = (struct host_processor){cpu % cores / machine->cores, 0, cpu % cores, cpu};
    return count;
}

static bool divide(const struct division *machine, bool of_domains, int thread, cpu_set_t *share)
{
    struct host_processor list[MOST_PROCESSORS];
    int count = processors_of(machine, list);
    CPU_ZERO(share);
    if (of_domains)
        return host_divide_domains(list, count, machine->threads, thread, share, sizeof *share);
    host_divide(list, count, machine->threads, thread, share, sizeof *share);
    return true;
}

static void check_division(const struct division *division, bool of_domains)
{
    char text[256] = "";
    for (int t = 0; t < division->threads; t++) {
        cpu_set_t share;
        if (t != 0)
            strcat(text, " ");
        if (divide(division, of_domains, t, &share))
            host_print_mask(&share, sizeof share, text + strlen(text), sizeof text - strlen(text));
        else
            strcat(text, "-");
    }
    if (strcmp(text, division->shares) != 0)
        fprintf(stderr, "%s instead of %s\n", text, division->shares);
    CHECK(strcmp(text, division->shares) == 0);
}

/* Domains of different size are not divided: the threads of two jobs would not fit the smaller one. */
static void check_unequal(void)
{
    struct host_processor list[] = {{0, 0, 0, 0}, {0, 0, 1, 1}, {0, 0, 2, 2}, {1, 0, 3, 3}};
    cpu_set_t share;
    CPU_ZERO(&share);
    CHECK(!host_divide_domains(list, 4, 2, 0, &share, sizeof share) && CPU_COUNT(&share) == 0);
}

/* Adds the masks of a job's threads to those of another. */
static void add_job(struct host_masks *all, const struct division *machine, bool of_domains)
{
    int count = machine->domains * machine->cores * machine->hyper;
    for (int t = 0; t < machine->threads; t++) {
        cpu_set_t *mask = host_mask_of(all, all->count++);
        if (machine->threads > 1 && divide(machine, of_domains, t, mask))
            continue;
        for (int cpu = 0; cpu < count; cpu++)
            CPU_SET((size_t)cpu, mask);
    }
}

/* Two jobs that know nothing of each other: if the machine has a processor for each of their threads, no two threads have to share one. */
static void check_two_jobs(const struct division *shape, bool of_domains)
{
    int count = shape->domains * shape->cores * shape->hyper;
    for (int first = 1; first < count; first++)
        for (int second = 1; first + second <= count; second++) {
            struct division one = *shape, other = *shape;
            struct host_masks all = {masks, sizeof *masks, 0};
            one.threads = first;
            other.threads = second;
            memset(masks, 0, sizeof masks);
            add_job(&all, &one, of_domains);
            add_job(&all, &other, of_domains);
            if (host_sharers(&all) != 1)
                fprintf(stderr, "%d domains of %d cores: %d and %d threads share processors\n", shape->domains, shape->cores, first, second);
            CHECK(host_sharers(&all) == 1);
        }
}

static const struct division shapes[] = {{1, 2, 1, 0, NULL}, {1, 4, 2, 0, NULL}, {2, 3, 1, 0, NULL}, {2, 2, 2, 0, NULL}, {4, 3, 1, 0, NULL}};

/* Two threads share the last of 5,000 processors, and a third may use others. */
static void check_large(void)
{
    enum { PROCESSORS = 5000, THREADS_HERE = 3 };
    size_t bytes = CPU_ALLOC_SIZE(PROCESSORS);
    struct host_masks large = {calloc(THREADS_HERE, bytes), bytes, THREADS_HERE};
    char text[64];
    for (int t = 0; t < 2; t++)
        CPU_SET_S(PROCESSORS - 1, bytes, host_mask_of(&large, t));
    CPU_SET_S(PROCESSORS - 3, bytes, host_mask_of(&large, 2));
    CPU_SET_S(PROCESSORS - 2, bytes, host_mask_of(&large, 2));
    host_print_mask(host_mask_of(&large, 2), bytes, text, sizeof text);
    CHECK(strcmp(text, "4997-4998") == 0);
    CHECK(host_sharers(&large) == 2);
    CPU_SET_S(PROCESSORS - 4, bytes, host_mask_of(&large, 1));
    CHECK(host_sharers(&large) == 1);
    free(large.first);
}

/* The kernel takes the policy for a segment, in a memory file as the runtime's. */
static void check_memory(void)
{
    enum { BYTES = 1 << 20, PREFERRED = 1, OF_ADDRESS = 2 };
    int mode = -1, file = memfd_create("segment", MFD_CLOEXEC);
    char *at = file >= 0 && ftruncate(file, BYTES) == 0 ? mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    CHECK(at != MAP_FAILED);
    CHECK(!host_prefer_domain(at, BYTES, -1) && !host_prefer_domain(at, BYTES, 5000));
    if (!host_prefer_domain(at, BYTES, 0)) {
        CHECK(errno == ENOSYS || errno == EPERM);
        return;
    }
    CHECK(syscall(SYS_get_mempolicy, &mode, NULL, 0ul, at, (unsigned long)OF_ADDRESS) == 0 && mode == PREFERRED);
    /* The policy belongs to the file, so that it holds for every process that maps it. */
    char *other = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(other != MAP_FAILED);
    CHECK(syscall(SYS_get_mempolicy, &mode, NULL, 0ul, other, (unsigned long)OF_ADDRESS) == 0 && mode == PREFERRED);
    at[0] = other[BYTES - 1] = 1;
    CHECK(munmap(at, BYTES) == 0 && munmap(other, BYTES) == 0 && close(file) == 0);
}

int main(void)
{
    for (size_t i = 0; i < sizeof divisions / sizeof *divisions; i++)
        check_division(&divisions[i], false);
    for (size_t i = 0; i < sizeof by_domains / sizeof *by_domains; i++)
        check_division(&by_domains[i], true);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        check_two_jobs(&shapes[i], true);
    check_unequal();
    check_memory();
    check_large();
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        check(&machines[i]);
    return 0;
}
