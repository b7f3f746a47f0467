/* Instrumented programs (--inst): the functions by which the rest of the runtime calls src/gasp/. The linker takes src/gasp/ from the library
   only if an instrumented unit refers to it (upcr/inst.h); in other programs upcr_events has no address. */
#ifndef UPCR_GASP_HOOKS_H
#define UPCR_GASP_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "upcr/base.h"
#include "upcr/events.h"

struct upcr_site;

struct upcr_events {
    /* Called before the threads are started: chooses the tool. Ends the program if the choice is invalid. */
    void (*prepare)(void);
    /* Called on every thread when the job is complete: calls the tool, which may change the arguments of main. */
    void (*start)(int *argc, char ***argv);
    /* Called before and after the final barrier; the process ends after the second. */
    void (*leave)(int status);
    void (*left)(int status);
    /* This thread ends the job. */
    void (*global_exit)(int status);
    /* The thread ends, by this signal if it is not 0: saves the tool's data. Async-signal-safe; a second call does nothing. */
    void (*rescue)(int signal);
    /* Called in the launcher: this process, a thread of the job, has ended by this signal or, if that is 0, with this status. Saves what the
       process could not save. */
    void (*salvage)(pid_t process, int signal, int status);
    /* Called in a process that the launcher has forked: shows the process `asker` what the tool has so far. */
    void (*look)(pid_t asker);
    /* Returns whether a unit requests the event, a tool receives events, and the thread is inside an operation whose start was reported. */
    bool (*wants)(enum upcr_event_index event);
    /* Raise an event that only the runtime can raise, at the place of that operation: its start, its end or its single occurrence, with the event's arguments. */
    void (*began)(enum upcr_event_index event, ...);
    void (*ended)(enum upcr_event_index event, ...);
    void (*occurred)(enum upcr_event_index event, ...);
    /* Returns the address of the place of this pthread's operation, which is NULL if none is under way. */
    struct upcr_site **(*under_way)(void);
    /* The number of reported accesses that took more than a cache lookup, and the time, in upcr_clock_ticks, at which the cache last answered one. */
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
