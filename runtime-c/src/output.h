/* Standard output and standard error of threads: every line is written as a whole. */
#ifndef UPCR_OUTPUT_H
#define UPCR_OUTPUT_H

#include <stddef.h>

/* Called before the threads are started: creates what they need to take turns. */
void upcr_output_start(void);

/* Called in each thread before it prints anything. */
void upcr_output_thread(void);

/* Writes the whole text to a file descriptor; other threads' writes through this function do not interrupt it. */
void upcr_output_write(int fd, const char *text, size_t length);

/* The same for callers that must not wait for long, because the thread whose turn it is may never end it: handlers
   of fatal signals and the process that watches over the threads. Async-signal-safe. */
void upcr_output_urgent(int fd, const char *text, size_t length);

/* The same for a message of the runtime, which may quote names and other text of users: control characters except
   newline and tab become visible (\x1b), because a terminal would obey them. A message that is too long loses its
   tail. */
void upcr_output_message(int fd, const char *text, size_t length);

/* Writes what the C library still holds of an unfinished line. Called by handlers of fatal signals. */
void upcr_output_rescue(void);

#endif
