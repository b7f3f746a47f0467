#include "runtime.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kernel.h"
#include "tools/measure/counters.h"
#include "tools/measure/state.h"

/* Counters that every process may read. */
enum own { OWN_TASK_CLOCK, OWN_FAULTS, OWN_MINOR_FAULTS, OWN_MAJOR_FAULTS, OWN_SWITCHES, OWN_NONE };

static const struct counter {
    const char *name;
    uint32_t type;
    uint64_t config;
    enum own own; /* counted in place of a perf event, always or if that is not available */
} counters[] = {
#define CACHE(cache, result) PERF_TYPE_HW_CACHE, (cache) | PERF_COUNT_HW_CACHE_OP_READ << 8 | (result) << 16
    {"task-clock", PERF_TYPE_MAX, 0, OWN_TASK_CLOCK},
    {"page-faults", PERF_TYPE_MAX, 0, OWN_FAULTS},
    {"minor-faults", PERF_TYPE_MAX, 0, OWN_MINOR_FAULTS},
    {"major-faults", PERF_TYPE_MAX, 0, OWN_MAJOR_FAULTS},
    {"context-switches", PERF_TYPE_MAX, 0, OWN_SWITCHES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, OWN_TASK_CLOCK},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, OWN_TASK_CLOCK},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, OWN_TASK_CLOCK},
    {"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, OWN_TASK_CLOCK},
    {"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, OWN_TASK_CLOCK},
    {"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, OWN_TASK_CLOCK},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, OWN_TASK_CLOCK},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, OWN_TASK_CLOCK},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, OWN_FAULTS},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, OWN_FAULTS},
    {"L1-dcache-loads", CACHE(PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_RESULT_ACCESS), OWN_FAULTS},
    {"L1-dcache-load-misses", CACHE(PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_RESULT_MISS), OWN_FAULTS},
    {"LLC-loads", CACHE(PERF_COUNT_HW_CACHE_LL, PERF_COUNT_HW_CACHE_RESULT_ACCESS), OWN_FAULTS},
    {"LLC-load-misses", CACHE(PERF_COUNT_HW_CACHE_LL, PERF_COUNT_HW_CACHE_RESULT_MISS), OWN_FAULTS},
    {"dTLB-loads", CACHE(PERF_COUNT_HW_CACHE_DTLB, PERF_COUNT_HW_CACHE_RESULT_ACCESS), OWN_FAULTS},
    {"dTLB-load-misses", CACHE(PERF_COUNT_HW_CACHE_DTLB, PERF_COUNT_HW_CACHE_RESULT_MISS), OWN_FAULTS},
    {"iTLB-load-misses", CACHE(PERF_COUNT_HW_CACHE_ITLB, PERF_COUNT_HW_CACHE_RESULT_MISS), OWN_FAULTS},
    {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, OWN_SWITCHES},
#undef CACHE
};
enum { KNOWN = sizeof counters / sizeof *counters };

static struct active {
    const char *name;
    enum own own;                  /* OWN_NONE: a perf event */
    unsigned place;                /* of a perf event among those of the group */
    const struct counter *counter; /* that event */
} active[MEASURE_COUNTERS];
static unsigned active_count, group_size;

/* All perf events of a pthread are one group: one call reads them, and they count at the same times. */
static int open_event(const struct counter *counter, int group)
{
    struct perf_event_attr attributes = {
        .size = sizeof attributes,
        .type = counter->type,
        .config = counter->config,
        .read_format = PERF_FORMAT_GROUP,
        /* Every system allows a process to count this of itself. */
        .exclude_kernel = counter->type != PERF_TYPE_SOFTWARE,
        .exclude_hv = 1,
        /* The group counts all the time, or never if others use all of the processor's counters; it never counts for a part of the time. */
        .pinned = group < 0,
    };
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
}

/* The reason why the last event could not be opened. */
static const char *reason(void)
{
    switch (errno) {
    case ENOENT:
    case EOPNOTSUPP:
        return "this machine has no such counter";
    case EACCES:
    case EPERM:
        return "the system does not let processes count: see /proc/sys/kernel/perf_event_paranoid";
    case EINVAL:
        return "this machine has no counters, or no further one at the same time";
    default:
        return strerror(errno);
    }
}

static const struct counter *own_counter(enum own own)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (counters[i].type == PERF_TYPE_MAX && counters[i].own == own)
            return &counters[i];
    return NULL;
}

static bool is_counted(const char *name)
{
    for (unsigned i = 0; i < active_count; i++)
        if (strcmp(active[i].name, name) == 0)
            return true;
    return false;
}

static void count_own(const struct counter *counter)
{
    if (!is_counted(counter->name))
        active[active_count++] = (struct active){counter->name, counter->own, 0, NULL};
}

static void start(const struct counter *counter, struct measure_group *group)
{
    if (counter->type == PERF_TYPE_MAX) {
        count_own(counter);
        return;
    }
    int event = open_event(counter, group->event[0]);
    if (event >= 0) {
        group->event[group_size] = event;
        active[active_count++] = (struct active){counter->name, OWN_NONE, group_size++, counter};
        return;
    }
    const struct counter *instead = own_counter(counter->own);
    if (upcr_mythread == 0)
        upcr_warn("UPC_MEASURE_COUNTERS: `%s` cannot be counted here (%s)%s%s", counter->name, reason(),
                  is_counted(instead->name) ? "" : "; counted instead: ", is_counted(instead->name) ? "" : instead->name);
    count_own(instead);
}

static void reject(const char *word, size_t length) __attribute__((__noreturn__));
static void reject(const char *word, size_t length)
{
    char known[1024] = "";
    for (size_t i = 0, used = 0; i < KNOWN; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i == 0 ? "" : ", ", counters[i].name);
    upcr_die_at("UPC_MEASURE_COUNTERS", "there is no counter `%.*s`; the counters are %s", (int)length, word, known);
}

static void clear(struct measure_group *group)
{
    for (unsigned i = 0; i < MEASURE_COUNTERS; i++)
        group->event[i] = -1;
}

unsigned measure_counters_start(const char *list, struct measure_group *group)
{
    clear(group);
    for (const char *word = list; word != NULL && *word != '\0';) {
        size_t length = strcspn(word, ",");
        size_t i = 0;
        while (i < KNOWN && (strlen(counters[i].name) != length || memcmp(counters[i].name, word, length) != 0))
            i++;
        if (i == KNOWN)
            reject(word, length);
        if (active_count == MEASURE_COUNTERS)
            upcr_die_at("UPC_MEASURE_COUNTERS", "there are more than %d counters", MEASURE_COUNTERS);
        if (!is_counted(counters[i].name))
            start(&counters[i], group);
        word += length + (word[length] == ',');
    }
    uint64_t counted[1 + MEASURE_COUNTERS];
    if (group->event[0] >= 0 && read(group->event[0], counted, sizeof counted) <= 0)
        upcr_die_at("UPC_MEASURE_COUNTERS", "the processor cannot count all of these at a time, or others use its counters; give fewer");
    return active_count;
}

void measure_counters_join(struct measure_group *group)
{
    clear(group);
    for (unsigned i = 0; i < active_count; i++) {
        if (active[i].counter == NULL)
            continue;
        int event = open_event(active[i].counter, group->event[0]);
        group->event[active[i].place] = event;
        if (event < 0) {
            measure_counters_leave(group);
            return;
        }
    }
}

void measure_counters_leave(struct measure_group *group)
{
    for (unsigned i = 0; i < MEASURE_COUNTERS; i++)
        if (group->event[i] >= 0)
            close(group->event[i]);
    clear(group);
}

const char *measure_counter_name(unsigned index)
{
    return active[index].name;
}

/* The system calls that read counters, each used at most once in a reading. */
static uint64_t read_own(enum own own, struct rusage *usage, bool *asked)
{
    struct timespec time;
    if (own == OWN_TASK_CLOCK) {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
    }
    if (!*asked)
        getrusage(RUSAGE_THREAD, usage);
    *asked = true;
    uint64_t minor = (uint64_t)usage->ru_minflt, major = (uint64_t)usage->ru_majflt;
    switch (own) {
    case OWN_FAULTS:
        return minor + major;
    case OWN_MINOR_FAULTS:
        return minor;
    case OWN_MAJOR_FAULTS:
        return major;
    case OWN_SWITCHES:
        return (uint64_t)usage->ru_nvcsw + (uint64_t)usage->ru_nivcsw;
    case OWN_TASK_CLOCK:
    case OWN_NONE:
        break;
    }
    return 0;
}

void measure_counters_read(const struct measure_state *state, uint64_t *values)
{
    const int group = state->group.event[0];
    struct rusage usage;
    bool asked = false;
    uint64_t counted[1 + MEASURE_COUNTERS] = {0};
    if (group >= 0 && read(group, counted, sizeof counted) < 0)
        memset(counted, 0, sizeof counted);
    for (unsigned i = 0; i < active_count; i++)
        values[i] = active[i].own == OWN_NONE ? counted[1 + active[i].place] : read_own(active[i].own, &usage, &asked);
}
