/* The table by which the runtime finds the checks. Only checked programs contain it. */
#include "runtime.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "checks/blocks.h"
#include "checks/report.h"
#include "races/races.h"

/* Returns the side memory that the checks need for each thread: the collective operations that it begins, then its
   blocks, then what the detection of races needs. */
static size_t side_bytes(size_t segment_bytes)
{
    size_t own = upcr_check_collective_bytes() + upcr_blocks_bytes(segment_bytes);
    return own + (upcr_is_racing() ? upcr_races.side_bytes(segment_bytes) : 0);
}

static void prepare(struct upcr_plan *plan)
{
    plan->side = side_bytes;
    if (upcr_is_racing())
        upcr_races.prepare(plan->threads);
}

static void start(void)
{
    upcr_blocks_start(upcr_check_collective_bytes());
    upcr_check_accesses_start();
    if (upcr_is_racing())
        upcr_races.start(upcr_check_collective_bytes() + upcr_blocks_bytes(upcr_tp_segment_bytes()));
}

const char upcr_checked_program[1];

const struct upcr_checks upcr_checks = {
    .prepare = prepare,
    .start = start,
    .born = upcr_check_born,
    .freed = upcr_check_freed,
    .lock = upcr_check_lock,
    .transfer = upcr_check_transfer,
    .copy = upcr_check_copy,
    .enter = upcr_check_enter,
    .arguments = upcr_check_arguments,
    .value = upcr_check_value,
    .agree = upcr_check_agree,
};

/* Returns whether a function is the user's: names of functions that the compiler generates mean nothing to the user. */
static bool is_users(const char *function)
{
    return strncmp(function, "upcc_", 5) != 0;
}

void upcr_check_die(const upcr_place *here, const char *format, ...)
{
    char message[900], place[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (here == NULL)
        upcr_die("%s", message);
    if (is_users(here->function))
        snprintf(place, sizeof place, "%s:%d (%s)", here->file, here->line, here->function);
    else
        snprintf(place, sizeof place, "%s:%d", here->file, here->line);
    upcr_die_at(place, "%s", message);
}
