/* Where the threads are and what they wait for: the launcher asks them for their stacks and reads their records. */
#include "runtime.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "transport/host/host.h"

enum { LINE_ROOM = 1024, PLACE_ROOM = 300, ANSWER_MS = 1000, MOST_NAMED = 8 };

static struct host_thread *slot(int thread)
{
    return &host_job->thread[thread];
}

/* ---- Asking -------------------------------------------------------------------------------------------------------- */

/* Has every thread leave its stack. answered: one for each, whether it did in time. */
static void ask(const struct host_crowd *crowd, bool *answered)
{
    static uint32_t before[UPCR_MAX_THREADS];
    const struct timespec moment = {0, 1000 * 1000};
    int missing = 0;
    for (int t = 0; t < crowd->threads; t++) {
        answered[t] = crowd->gone[t];
        before[t] = atomic_load(&slot(t)->stack.taken);
        if (!crowd->gone[t] && kill(crowd->pids[t], host_ask_signal()) == 0)
            missing++;
    }
    for (int ms = 0; missing > 0 && ms < ANSWER_MS; ms++) {
        nanosleep(&moment, NULL);
        for (int t = 0; t < crowd->threads; t++)
            if (!answered[t] && atomic_load(&slot(t)->stack.taken) != before[t]) {
                answered[t] = true;
                missing--;
            }
    }
}

/* ---- Words ---------------------------------------------------------------------------------------------------------- */

/* A line that grows; what does not fit is lost. */
struct line {
    char text[LINE_ROOM];
    size_t length;
};

static void add(struct line *line, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));
static void add(struct line *line, const char *format, ...)
{
    va_list arguments;
    size_t room = sizeof line->text - 1 - line->length;
    va_start(arguments, format);
    int more = vsnprintf(line->text + line->length, room, format, arguments);
    va_end(arguments);
    if (more > 0)
        line->length += (size_t)more < room ? (size_t)more : room - 1;
}

static void finish(struct line *line)
{
    line->text[line->length] = '\n';
    if (write(STDERR_FILENO, line->text, line->length + 1) < 0)
        return; /* nobody listens */
}

/* "at heat.upc:40 (main)" for the return address of a call. */
static void add_call(struct line *line, const char *before, uintptr_t call)
{
    char place[PLACE_ROOM];
    uintptr_t pc = call - 1;
    if (call != 0 && upcr_trace_user_place(&pc, 1, place, sizeof place))
        add(line, "%s at %s", before, place);
}

static bool has_arrived(int thread)
{
    return host_has_arrived(&slot(thread)->waiting);
}

/* The number of a thread in the job. */
static int number_of(int thread)
{
    return host_job->first + thread;
}

/* " (threads 0, 1 have not arrived)" */
static void add_missing(struct line *line, int threads)
{
    int missing = 0, named = 0;
    for (int t = 0; host_sees_all() && t < threads; t++)
        missing += !has_arrived(t);
    if (missing == 0)
        return;
    add(line, missing == 1 ? " (thread" : " (threads");
    for (int t = 0; t < threads && named < MOST_NAMED; t++)
        if (!has_arrived(t))
            add(line, "%s %d", named++ == 0 ? "" : ",", number_of(t));
    if (missing > named)
        add(line, " and %d more", missing - named);
    add(line, missing == 1 ? " has not arrived)" : " have not arrived)");
}

static void add_lock(struct line *line, const void *lock)
{
    struct host_lock_state state;
    if (lock == NULL)
        return;
    host_lock_look(lock, &state);
    add(line, " for the lock allocated");
    add_call(line, "", state.made_at);
    if (state.holder < 0)
        return;
    add(line, ", held by thread %d", state.holder);
    add_call(line, ", which took it", state.taken_at);
    if (host_sees_all() && (enum host_end)atomic_load(&slot(state.holder)->end) == HOST_LEFT)
        add(line, " and has ended");
}

static void add_activity(struct line *line, int thread, int threads)
{
    const struct host_waiting *waiting = &slot(thread)->asked;
    const char *operation = upcr_trace_operation(&slot(thread)->stack);
    switch ((enum host_wait)atomic_load_explicit(&waiting->kind, memory_order_acquire)) {
    case HOST_IN_BARRIER:
        add(line, "waits in %s", operation != NULL ? operation : "a barrier");
        if (waiting->named)
            add(line, " %d", waiting->value);
        add_missing(line, threads);
        return;
    case HOST_FOR_LOCK:
        add(line, "waits in %s", operation != NULL ? operation : "upc_lock");
        add_lock(line, waiting->lock);
        return;
    case HOST_FOR_OTHER:
        add(line, "waits in %s", operation != NULL ? operation : "a library function");
        return;
    case HOST_COMPUTES:
        break;
    }
    if (operation != NULL)
        add(line, "is in %s", operation);
    else
        add(line, "computes");
    if (host_has_arrived(waiting))
        add(line, ", between upc_notify and upc_wait");
}

void host_show_places(const struct host_crowd *crowd)
{
    static bool answered[UPCR_MAX_THREADS];
    ask(crowd, answered);
    for (int t = 0; t < crowd->threads; t++) {
        struct line line = {.length = 0};
        char place[PLACE_ROOM];
        const struct upcr_stack *stack = &slot(t)->stack;
        add(&line, "upc thread %d of %d: ", number_of(t), host_job->threads);
        if (crowd->gone[t]) {
            add(&line, "has ended");
        } else if (!answered[t]) {
            add(&line, "does not answer: stopped, or busy inside the system");
        } else {
            if (upcr_trace_user_place(stack->pcs, stack->count, place, sizeof place))
                add(&line, "%s: ", place);
            add_activity(&line, t, crowd->threads);
        }
        finish(&line);
    }
}

static void print_frame(const char *text)
{
    struct line line = {.length = 0};
    add(&line, "  %s", text);
    finish(&line);
}

void host_show_stacks(const struct host_crowd *crowd)
{
    static bool answered[UPCR_MAX_THREADS];
    ask(crowd, answered);
    for (int t = 0; t < crowd->threads; t++) {
        struct line line = {.length = 0};
        const struct upcr_stack *stack = &slot(t)->stack;
        add(&line, "upc thread %d of %d: ", number_of(t), host_job->threads);
        add(&line, stack->count == 0 ? "no stack is known" : !answered[t] ? "does not answer" : "its stack:");
        finish(&line);
        if (answered[t])
            upcr_trace_print(stack, print_frame);
    }
}

/* ---- Deadlock ------------------------------------------------------------------------------------------------------- */

/* Whether the thread waits for what has not happened yet, and only another thread can bring about. Conditions of other kinds (a
   semaphore) say nothing that could be proved from here. */
static bool is_stuck(int thread)
{
    struct host_thread *it = slot(thread);
    switch ((enum host_wait)atomic_load_explicit(&it->waiting.kind, memory_order_acquire)) {
    case HOST_IN_BARRIER:
        return has_arrived(thread);
    case HOST_FOR_LOCK:
        return !host_has_lock(thread);
    case HOST_COMPUTES:
    case HOST_FOR_OTHER:
        break;
    }
    return false;
}

bool host_look_for_deadlock(int threads)
{
    static uint32_t counts[UPCR_MAX_THREADS];
    bool same = host_sees_all();
    for (int t = 0; t < threads; t++) {
        uint32_t count = atomic_load(&slot(t)->waiting.count);
        same = same && is_stuck(t) && count == counts[t];
        counts[t] = count;
    }
    return same;
}
