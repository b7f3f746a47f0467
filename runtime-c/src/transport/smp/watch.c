/* One launcher has all threads of an smp job: there are no others to hear from. */
#include "runtime.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "transport/smp/job.h"

int host_rest(const sigset_t *signals, siginfo_t *info, const struct timespec *rest)
{
    return rest != NULL ? sigtimedwait(signals, info, rest) : sigwaitinfo(signals, info);
}

void host_moment(void)
{
    const struct timespec moment = {0, 1000 * 1000};
    nanosleep(&moment, NULL);
}

struct host_news host_take_news(void)
{
    return (struct host_news){.ends = false};
}

bool host_claim_job(void)
{
    return true;
}

bool host_thread_may_report(void)
{
    return true;
}

void host_end_others(int status)
{
    (void)status;
}

/* The launcher itself refuses. */
void host_leave_refusal_to_first(void)
{
}

void host_part(void)
{
}

void host_clean(void)
{
}

void host_let_starter_notice(void)
{
}

void host_show_job(const struct host_crowd *crowd)
{
    struct host_seen *seen = calloc((size_t)crowd->threads, sizeof *seen);
    if (seen == NULL)
        return;
    host_see(crowd, seen);
    host_print_seen(seen, crowd->threads);
    free(seen);
}

bool host_look_for_deadlock(const struct host_crowd *crowd)
{
    if (!host_look_for_stuck(crowd->threads))
        return false;
    host_say_deadlock();
    host_show_job(crowd);
    return true;
}
