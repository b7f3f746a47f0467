/* What, beside the threads of the job, could let a waiting thread continue. Its launcher looks this up in /proc. */
#include "runtime.h"

#include <inttypes.h>
#include <stdio.h>

#include "transport/host/host.h"

/* Returns whether a file of the process in /proc has any content; -1: it cannot be read. */
static int has_content(pid_t process, const char *name)
{
    char path[80];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return -1;
    int first = fgetc(file);
    fclose(file);
    return first != EOF;
}

struct process {
    int tracer, pthreads;              /* -1: not known */
    uint64_t pending, blocked, caught; /* signals */
};

static struct process look_at(pid_t process)
{
    char path[64], line[128];
    struct process found = {.tracer = -1, .pthreads = -1};
    uint64_t pending;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return found;
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "SigPnd: %" SCNx64, &pending) == 1 || sscanf(line, "ShdPnd: %" SCNx64, &pending) == 1)
            found.pending |= pending;
        else if (sscanf(line, "TracerPid: %d", &found.tracer) != 1 && sscanf(line, "Threads: %d", &found.pthreads) != 1 &&
                 sscanf(line, "SigBlk: %" SCNx64, &found.blocked) != 1)
            sscanf(line, "SigCgt: %" SCNx64, &found.caught);
    fclose(file);
    return found;
}

int host_count_pthreads(pid_t process)
{
    return look_at(process).pthreads;
}

unsigned host_others(int thread, pid_t process)
{
    char children[64];
    struct process found = look_at(process);
    int helpers = (int)host_read(&host_job->thread[thread].helpers);
    snprintf(children, sizeof children, "task/%d/children", (int)process);
    int has_children = has_content(process, children), has_timers = has_content(process, "timers");
    unsigned others = 0;
    if (found.tracer < 0 || found.pthreads < 0 || has_children < 0 || has_timers < 0)
        others |= HOST_BY_UNKNOWN;
    if (found.tracer > 0)
        others |= HOST_BY_DEBUGGER;
    if (found.pthreads > 1 + helpers)
        others |= HOST_BY_PTHREAD;
    if (has_children > 0)
        others |= HOST_BY_CHILD;
    if (has_timers > 0)
        others |= HOST_BY_TIMER;
    return others;
}

/* While a handler runs, its signal is blocked. The handler of the asking signal itself may still be running, so that
   signal does not count. */
unsigned host_signalled(pid_t process)
{
    struct process found = look_at(process);
    uint64_t asking = (uint64_t)1 << (host_ask_signal() - 1);
    return ((found.pending | found.blocked) & found.caught & ~asking) != 0 ? HOST_BY_HANDLER : 0;
}

unsigned host_all_others(const struct host_seen *seen, int threads)
{
    unsigned others = 0;
    for (int t = 0; t < threads; t++)
        others |= seen[t].others;
    return others;
}
