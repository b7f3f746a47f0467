/* Waiting for a debugger, and core files. */
#ifndef UPCR_DEBUG_H
#define UPCR_DEBUG_H

/* Waits, if the user asked for it, before there are threads. */
void upcr_freeze_early(void);

/* Waits in a thread, if the user asked for it, before main. */
void upcr_freeze_thread(void);

/* Waits after a fatal error, if the user asked for it. what: the error, or "" when it has been printed. Async-signal-safe but for
   the formatting of numbers and strings. */
void upcr_freeze_error(const char *what);

/* Lets core files be written as large as the system allows, if the user asked for them. */
void upcr_allow_core(void);

#endif
