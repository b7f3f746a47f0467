/* Start and end of an smp job. A UPC thread is a forked process; the process that the user started watches over the
   threads. */
#include "runtime.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "seat.h"
#include "transport/host/bind.h"
#include "transport/smp/job.h"

/* Performs the first steps of a thread's process. */
static void become_thread(int thread, pid_t launcher, const sigset_t *mask, const struct upcr_plan *plan, const struct host_masks *placed)
{
    upcr_mythread = thread;
    smp_segments_choose(thread);
    smp_touched_start();
    host_become_thread(launcher, mask);
    host_bind(plan->bind, host_mask_of(placed, thread));
    if (plan->bind == UPCR_BIND_USUAL || plan->bind == UPCR_BIND_DOMAIN)
        host_spread(thread);
    if (upcr_threads > 1)
        upcr_seats_take(smp_seats, 0, upcr_threads);
    host_place_memory(smp_segment(thread) + UPCR_STATIC_START, host_job->segment_bytes - UPCR_STATIC_START);
    if (plan->show_placement == UPCR_PLACEMENT_SHOWN)
        host_show_placement((int)upcr_wait_crowd());
    if (thread != 0)
        host_take_null_input();
}

/* Kills the threads that were already forked when one could not be. */
static void undo_fork(const pid_t *pids, int count, int threads) __attribute__((__noreturn__));
static void undo_fork(const pid_t *pids, int count, int threads)
{
    int error = errno;
    for (int t = 0; t < count; t++)
        kill(pids[t], SIGKILL);
    upcr_fatal("cannot start thread %d of %d: %s", count, threads, strerror(error));
}

/* Tells upcrun -t that the program can print its placement without running. */
__asm__(".pushsection .upcr.placement,\"\",%progbits\n\t.byte 1\n\t.popsection");

/* Threads are free to move within a domain of the memory, so several jobs on one machine do not compete for the same
   processors while others are free. */
static struct host_masks place_threads(const struct upcr_plan *plan)
{
    struct host_masks placed = host_plan(plan->bind == UPCR_BIND_USUAL ? UPCR_BIND_DOMAIN : plan->bind, plan->threads);
    if (plan->show_placement == UPCR_PLACEMENT_ONLY)
        host_show_plan(&placed);
    if (plan->bind == UPCR_BIND_ONE)
        host_bind_note(plan->threads);
    return placed;
}

/* Rejects MPI launchers: one that starts this program several times would start that many jobs, each with all
   threads. */
static void reject_launchers(void)
{
    struct host_launched launched = host_launched();
    if (launched.processes < 2)
        return;
    if (launched.number == 0)
        upcr_fatal("compiled for one machine (-network=smp), but started %d times by mpirun or srun: compile it with -network=mpi, or "
                   "start it with upcrun alone",
                   launched.processes);
    sleep(2); /* the end of the process that reports ends all of them */
    _exit(1);
}

int upcr_tp_processes(void)
{
    return 0;
}

void upcr_tp_run(const struct upcr_plan *plan)
{
    sigset_t watched, old;
    pid_t launcher = getpid();
    reject_launchers();
    pid_t *pids = calloc((size_t)plan->threads, sizeof *pids);
    if (pids == NULL)
        upcr_fatal("out of memory");
    upcr_threads = plan->threads;
    upcr_threads_reciprocal = UINT64_MAX / (uint64_t)plan->threads;
    int processors = host_processors();
    upcr_wait_configure(plan->polite, (unsigned)((plan->threads + processors - 1) / processors));
    struct host_masks placed = place_threads(plan);
    host_job_create(0, plan->threads, plan->threads);
    smp_segments_create(plan);
    smp_distance_choose(plan);
    smp_heap_init(plan);
    host_core_exclude();
    host_children_note();

    /* Otherwise every thread would print what the program's constructors have left in the buffers. */
    fflush(NULL);
    /* The monitor takes signals one by one with sigwaitinfo; none may be lost while the threads are being started.
       Other signals, such as those that stop and continue a job, act on it as on every process. If the parent
       ignored SIGCHLD, the monitor would not be notified when threads end. */
    signal(SIGCHLD, SIG_DFL);
    host_watched_signals(&watched);
    sigprocmask(SIG_BLOCK, &watched, &old);
    for (int t = 0; t < plan->threads; t++) {
        pids[t] = fork();
        if (pids[t] < 0)
            undo_fork(pids, t, plan->threads);
        if (pids[t] == 0) {
            free(pids);
            become_thread(t, launcher, &old, plan, &placed);
            free(placed.first);
            return;
        }
    }
    free(placed.first);
    host_monitor(pids, plan);
}

void upcr_tp_leave(void)
{
    host_write(&host_me()->end, HOST_LEFT);
}

void upcr_tp_global_exit(int status)
{
    uint32_t first;
    (void)host_write_first(&host_job->global_exit, 0x100u | ((uint32_t)status & 0xff), &first);
    atomic_fetch_add_explicit(&host_job->parting, 1, memory_order_seq_cst);
    for (int ms = 0; ms < HOST_PARTING_MS && host_read(&host_job->parting) < (uint32_t)upcr_threads; ms++)
        host_moment();
    host_write(&host_me()->end, HOST_GLOBAL_EXIT);
    _exit(0);
}

bool upcr_tp_claim_report(void)
{
    uint32_t reporter;
    return host_write_first(&host_job->reporter, (uint32_t)upcr_mythread + 1, &reporter);
}

/* Nothing to do: the launcher waits for the report of whichever thread makes it. */
void host_let_others_report(void)
{
}
