#include "runtime.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/measure/file.h"
#include "tools/measure/look.h"
#include "tools/measure/memory.h"
#include "tools/measure/state.h"

/* Returns whether the file has the seals of one that waits for an answer: no other kind of file has seals, and what has been answered cannot be written. */
static bool is_unanswered(int file)
{
    const int seals = fcntl(file, F_GET_SEALS);
    return seals >= 0 && (seals & (F_SEAL_SEAL | F_SEAL_WRITE)) == 0;
}

/* Opens the memory file that the process has made for this launcher; -1: there is none. The name is that in src/prof/top/look.rs. */
static int open_answer(pid_t asker)
{
    char wanted[64], folder[32], path[sizeof folder + NAME_MAX + 2], link[sizeof wanted + 1];
    int file = -1;
    snprintf(wanted, sizeof wanted, "/memfd:upcprof looks at %d (deleted)", (int)getppid());
    snprintf(folder, sizeof folder, "/proc/%d/fd", (int)asker);
    DIR *list = opendir(folder);
    for (const struct dirent *entry; list != NULL && file < 0 && (entry = readdir(list)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        const ssize_t length = readlink(path, link, sizeof link - 1);
        if (length != (ssize_t)strlen(wanted) || memcmp(link, wanted, (size_t)length) != 0)
            continue;
        file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
        if (file >= 0 && !is_unanswered(file)) {
            close(file);
            file = -1;
        }
    }
    if (list != NULL)
        closedir(list);
    return file;
}

/* Returns whether the parts of the copy are from one moment, as far as they refer to each other: no node of the profile, event site or block was added while
   they were copied. */
static bool is_consistent(const struct measure_run *run)
{
    bool same = measure_memory_is_current(&run->define, sizeof run->define) && measure_memory_is_current(&run->file.written, sizeof run->file.written) &&
                measure_memory_is_current(&run->event_site_count, sizeof run->event_site_count) &&
                measure_memory_is_current(&run->states, sizeof run->states) && measure_memory_is_current(&run->retired, sizeof run->retired);
    /* A state that is not in the copy is not asked for the next one. */
    for (const struct measure_state *state = same ? run->states : NULL; same && state != NULL; state = same ? state->next : NULL)
        same = measure_memory_is_current(&state->tree.used, sizeof state->tree.used);
    if (same && run->retired != NULL)
        same = measure_memory_is_current(&run->retired->tree.used, sizeof run->retired->tree.used);
    return same;
}

/* Copies a thread's memory. NULL: it has none, or nodes are added all the time. */
static struct measure_run *copy_run(unsigned index)
{
    enum { ATTEMPTS = 20 };
    for (int i = 0; i < ATTEMPTS; i++) {
        struct measure_run *run = measure_memory_copy(index);
        if (run == NULL || is_consistent(run))
            return run;
        measure_memory_release();
    }
    return NULL;
}

static void leave_out_trace(struct measure_state *state)
{
    for (; state != NULL; state = state->next)
        state->mode &= ~(unsigned)MODE_TRACE;
}

/* Ends the recording in the copy. What a thread has ended itself is in its file. */
static void write_copy(struct measure_run *run)
{
    if (!run->calibrated || run->stopped || !(run->mode & MODE_PROFILE))
        return;
    run->lock = (struct upcr_tool_lock){0};
    run->salvaged = true;
    run->file.shared = false;
    run->mode &= ~(unsigned)MODE_TRACE;
    leave_out_trace(run->states);
    upcr_mythread = run->thread;
    measure_run = run;
    measure_write_all(HOW_JOB, 0);
    measure_run = NULL;
}

void measure_look(pid_t asker)
{
    const int answer = open_answer(asker);
    if (answer < 0)
        return;
    measure_file_use(answer);
    for (unsigned i = 0; i < measure_memory_processes(); i++) {
        struct measure_run *run = copy_run(i);
        if (run == NULL)
            continue;
        write_copy(run);
        measure_memory_release();
    }
    (void)fcntl(answer, F_ADD_SEALS, F_SEAL_WRITE);
}
