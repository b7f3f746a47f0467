/* Instrumented programs (--inst): what the rest of the runtime reports to src/gasp/, which the linker takes from the library only when an
   instrumented unit refers to it (upcr/inst.h); in other programs upcr_events has no address. */
#ifndef UPCR_GASP_HOOKS_H
#define UPCR_GASP_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "upcr/base.h"
#include "upcr/events.h"

struct upcr_site;

struct upcr_events {
    /* Before the threads are started: chooses the tool. Exits on nonsense. */
    void (*prepare)(void);
    /* On every thread, with all of the job in place: calls the tool, which may change the arguments of main. */
    void (*start)(int *argc, char ***argv);
    /* Around the final barrier; the process ends behind the second. */
    void (*leave)(int status);
    void (*left)(int status);
    /* This thread ends the job. */
    void (*global_exit)(int status);
    /* The thread dies, of this signal if it is not 0: saves what the tool holds. Async-signal-safe; the second call does nothing. */
    void (*rescue)(int signal);
    /* In the launcher: this process, a thread of the job, has ended, by this signal or, where that is 0, with this status. What it could not save is
       saved now. */
    void (*salvage)(pid_t process, int signal, int status);
    /* Whether some unit wants the event, a tool listens, and the thread is inside an operation whose start was reported. */
    bool (*wants)(enum upcr_event_index event);
    /* Raise what only the runtime knows of, at the place of that operation: the start, the end or the one occurrence, with the event's arguments. */
    void (*began)(enum upcr_event_index event, ...);
    void (*ended)(enum upcr_event_index event, ...);
    void (*occurred)(enum upcr_event_index event, ...);
    /* Where the place of this pthread's operation is written; there NULL: none. */
    struct upcr_site **(*under_way)(void);
    /* The number of reported accesses that took more than a cache lookup; when the cache last answered one, by upcr_clock_ticks. */
    upcr_u64 *slow, *answered;
    /* An access that was counted without a report (upcr_counted of upcr/remote.h) takes more than a cache lookup. True: it is
       no longer counted, and the caller reports the start and the end of its event with the two functions below. Calls no
       function of the tool that may access shared memory. */
    bool (*is_late)(upcr_size counted, upcr_pts_t place);
    void (*begin_late)(upcr_size counted, upcr_pts_t place, const void *value, size_t n);
    void (*end_late)(upcr_size counted, upcr_pts_t place, const void *value, size_t n);
};

extern const struct upcr_events upcr_events __attribute__((__weak__)) UPCR_HIDDEN;

static inline bool upcr_has_events(void)
{
    return &upcr_events != NULL;
}

#endif
