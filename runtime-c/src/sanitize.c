/* AddressSanitizer writes a report in many pieces. Threads that report at the same time take turns: a record lock on a file of
   the job, which the kernel releases when the process of a thread ends. */
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "sanitize.h"

enum { TRIES = 2000 };

#pragma GCC visibility push(default)
/* AddressSanitizer calls it when it has found an error, before the report. */
void __asan_on_error(void);
/* The function is called with each report when it has been written. */
extern void __asan_set_error_report_callback(void (*)(const char *)) __attribute__((__weak__));
#pragma GCC visibility pop

/* -1: this program has no AddressSanitizer. */
static int report_turns = -1;

bool upcr_has_asan(void)
{
    return __asan_set_error_report_callback != NULL;
}

void upcr_sanitize_start(void)
{
    if (upcr_has_asan())
        report_turns = memfd_create("upc reports", MFD_CLOEXEC);
}

static int set_report_turn(short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_len = 1};
    return fcntl(report_turns, F_SETLK, &lock);
}

static void end_turn(const char *report)
{
    (void)report;
    set_report_turn(F_UNLCK);
}

void upcr_sanitize_thread(void)
{
    if (upcr_has_asan())
        __asan_set_error_report_callback(end_turn);
}

void __asan_on_error(void)
{
    const struct timespec moment = {0, 1000 * 1000};
    int error = errno;
    /* Not forever: a debugger may hold the thread whose turn it is. */
    for (int i = 0; report_turns >= 0 && i < TRIES && set_report_turn(F_WRLCK) < 0; i++)
        nanosleep(&moment, NULL);
    if (report_turns >= 0)
        upcr_log("AddressSanitizer has found an error in process %d:", (int)getpid());
    errno = error;
}
