/* Events of instrumented programs, from the operations of upcr/inst.h to the tool. */
#include "gasp/gasp_runtime.h"
#include "remote/remote.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "clock.h"
#include "options.h"
#include "upc_types.h"
#include "upcr/atomic_ops.h"

/* Instrumented units refer to this symbol, so the linker includes this file. */
extern const char upcr_inst_program[1] UPCR_HIDDEN;
const char upcr_inst_program[1];

int upcr_inst_on;
UPCR_PTHREAD_LOCAL upcr_site *upcr_inst_site;
UPCR_PTHREAD_LOCAL upcr_site *upcr_inst_exit_site;
gasp_context_t upcr_inst_context;
const struct upcr_tool *upcr_bundled;

static const unsigned tags[] = {
#define EVENT(index, symbol, tag, group, shape, start, end) tag,
#include "gasp/events.def"
#undef EVENT
};
_Static_assert(sizeof tags / sizeof *tags == UPCR_EVENTS, "events.def and upcr/events.h list the same events");

_Static_assert(UPCR_OP_ADD_ == UPC_ADD && UPCR_OP_AND_ == UPC_AND && UPCR_OP_OR_ == UPC_OR && UPCR_OP_XOR_ == UPC_XOR && UPCR_OP_GET_ == UPC_GET &&
                   UPCR_OP_SET_ == UPC_SET && UPCR_OP_CSWAP_ == UPC_CSWAP,
               "inst_support.h has the operations of <upc_atomic.h>");

/* The masks of all units. A record of the runtime that requests no event makes the section exist in every such program. */
extern const upcr_inst_unit first_unit[] __asm__("__start_upcr_inst_units") UPCR_HIDDEN;
extern const upcr_inst_unit end_of_units[] __asm__("__stop_upcr_inst_units") UPCR_HIDDEN;
UPCR_INST_UNIT(0, 0);
extern const upcr_inst_loop first_loop[] __asm__("__start_upcr_inst_loops") UPCR_HIDDEN;
extern const upcr_inst_loop end_of_loops[] __asm__("__stop_upcr_inst_loops") UPCR_HIDDEN;
UPCR_INST_LOOPS = {{0}};
extern const upcr_inst_reference first_reference[] __asm__("__start_upcr_inst_references") UPCR_HIDDEN;
extern const upcr_inst_reference end_of_references[] __asm__("__stop_upcr_inst_references") UPCR_HIDDEN;
UPCR_INST_REFERENCES = {{0}};
static upcr_inst_unit wanted;
static bool local_in_all; /* units that request any events */

upcr_notify_function *upcr_inst_notify_tool;

#define DELIVER(site, tag, type, last)                 \
    do {                                               \
        va_list arguments;                             \
        va_start(arguments, last);                     \
        upcr_inst_deliver(site, tag, type, arguments); \
        va_end(arguments);                             \
    } while (0)

void upcr_inst_start(upcr_site *site, int event, ...)
{
    upcr_remote_forget_recent();
    DELIVER(site, tags[event], GASP_START, event);
    /* A read of a few nanoseconds would otherwise overlap with the paths from and to the tool's clock, and seem to take no time. */
    upcr_clock_separate();
}

void upcr_inst_end(upcr_site *site, int event, ...)
{
    upcr_clock_separate();
    DELIVER(site, tags[event], GASP_END, event);
}

void upcr_inst_end_keeping_errno(upcr_site *site, int event, ...)
{
    int error = errno;
    upcr_clock_separate();
    DELIVER(site, tags[event], GASP_END, event);
    errno = error;
}

void upcr_inst_once(upcr_site *site, int event, ...)
{
    DELIVER(site, tags[event], GASP_ATOMIC, event);
}

/* ---- Events that only the runtime can raise -------------------------------------------------------------------------------- */

/* Returns whether a unit requests the event. */
static bool is_asked_for(enum upcr_event_index event)
{
    upcr_u64 mask = event < 64 ? wanted.low : wanted.high;
    return (mask >> (event & 63) & 1) != 0;
}

bool upcr_inst_is_wanted(enum upcr_event_index event)
{
    return upcr_inst_on && is_asked_for(event);
}

/* A tool of the user may rely on pairs that nest. So the pairs for the data of transfers are raised only if a unit names them (--inst-only)
   or the tool requests them. They come with the events of the operations. */
static bool overlaps_wanted;

static bool is_data(enum upcr_event_index event)
{
    return event == UPCR_EVENT_UPC_NB_GET_DATA || event == UPCR_EVENT_UPC_NB_PUT_DATA;
}

bool upcr_inst_reports_local(void)
{
    return local_in_all;
}

const upcr_inst_loop *upcr_inst_all_loops(size_t *count)
{
    *count = (size_t)(end_of_loops - first_loop);
    return first_loop;
}

const upcr_inst_reference *upcr_inst_all_references(size_t *count)
{
    *count = (size_t)(end_of_references - first_reference);
    return first_reference;
}

static bool wants(enum upcr_event_index event)
{
    if (upcr_inst_site == NULL || !upcr_inst_on)
        return false;
    return is_asked_for(event) || (is_data(event) && overlaps_wanted && (wanted.high & UPCR_INST_ON_REQUEST) != 0);
}

void gasp_upcc_overlapping_events(int on)
{
    overlaps_wanted = on != 0;
}

