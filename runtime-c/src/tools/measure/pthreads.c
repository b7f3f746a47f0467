#include "runtime.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "gasp/gasp_runtime.h"
#include "kernel.h"
#include "tools/measure/file.h"
#include "tools/measure/memory.h"
#include "tools/measure/fast_path.h"
#include "tools/measure/profile.h"
#include "tools/measure/pthreads.h"
#include "tools/measure/budget.h"
#include "tools/measure/trace.h"

/* ---- A state's memory ---------------------------------------------------------------------------------------------- */

static size_t whole_pages(size_t bytes)
{
    enum { PAGE = 4096 };
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* Takes the next part of memory. */
static void *carve(uint8_t **memory, size_t bytes)
{
    uint8_t *part = *memory;
    *memory += whole_pages(bytes);
    return part;
}

/* The parts of a state, in their order; 0: it has none. */
struct parts {
    size_t open, open_counters, event_sites, tree, budget, buffer;
};

static struct parts parts_of(const struct measure_state *like)
{
    const unsigned mode = measure_run->mode;
    return (struct parts){
        .open = ((size_t)like->capacity + 1) * sizeof *like->open,
        .open_counters = ((size_t)like->capacity + 1) * 2 * like->counters * sizeof *like->open_counters,
        .event_sites = measure_event_site_bytes(),
        .tree = mode & MODE_PROFILE ? measure_tree_bytes(measure_run->most_nodes, like->counters) : 0,
        .budget = like->access_sample > 1 ? measure_budget_bytes() : 0,
        .buffer = mode & MODE_TRACE ? MEASURE_BLOCK_HEADER + measure_run->buffer_bytes : 0,
    };
}

static size_t state_bytes(const struct measure_state *like)
{
    const struct parts parts = parts_of(like);
    return whole_pages(sizeof *like) + whole_pages(parts.open) + whole_pages(parts.open_counters) + whole_pages(parts.event_sites) + whole_pages(parts.tree) +
           whole_pages(parts.budget) + whole_pages(parts.buffer);
}

/* Gives the state, which has its settings, the parts that lie after it. */
static void lay_out(struct measure_state *state)
{
    const struct parts parts = parts_of(state);
    uint8_t *memory = (uint8_t *)state;
    carve(&memory, sizeof *state);
    state->open = carve(&memory, parts.open);
    state->open_counters = carve(&memory, parts.open_counters);
    state->event_sites = carve(&memory, parts.event_sites);
    void *tree = carve(&memory, parts.tree), *budget = carve(&memory, parts.budget), *buffer = carve(&memory, parts.buffer);
    if (parts.tree != 0)
        measure_tree_start(&state->tree, tree, measure_run->most_nodes, state->counters);
    if (parts.budget != 0 && state->may_count)
        measure_budget_start(state, budget);
    if (parts.buffer != 0)
        measure_trace_start(state, buffer);
}

/* ---- Beginning and end --------------------------------------------------------------------------------------------- */

struct measure_state *measure_pthreads_start(const struct measure_state *settings)
{
    struct measure_state *state = measure_memory_reserve(state_bytes(settings));
    if (state == NULL)
        return NULL;
    measure_run->settings = *settings;
    *state = *settings;
    state->may_count = true;
    state->born = measure_now();
    lay_out(state);
    measure_choose_path(state);
    measure_run->first = measure_run->states = measure_self = state;
    return state;
}

/* The pthread has ended. Destructors of other keys may run after that and raise events, when its variables must not be used any more. */
static UPCR_PTHREAD_LOCAL bool has_ended;

/* Makes a state of memory whose parts are all zero. */
static void begin(struct measure_state *state)
{
    *state = measure_run->settings;
    state->mode = measure_run->truncated ? (measure_run->mode & ~(unsigned)MODE_TRACE) | MEASURE_MODE_TRUNCATED : measure_run->mode;
    state->on = measure_run->on;
    state->profile_pair = measure_run->first->profile_pair;
    state->trace_pair = measure_run->first->trace_pair;
    state->number = ++measure_run->pthreads;
    state->may_count = !has_ended;
    state->born = measure_now();
    measure_counters_join(&state->group);
    state->processor = state->mode & MODE_TRACE ? measure_processor_open() : (struct measure_processor){-1, 0};
    lay_out(state);
    measure_choose_path(state);
    state->path = state->calm;
}

/* A pthread for whose events there is no memory. */
static struct measure_state nobody_ever = {.path = PATH_NONE};

static struct measure_state *give_up_pthread(void)
{
    static bool said;
    if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
        upcr_warn("out of memory to measure another pthread: the recording lacks its events");
    return &nobody_ever;
}

/* A state for this pthread, whose first event this is. */
static struct measure_state *start_one(void)
{
    struct measure_run *run = measure_run;
    struct measure_state *state = run->spare;
    if (state != NULL)
        run->spare = state->next;
    else
        state = measure_memory_reserve(state_bytes(run->first));
    if (state == NULL)
        return give_up_pthread();
    begin(state);
    state->next = run->states;
    run->states = state;
    return state;
}

struct measure_state *measure_pthread_comes(struct measure_state *state)
{
    sigset_t before;
    if (state != &measure_nobody)
        state->dropped_reentry += state->path == PATH_BUSY;
    if (state != &measure_nobody || measure_run == NULL)
        return state;
    measure_file_hold(&before);
    bool taken = measure_lock();
    if (!measure_run->stopped)
        measure_self = start_one();
    measure_unlock(taken);
    upcr_inst_pthread_note();
    measure_file_release(&before);
    return measure_self;
}

/* Adds what one state has counted to another one. */
static void add_state(struct measure_state *to, struct measure_state *from)
{
    /* First: what is added in part, when the process is killed, must not be added twice. */
    from->merged = true;
    to->raised += from->raised;
    to->trace.events += from->trace.events;
    to->dropped_sampling += from->dropped_sampling;
    to->dropped_rate += from->dropped_rate;
    to->dropped_size += from->dropped_size;
    to->dropped_depth += from->dropped_depth;
    to->dropped_control += from->dropped_control;
    to->dropped_reentry += from->dropped_reentry;
    for (uint32_t id = 1; id < measure_run->event_site_count; id++) {
        to->event_sites[id].raised += from->event_sites[id].raised;
        to->event_sites[id].traced += from->event_sites[id].traced;
    }
    if (measure_run->mode & MODE_PROFILE)
        measure_tree_add(to, from);
}

static void unlink_state(struct measure_state *state)
{
    struct measure_state **at = &measure_run->states;
    while (*at != NULL && *at != state)
        at = &(*at)->next;
    if (*at != NULL)
        *at = state->next;
}

static void recycle(struct measure_state *state)
{
    for (uint32_t id = 1; id < measure_run->event_site_count; id++)
        free(state->event_sites[id].wide);
    measure_memory_clear(state, state_bytes(measure_run->first));
    state->next = measure_run->spare;
    measure_run->spare = state;
}

/* Ends what is under way. ends: the pthread does, and with it its pairs in the trace. */
static void finish_state(struct measure_state *state, bool ends)
{
    measure_budget_end(state);
    if (ends || (state->mode & MODE_PROFILE))
        measure_end_open(state, ends);
    if (state->mode & MODE_TRACE)
        measure_trace_finish(state);
}

void measure_pthread_ends(void)
{
    struct measure_state *state = measure_self;
    sigset_t before;
    if (state->path <= PATH_BUSY)
        return;
    __atomic_store_n(&state->path, PATH_BUSY, __ATOMIC_RELAXED);
    if (__atomic_load_n(&state->asked, __ATOMIC_RELAXED) && measure_pthread_looks(state) == PATH_NONE) {
        /* Publishes what has been recorded to others_record. */
        __atomic_store_n(&state->path, PATH_NONE, __ATOMIC_RELEASE);
        return;
    }
    finish_state(state, true);
    measure_counters_leave(&state->group);
    measure_processor_close(&state->processor);
    measure_file_hold(&before);
    bool taken = measure_lock();
    unlink_state(state);
    measure_budget_hold(state);
    measure_self = &measure_nobody;
    has_ended = true;
    measure_run->pthread_ticks += measure_now() - state->born;
    if (measure_run->retired == NULL) {
        measure_run->retired = state;
    } else {
        add_state(measure_run->retired, state);
        recycle(state);
    }
    measure_unlock(taken);
    measure_file_release(&before);
}

/* ---- All of them --------------------------------------------------------------------------------------------------- */

enum measure_path measure_pthread_looks(struct measure_state *state)
{
    /* In this order: a pthread that asks first stores what for (`stopped`, `on`), and only then sets `asked`. */
    (void)__atomic_exchange_n(&state->asked, false, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&measure_run->stopped, __ATOMIC_ACQUIRE))
        return PATH_NONE;
    measure_budget_resume(state);
    bool on = __atomic_load_n(&measure_run->on, __ATOMIC_RELAXED);
    if (state->on != on) {
        measure_budget_end(state);
        state->on = on;
        if (state->mode & MODE_TRACE) {
            measure_trace_note(state, on ? NOTE_ON : NOTE_OFF, 0, 0, 0);
            measure_trace_check(state);
        }
        measure_choose_path(state);
    }
    return state->calm;
}

