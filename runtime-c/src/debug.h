/* Waiting for a debugger, and core files. */
#ifndef UPCR_DEBUG_H
#define UPCR_DEBUG_H

/* Waits, if the user asked for it, before the threads are started. */
void upcr_freeze_early(void);

/* Waits in a thread, if the user asked for it, before main. */
void upcr_freeze_thread(void);

/* Waits after a fatal error, if the user asked for it. what: the error, or "" if it has been printed.
   Async-signal-safe except for the formatting of numbers and strings. */
void upcr_freeze_error(const char *what);

/* Raises the limit on core files as far as the system allows, if the user asked for them. */
void upcr_allow_core(void);

#endif
