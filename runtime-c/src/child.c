#include "child.h"

#include <pthread.h>
#include <unistd.h>

bool upcr_is_child;

static void note_child(void)
{
    upcr_is_child = true;
}

void upcr_child_start(void)
{
    if (pthread_atfork(NULL, NULL, note_child) != 0)
        upcr_die("out of memory");
}

void upcr_child_fatal(const char *what)
{
    upcr_die(
        "%s in process %d, which was forked from this thread: it would count for the thread. Such a process may only compute, and end by _exit, exit or exec",
        what, (int)getpid());
}
