/* Processes that threads start themselves (system, popen, fork). After a successful run they go on until they end by
   themselves, as for any program. When a job fails or is interrupted, they are killed with it. */
#include "runtime.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "transport/host/host.h"

enum { MOST_OLD = 64 };

/* Children that an earlier program left to this process (`sleep 9 & exec ./prog`). */
static pid_t old[MOST_OLD];
static int old_count;

/* Opens the kernel's list of the children of this process; NULL if the kernel has none. */
static FILE *open_list(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    return fopen(path, "re");
}

void host_children_note(void)
{
    FILE *list = open_list();
    int pid;
    if (list == NULL)
        return;
    while (old_count < MOST_OLD && fscanf(list, "%d", &pid) == 1)
        old[old_count++] = pid;
    fclose(list);
    /* If the table is full, old children cannot be distinguished from those of the job. */
    if (old_count < MOST_OLD)
        prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static bool is_old(pid_t pid)
{
    for (int i = 0; i < old_count; i++)
        if (old[i] == pid)
            return true;
    return false;
}

/* The newest of those that this process has started itself. */
enum { MOST_OWN = 16 };
static pid_t own_children[MOST_OWN];
static unsigned own_count;

void host_children_own(pid_t pid)
{
    own_children[own_count++ % MOST_OWN] = pid;
}

static bool is_own(pid_t pid)
{
    for (int i = 0; i < MOST_OWN; i++)
        if (own_children[i] == pid)
            return true;
    return false;
}

static bool is_thread(const struct host_crowd *crowd, pid_t pid)
{
    for (int t = 0; t < crowd->threads; t++)
        if (crowd->pids[t] == pid)
            return true;
    return false;
}

bool host_children_exist(const struct host_crowd *crowd)
{
    FILE *list = open_list();
    bool found = false;
    int pid;
    while (list != NULL && !found && fscanf(list, "%d", &pid) == 1)
        found = !is_old(pid) && !is_own(pid) && !is_thread(crowd, pid);
    if (list != NULL)
        fclose(list);
    return found;
}

/* Kills the processes that are on the list at the moment; returns their number. */
static int kill_once(void)
{
    FILE *list = open_list();
    int pid, killed = 0;
    if (list == NULL || old_count == MOST_OLD) {
        if (list != NULL)
            fclose(list);
        return 0;
    }
    while (fscanf(list, "%d", &pid) == 1)
        if (!is_old(pid) && kill(pid, SIGKILL) == 0) {
            while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
                continue;
            killed++;
        }
    fclose(list);
    return killed;
}

void host_children_kill(void)
{
    /* Descendants of killed processes become children of this one when their parents end. */
    while (kill_once() != 0)
        continue;
}
