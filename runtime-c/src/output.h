/* Standard output and standard error of threads: a line comes out whole. */
#ifndef UPCR_OUTPUT_H
#define UPCR_OUTPUT_H

#include <stddef.h>

/* Before the threads are started: makes what they need to take turns. */
void upcr_output_start(void);

/* In each thread, before it prints anything. */
void upcr_output_thread(void);

/* Writes all of it to a file descriptor, uninterrupted by what other threads write through here. */
void upcr_output_write(int fd, const char *text, size_t length);

/* The same for those who must not wait for long, as the thread whose turn it is may never end it: in handlers of fatal signals and in
   the process that watches over the threads. Async-signal-safe. */
void upcr_output_urgent(int fd, const char *text, size_t length);

/* The same for a message of ours, which may quote names and other text of users: control characters but newline and tab become visible (\x1b), as a
   terminal would obey them. A message that becomes too long loses its tail. */
void upcr_output_message(int fd, const char *text, size_t length);

/* Writes what the C library still holds of an unfinished line. For handlers of fatal signals. */
void upcr_output_rescue(void);

#endif
