/* The table of events (src/events/table.rs) for tools in C: by tag, with the arguments of each event. */
#ifndef UPCR_TOOLS_EVENTS_H
#define UPCR_TOOLS_EVENTS_H

#include <stdbool.h>

/* How an argument is passed (ArgKind in the Rust table). */
enum upcr_arg_kind {
    UPCR_ARG_NONE, /* ends a list */
    UPCR_ARG_INT,
    UPCR_ARG_SIZE,
    UPCR_ARG_POINTER,
    UPCR_ARG_SHARED,
    UPCR_ARG_LOCK,
    UPCR_ARG_TEXT,
    UPCR_ARG_FLAGS,
    UPCR_ARG_OPERATION,
    UPCR_ARG_REDUCTION,
    UPCR_ARG_HANDLE,
    UPCR_ARG_FILE_FLAGS,
    UPCR_ARG_OFFSET,
};

struct upcr_arg {
    enum upcr_arg_kind kind;
    const char *name;
};

struct upcr_event {
    const char *symbol; /* "GASP_UPC_GET" */
    unsigned tag;
    bool pair;                    /* start and end, or once */
    const struct upcr_arg *start; /* of the start or of the one call */
    const struct upcr_arg *end;   /* of the end */
};

/* Returns NULL if the tag is not one of the table, for example that of a user event. */
const struct upcr_event *upcr_event_of(unsigned tag);

#endif