/* The operation under way does not change. */
#define DELIVER_HERE(type)                       \
    do {                                         \
        upcr_site *here = upcr_inst_site;        \
        DELIVER(here, tags[event], type, event); \
        upcr_inst_site = here;                   \
    } while (0)

static void began(enum upcr_event_index event, ...)
{
    DELIVER_HERE(GASP_START);
}

static void ended(enum upcr_event_index event, ...)
{
    DELIVER_HERE(GASP_END);
}

static void occurred(enum upcr_event_index event, ...)
{
    DELIVER_HERE(GASP_ATOMIC);
}

/* ---- Start --------------------------------------------------------------------------------------------------------- */

/* Returns whether a tool of the user is linked: no dummy is linked beside a complete one. */
static bool has_users_tool(void)
{
    return &upcr_gasp_dummies == NULL || gasp_init != upcr_gasp_dummies.init || gasp_event_notify != upcr_gasp_dummies.notify ||
           gasp_event_notifyVA != upcr_gasp_dummies.notify_va;
}

static void prepare(void)
{
    local_in_all = true;
    for (const upcr_inst_unit *unit = first_unit; unit < end_of_units; unit++) {
        wanted.low |= unit->low;
        wanted.high |= unit->high;
        if ((unit->low | unit->high) != 0 && !(unit->high & UPCR_INST_LOCAL))
            local_in_all = false;
    }
    if (has_users_tool()) {
        upcr_inst_notify_tool = gasp_event_notifyVA;
    } else {
        upcr_bundled = upcr_tool_choose();
        upcr_inst_notify_tool = upcr_bundled != NULL ? upcr_bundled->notify : NULL;
    }
    overlaps_wanted = upcr_options.overlapping_events || (upcr_bundled != NULL && upcr_bundled->takes_overlaps);
    if (upcr_bundled != NULL && upcr_bundled->prepare != NULL)
        upcr_bundled->prepare();
}

static void salvage(pid_t process, int signal, int status)
{
    const struct upcr_tool_death death = {process, signal, status};
    if (upcr_bundled != NULL && upcr_bundled->salvage != NULL)
        upcr_bundled->salvage(&death);
}

static void look(pid_t asker)
{
    if (upcr_bundled != NULL && upcr_bundled->look != NULL)
        upcr_bundled->look(asker);
}

/* A process that the user's code forks from a thread is not a UPC thread, so its events are not reported. */
static void stop_in_child(void)
{
    upcr_inst_on = 0;
}

static void start(int *argc, char ***argv)
{
    if (upcr_inst_notify_tool == NULL)
        return;
    upcr_inst_pthreads_start();
    upcr_inst_context = gasp_init(GASP_MODEL_UPC, argc, argv);
    if (pthread_atfork(NULL, NULL, stop_in_child) != 0)
        upcr_die("out of memory");
    upcr_inst_on = 1;
    upcr_inst_rescue_start();
    if (upcr_inst_is_wanted(UPCR_EVENT_BUPC_STATIC_SHARED))
        upcr_inst_report_objects();
}

/* ---- End ----------------------------------------------------------------------------------------------------------- */

static void finish(int status, bool collective)
{
    /* Runs once: several pthreads may end the program, also by a signal. */
    if (!upcr_inst_save_begins())
        return;
    if (upcr_bundled != NULL && upcr_bundled->finish != NULL)
        upcr_bundled->finish(status, collective);
    upcr_inst_save_ends();
}

static void leave(int status)
{
    if (!upcr_inst_on)
        return;
    upcr_inst_leave_all();
    upcr_inst_site = NULL;
    if (upcr_inst_is_wanted(UPCR_EVENT_UPC_COLLECTIVE_EXIT))
        began(UPCR_EVENT_UPC_COLLECTIVE_EXIT, status);
}

static void left(int status)
{
    if (!upcr_inst_on)
        return;
    upcr_inst_site = NULL;
    if (upcr_inst_is_wanted(UPCR_EVENT_UPC_COLLECTIVE_EXIT))
        ended(UPCR_EVENT_UPC_COLLECTIVE_EXIT, status);
    finish(status, true);
}

void upcr_inst_exit_place(upcr_site *site)
{
    upcr_inst_exit_site = site;
}

static void global_exit(int status)
{
    static bool exiting;
    /* A tool that fails calls this again. */
    if (!upcr_inst_on || __atomic_exchange_n(&exiting, true, __ATOMIC_RELAXED))
        return;
    upcr_inst_leave_all();
    upcr_inst_site = upcr_inst_exit_site;
    if (upcr_inst_is_wanted(UPCR_EVENT_UPC_NONCOLLECTIVE_EXIT))
        occurred(UPCR_EVENT_UPC_NONCOLLECTIVE_EXIT, status);
    finish(status, false);
}

static upcr_site **under_way(void)
{
    return &upcr_inst_site;
}

const struct upcr_events upcr_events = {
    .prepare = prepare,
    .start = start,
    .leave = leave,
    .left = left,
    .global_exit = global_exit,
    .rescue = upcr_inst_rescue,
    .salvage = salvage,
    .look = look,
    .wants = wants,
    .began = began,
    .ended = ended,
    .occurred = occurred,
    .under_way = under_way,
    .slow = &upcr_inst_slow,
    .answered = &upcr_inst_answered,
    .is_late = upcr_inst_is_late,
    .begin_late = upcr_inst_begin_late,
    .end_late = upcr_inst_end_late,
};
