/* What the runtime needs and not every C library has. */
#ifndef UPCR_LIBC_H
#define UPCR_LIBC_H

/* Calls leave with the exit status when the process leaves main or calls exit, after the handlers that are registered
   later. Returns 0 on success. */
int upcr_at_exit(void (*leave)(int status));

/* Returns the status with which main ends. main must return what this function returns. */
int upcr_leave_main(int status);

/* Called by the function of upcr_at_exit: the process ends with another status. */
void upcr_exit_instead(int status) __attribute__((__noreturn__));

/* Returns a signal's name without "SIG"; "?" if it has none. May be called in a signal handler. */
const char *upcr_signal_name(int signal);

#endif