/* Under the lock, if there is no end of waiting for it. */
static void ask_all(void)
{
    for (struct measure_state *state = measure_run->states; state != NULL; state = state->next)
        (void)__atomic_exchange_n(&state->asked, true, __ATOMIC_SEQ_CST);
}

void measure_pthreads_control(bool on)
{
    bool taken = measure_lock();
    __atomic_store_n(&measure_run->on, on, __ATOMIC_RELAXED);
    for (struct measure_state *state = measure_run->states; state != NULL; state = state->next)
        if (state != measure_self)
            measure_budget_hold(state);
    ask_all();
    measure_unlock(taken);
}

/* What each pthread of the process has written is seen by this one, and they see what this one has written. Without the system call all that was written is
   seen after a moment, as processors keep nothing back for long. */
static void order_all(void)
{
    static const struct timespec moment = {0, 1000 * 1000};
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) != 0)
        nanosleep(&moment, NULL);
}

static bool others_record(void)
{
    bool busy = false;
    /* Acquires what the pthreads have recorded: each releases it with its path. */
    for (struct measure_state *state = measure_run->states; state != NULL; state = state->next)
        busy = busy || (state != measure_self && __atomic_load_n(&state->path, __ATOMIC_ACQUIRE) == PATH_BUSY);
    return busy;
}

