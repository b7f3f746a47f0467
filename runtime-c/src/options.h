/* What the user asks of a run, by flags at the front of the command line and by environment variables. */
#ifndef UPCR_OPTIONS_H
#define UPCR_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Of a THREAD option: every thread. A single thread is its number + 1. */
#define UPCR_ALL_THREADS UINT64_MAX

#define UPCR_TYPE_COUNT uint64_t
#define UPCR_TYPE_NUMBER uint64_t
#define UPCR_TYPE_AMOUNT uint64_t
#define UPCR_TYPE_SIZE uint64_t
#define UPCR_TYPE_SECONDS uint64_t
#define UPCR_TYPE_SWITCH uint64_t
#define UPCR_TYPE_THREAD uint64_t
#define UPCR_TYPE_TEXT const char *

/* One member for each option of the table; what nobody gave is 0 or NULL. */
struct upcr_options {
#define UPCR_OPTION(name, kind, env, launcher, fallback, help) UPCR_TYPE_##kind name;
#include "options.def"
    uint64_t heap_percent; /* of the machine's memory, in place of heap */
};

/* What the user asked of this run; all 0 before upcr_options_read. */
extern struct upcr_options upcr_options;

/* Fills upcr_options from what was linked in and from the environment. Exits on nonsense. */
void upcr_options_read(void);

/* Whether the text of a variable says yes. */
bool upcr_is_yes(const char *text);

/* Takes the run's flags out of *argc and argv: GUPC's and ours, at the front, up to the first argument that is none of them or a "--".
   When the launcher has set UPCR_THREADS all arguments are the program's. Exits on nonsense. */
void upcr_options_take(int *argc, char **argv);

#endif
