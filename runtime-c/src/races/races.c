/* The table by which the runtime finds the detection of races, and its start. Only programs with units compiled with -fupc-races contain it. */
#include "races/races.h"

#include "runtime.h"

#include <sys/mman.h>

#include "races/detector.h"
#include "transport/transport.h"

UPCR_PTHREAD_LOCAL bool upcr_race_on;

const char upcr_races_program[1];

static int threads_of_job;

void *upcr_race_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        upcr_die("out of private memory for the detection of races");
    return memory;
}

static void prepare(int threads)
{
    /* A cell holds the number of a thread or of its agent. */
    enum { MOST = 1 << (UPCR_CELL_THREAD_BITS - 1) };
    if (threads > MOST)
        upcr_fatal("-fupc-races: races are detected among at most %d threads, this run has %d", MOST, threads);
    threads_of_job = threads;
}

/* The parts of the side memory, in turn. */
static size_t aligned(size_t bytes)
{
    return (bytes + UPCR_CACHE_LINE - 1) / UPCR_CACHE_LINE * UPCR_CACHE_LINE;
}

static size_t side_bytes(size_t segment_bytes)
{
    return aligned(upcr_race_site_bytes()) + aligned(upcr_race_report_bytes()) + aligned(upcr_race_order_bytes()) +
           aligned(upcr_race_clock_bytes(threads_of_job)) + aligned(upcr_race_shadow_bytes(segment_bytes));
}

static void start_detection(size_t offset)
{
    upcr_race_sites_start(offset);
    offset += aligned(upcr_race_site_bytes());
    upcr_race_report_start(offset);
    offset += aligned(upcr_race_report_bytes());
    upcr_race_order_start(offset);
    offset += aligned(upcr_race_order_bytes());
    upcr_race_clocks_start(offset);
    offset += aligned(upcr_race_clock_bytes(threads_of_job));
    upcr_race_shadow_start(offset);
    upcr_race_delays_start();
    upcr_race_on = true;
}

static int status(int status, bool others_run)
{
    return status == 0 && upcr_race_has_reported(others_run) ? UPCR_RACES_STATUS : status;
}

const struct upcr_races upcr_races = {
    .prepare = prepare,
    .side_bytes = side_bytes,
    .start = start_detection,
    .touch = upcr_race_touch,
    .touch_later = upcr_race_touch_later,
    .finished = upcr_race_finished,
    .finished_at_barrier = upcr_race_finished_at_barrier,
    .forget = upcr_race_forget,
    .release = upcr_race_release,
    .acquire = upcr_race_acquire,
    .arrive = upcr_race_arrive,
    .pass = upcr_race_pass,
    .locking = upcr_race_delay,
    .locked = upcr_race_locked,
    .unlocking = upcr_race_unlocking,
    .ignore_begin = upcr_race_ignore_begin,
    .ignore_end = upcr_race_ignore_end,
    .compares = upcr_race_compares,
    .status = status,
};
