/* What the user requests for a run, by flags at the front of the command line and by environment variables. */
#ifndef UPCR_OPTIONS_H
#define UPCR_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* The value of a THREAD option that means every thread. A single thread is its number + 1. */
#define UPCR_ALL_THREADS UINT64_MAX

#define UPCR_TYPE_COUNT   uint64_t
#define UPCR_TYPE_NUMBER  uint64_t
#define UPCR_TYPE_AMOUNT  uint64_t
#define UPCR_TYPE_SIZE    uint64_t
#define UPCR_TYPE_SECONDS uint64_t
#define UPCR_TYPE_SWITCH  uint64_t
#define UPCR_TYPE_THREAD  uint64_t
#define UPCR_TYPE_TEXT    const char *

/* One member for each option of the table; an option that was not given is 0 or NULL. */
struct upcr_options {
#define UPCR_OPTION(name, kind, env, launcher, fallback, help) UPCR_TYPE_##kind name;
#include "options.def"
    uint64_t heap_percent; /* percentage of the machine's memory, instead of heap */
};

/* The options of this run; all 0 before upcr_options_read. */
extern struct upcr_options upcr_options;

/* Fills upcr_options from the values linked in and from the environment. Exits on invalid values. */
void upcr_options_read(void);

/* Returns whether the text of a variable means yes. */
bool upcr_is_yes(const char *text);

/* Removes the run's flags from *argc and argv: GUPC's and this runtime's, at the front, up to the first other
   argument or a "--". If the launcher has set UPCR_THREADS, all arguments belong to the program. Exits on invalid
   values. */
void upcr_options_take(int *argc, char **argv);

#endif
