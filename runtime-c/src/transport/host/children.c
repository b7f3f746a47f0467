/* Processes that threads start themselves (system, popen, fork). They end by themselves after a good run, as those of any program
   do; a job that fails or is interrupted takes them with it. */
#include "runtime.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "transport/host/host.h"

enum { MOST_OLD = 64 };

/* Children that the program before us left to this process (`sleep 9 & exec ./prog`). */
static pid_t old[MOST_OLD];
static int old_count;

/* The kernel's list of children of this process; NULL where it has none. */
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
    /* With a full table nobody could tell ours from theirs. */
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
        found = !is_old(pid) && !is_thread(crowd, pid);
    if (list != NULL)
        fclose(list);
    return found;
}

/* Kills what the list shows now; the number of processes. */
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
    /* Those of the killed come to light as their parents go. */
    while (kill_once() != 0)
        continue;
}
