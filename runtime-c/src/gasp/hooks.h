/* Instrumented programs (--inst): what the rest of the runtime tells src/gasp/, which the linker takes from the library only when an
   instrumented unit refers to it (upcr/inst.h); in other programs upcr_events has no address. */
#ifndef UPCR_GASP_HOOKS_H
#define UPCR_GASP_HOOKS_H

#include <stdbool.h>
#include <stddef.h>

#include "upcr/events.h"

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
    /* Whether some unit wants the event, a tool listens, and the thread is inside an operation that was told to begin. */
    bool (*wants)(enum upcr_event_index event);
    /* Raise what only the runtime knows of, at the place of that operation: the start, the end or the one occurrence, with the event's arguments. */
    void (*began)(enum upcr_event_index event, ...);
    void (*ended)(enum upcr_event_index event, ...);
    void (*occurred)(enum upcr_event_index event, ...);
};

extern const struct upcr_events upcr_events __attribute__((__weak__)) UPCR_HIDDEN;

static inline bool upcr_has_events(void)
{
    return &upcr_events != NULL;
}

#endif