/* Takes the lock, or has it already, in a handler. taken: it is to be given back. */
static bool own_lock(unsigned ms, bool *taken)
{
    *taken = upcr_tool_lock_within(&measure_run->lock, (int)ms);
    return *taken || upcr_tool_lock_is_mine(&measure_run->lock);
}

bool measure_pthreads_stop(bool *taken)
{
    enum { LONGEST_MS = 400, WAIT_US = 100 };
    static const struct timespec wait = {0, WAIT_US * 1000};
    struct measure_run *run = measure_run;
    if (!own_lock(LONGEST_MS, taken))
        return false;
    /* Publishes what was done under the lock to measure_pthread_looks. */
    __atomic_store_n(&run->stopped, true, __ATOMIC_RELEASE);
    ask_all();
    if (run->salvaged || (run->states == measure_self && run->states->next == NULL))
        return true;
    measure_unlock(*taken);
    order_all();
    for (unsigned waited = 0; waited < LONGEST_MS * 1000; waited += WAIT_US) {
        if (!own_lock(LONGEST_MS, taken))
            return false;
        if (!others_record())
            return true;
        measure_unlock(*taken);
        nanosleep(&wait, NULL);
    }
    *taken = false;
    return false;
}

void measure_pthreads_join(void)
{
    struct measure_run *run = measure_run;
    for (struct measure_state *state = run->states; state != NULL; state = state->next) {
        /* One that could not be stopped writes still; nothing of it is to be had. */
        state->merged = state->merged || (!run->salvaged && state != measure_self && __atomic_load_n(&state->path, __ATOMIC_ACQUIRE) == PATH_BUSY);
        if (state->merged)
            continue;
        __atomic_store_n(&state->path, PATH_NONE, __ATOMIC_RELAXED);
        finish_state(state, false);
    }
    if (run->retired != NULL && !run->retired->merged)
        add_state(run->first, run->retired);
    for (struct measure_state *state = run->states; state != NULL; state = state->next) {
        if (state == run->first || state->merged)
            continue;
        run->pthread_ticks += measure_now() - state->born;
        add_state(run->first, state);
    }
}
