/* Processors: how many there are, and threads that stay on theirs. */
#include "runtime.h"

#include <sched.h>
#include <unistd.h>

#include "options.h"
#include "transport/host/host.h"

int host_processors(void)
{
    cpu_set_t set;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    return online > 0 ? (int)online : 1;
}

/* Where this process could run before it was bound. */
static cpu_set_t allowed;
static bool is_bound;

void upcr_tp_release_processor(void)
{
    if (is_bound)
        (void)sched_setaffinity(0, sizeof allowed, &allowed);
}

void host_bind(int thread)
{
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    int left = thread % CPU_COUNT(&allowed), cpu = 0;
    while (!CPU_ISSET(cpu, &allowed) || left-- > 0)
        cpu++;
    CPU_ZERO(&mine);
    CPU_SET(cpu, &mine);
    if (sched_setaffinity(0, sizeof mine, &mine) != 0)
        upcr_warn("cannot be bound to processor %d", cpu);
    else
        is_bound = true;
}

void host_bind_note(int threads)
{
    int processors = host_processors();
    if (threads > processors && !upcr_options.quiet)
        upcr_tell("-bind-threads: %d threads on %d processor%s: some share one", threads, processors, processors == 1 ? "" : "s");
}
