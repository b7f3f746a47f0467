/* Processors: how many there are, which threads share one, and the binding of threads to them. */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "transport/host/bind.h"
#include "transport/host/host.h"

int host_processors(void)
{
    cpu_set_t set;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    return online > 0 ? (int)online : 1;
}

void host_mask(cpu_set_t *mask)
{
    if (sched_getaffinity(0, sizeof *mask, mask) == 0)
        return;
    CPU_ZERO(mask);
    for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF) && cpu < CPU_SETSIZE; cpu++)
        CPU_SET((size_t)cpu, mask);
}

/* ---- Shares --------------------------------------------------------------------------------------------------------- */

/* A processor and its position. Hardware threads of one core are neighbours in this order. */
struct processor {
    int package, core, cpu;
};

static int read_topology(int cpu, const char *what)
{
    char path[96];
    int value = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, what);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%d", &value) != 1)
        value = 0;
    fclose(file);
    return value;
}

static int compare(const void *one, const void *other)
{
    const struct processor *a = one, *b = other;
    return a->package != b->package ? a->package - b->package : a->core != b->core ? a->core - b->core : a->cpu - b->cpu;
}

/* Lists the processors of a mask; returns their number. */
static int list_processors(const cpu_set_t *mask, struct processor *list)
{
    int count = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, mask))
            list[count++] = (struct processor){read_topology(cpu, "physical_package_id"), read_topology(cpu, "core_id"), cpu};
    qsort(list, (size_t)count, sizeof *list, compare);
    return count;
}

bool host_share(const cpu_set_t *masks, int threads, int me, cpu_set_t *share)
{
    struct processor list[CPU_SETSIZE];
    int equal = 0, before = 0;
    cpu_set_t both;
    for (int t = 0; t < threads; t++) {
        bool same = CPU_EQUAL(&masks[t], &masks[me]);
        CPU_AND(&both, &masks[t], &masks[me]);
        if (!same && CPU_COUNT(&both) != 0)
            return false;
        equal += same;
        before += same && t < me;
    }
    if (equal == 1 || CPU_COUNT(&masks[me]) < equal)
        return false;
    int count = list_processors(&masks[me], list);
    CPU_ZERO(share);
    for (int i = before * count / equal; i < (before + 1) * count / equal; i++)
        CPU_SET(list[i].cpu, share);
    return true;
}

/* ---- Who shares a processor ----------------------------------------------------------------------------------------- */

/* An assignment of threads to processors of their masks. */
struct assignment {
    const cpu_set_t *masks;
    int threads, most;       /* most: threads of one processor */
    int *of_thread;          /* the processor of each thread; -1: none yet */
    int count[CPU_SETSIZE];  /* threads of each processor */
    bool tried[CPU_SETSIZE]; /* visited in this search */
};

/* Finds a processor for a thread, moving other threads where a processor is full. */
static bool place(struct assignment *all, int thread)
{
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &all->masks[thread]) || all->tried[cpu])
            continue;
        all->tried[cpu] = true;
        bool free_place = all->count[cpu] < all->most;
        for (int t = 0; !free_place && t < all->threads; t++)
            if (all->of_thread[t] == cpu && place(all, t)) {
                all->count[cpu]--;
                free_place = true;
            }
        if (free_place) {
            all->of_thread[thread] = cpu;
            all->count[cpu]++;
            return true;
        }
    }
    return false;
}

static bool all_have_place(const cpu_set_t *masks, int threads, int most, int *of_thread)
{
    struct assignment all = {.masks = masks, .threads = threads, .most = most, .of_thread = of_thread};
    for (int t = 0; t < threads; t++)
        of_thread[t] = -1;
    for (int t = 0; t < threads; t++) {
        memset(all.tried, 0, sizeof all.tried);
        if (!place(&all, t))
            return false;
    }
    return true;
}

int host_sharers(const cpu_set_t *masks, int threads)
{
    cpu_set_t all = masks[0];
    for (int t = 1; t < threads; t++)
        CPU_OR(&all, &all, &masks[t]);
    int *of_thread = calloc((size_t)threads, sizeof *of_thread), most = (threads + CPU_COUNT(&all) - 1) / CPU_COUNT(&all);
    while (of_thread != NULL && most < threads && !all_have_place(masks, threads, most, of_thread))
        most++;
    free(of_thread);
    return most;
}

/* ---- Binding -------------------------------------------------------------------------------------------------------- */

/* The processors on which this process could run before it was bound. */
static cpu_set_t allowed;
static bool is_bound;

void upcr_tp_helper_begins(void)
{
    atomic_fetch_add_explicit(&host_me()->helpers, 1, memory_order_seq_cst);
    if (is_bound)
        (void)sched_setaffinity(0, sizeof allowed, &allowed);
}

bool host_bind_to(const cpu_set_t *mask)
{
    cpu_set_t before;
    host_mask(&before);
    if (sched_setaffinity(0, sizeof *mask, mask) != 0)
        return false;
    allowed = before;
    is_bound = true;
    return true;
}

void host_bind(int thread)
{
    cpu_set_t before, mine;
    host_mask(&before);
    int left = thread % CPU_COUNT(&before), cpu = 0;
    while (!CPU_ISSET(cpu, &before) || left-- > 0)
        cpu++;
    CPU_ZERO(&mine);
    CPU_SET(cpu, &mine);
    if (!host_bind_to(&mine))
        upcr_warn("cannot be bound to processor %d", cpu);
}

void host_bind_note(int threads)
{
    int processors = host_processors();
    if (threads > processors && !upcr_options.quiet)
        upcr_log_program("-bind-threads: %d threads on %d processor%s: some share one", threads, processors, processors == 1 ? "" : "s");
}
