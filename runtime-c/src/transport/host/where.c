/* Where the threads are and what they wait for. The launcher asks them for their stacks and reads their records. */
#include "runtime.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "output.h"
#include "transport/host/host.h"

enum { LINE_CAPACITY = 1500, ANSWER_MS = 1000, MOST_NAMED = 8 };

static struct host_thread *slot(int thread)
{
    return &host_job->thread[thread];
}

/* ---- Asking -------------------------------------------------------------------------------------------------------- */

/* Makes every thread record its stack. answered: for each thread, whether it did so in time. */
static void ask(const struct host_crowd *crowd, bool *answered)
{
    static uint32_t before[UPCR_MAX_THREADS];
    const struct timespec moment = {0, 1000 * 1000};
    int missing = 0;
    for (int t = 0; t < crowd->threads; t++) {
        answered[t] = crowd->gone[t];
        before[t] = atomic_load_explicit(&slot(t)->stack.taken, memory_order_relaxed);
        if (!crowd->gone[t] && kill(crowd->pids[t], host_ask_signal()) == 0)
            missing++;
    }
    for (int ms = 0; missing > 0 && ms < ANSWER_MS; ms++) {
        nanosleep(&moment, NULL);
        for (int t = 0; t < crowd->threads; t++)
            /* Acquires the stack and the answer from upcr_trace_take. */
            if (!answered[t] && atomic_load_explicit(&slot(t)->stack.taken, memory_order_acquire) != before[t]) {
                answered[t] = true;
                missing--;
            }
    }
}

/* ---- Lines of text -------------------------------------------------------------------------------------------------- */

/* A line that grows; text that exceeds its capacity is lost. */
struct line {
    char text[LINE_CAPACITY];
    size_t length;
};

static void add(struct line *line, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));
static void add(struct line *line, const char *format, ...)
{
    va_list arguments;
    size_t capacity = sizeof line->text - 1 - line->length;
    va_start(arguments, format);
    int more = vsnprintf(line->text + line->length, capacity, format, arguments);
    va_end(arguments);
    if (more > 0)
        line->length += (size_t)more < capacity ? (size_t)more : capacity - 1;
}

static void finish(struct line *line)
{
    line->text[line->length] = '\n';
    upcr_output_message(STDERR_FILENO, line->text, line->length + 1);
}

/* Returns the number of a thread in the job. */
static int number_of(int thread)
{
    return host_job->first + thread;
}

/* ---- Inspecting ----------------------------------------------------------------------------------------------------- */

/* Writes the place of a call, given its return address; "" if it is not known. */
static void print_call(uintptr_t call, char *text, size_t capacity)
{
    uintptr_t pc = call - 1;
    if (call == 0 || !upcr_trace_user_place(&pc, 1, text, capacity))
        text[0] = '\0';
}

/* Returns whether the thread has recorded how it ends, or is about to: what it waits for does not matter then. */
static bool is_ending(int thread)
{
    return host_read(&host_job->global_exit) != 0 || host_read(&host_job->reporter) != 0 || (enum host_end)host_read(&slot(thread)->end) != HOST_RUNNING ||
           slot(thread)->crash.signal != 0;
}

/* Fills in what is known of a thread that has not answered, or cannot. */
static void see_record(int thread, const struct host_crowd *crowd, struct host_seen *seen)
{
    *seen = (struct host_seen){.known = true, .gone = crowd->gone[thread], .holder = -1};
    seen->left = (enum host_end)host_read(&slot(thread)->end) == HOST_LEFT;
    seen->arrived = host_read(&slot(thread)->waiting.arrived);
    snprintf(seen->machine, sizeof seen->machine, "%s", host_job->machine);
}

static void see_answer(int thread, struct host_seen *seen)
{
    const struct upcr_stack *stack = &slot(thread)->stack;
    const struct host_answer *answer = &slot(thread)->answer;
    const char *operation = upcr_trace_operation(stack);
    seen->answered = true;
    seen->stuck = answer->stuck && !is_ending(thread);
    seen->between = host_has_arrived(&answer->waiting);
    seen->named = answer->waiting.named;
    seen->value = answer->waiting.value;
    seen->kind = atomic_load_explicit(&answer->waiting.kind, memory_order_relaxed);
    seen->count = atomic_load_explicit(&answer->waiting.count, memory_order_relaxed);
    seen->arrived = atomic_load_explicit(&answer->waiting.arrived, memory_order_relaxed);
    seen->sent = answer->sent;
    seen->handled = answer->handled;
    snprintf(seen->operation, sizeof seen->operation, "%s", operation != NULL ? operation : "");
    if (!upcr_trace_user_place(stack->pcs, stack->count, seen->place, sizeof seen->place))
        seen->place[0] = '\0';
    if (!answer->lock_seen)
        return;
    seen->holder = answer->lock.holder;
    print_call(answer->lock.made_at, seen->made_at, sizeof seen->made_at);
    print_call(answer->lock.taken_at, seen->taken_at, sizeof seen->taken_at);
}

void host_see(const struct host_crowd *crowd, struct host_seen *seen)
{
    static bool answered[UPCR_MAX_THREADS];
    ask(crowd, answered);
    for (int t = 0; t < crowd->threads; t++) {
        see_record(t, crowd, &seen[t]);
        if (answered[t] && !crowd->gone[t]) {
            see_answer(t, &seen[t]);
            seen[t].others = host_others(t, crowd->pids[t]) | (slot(t)->answer.timed ? HOST_BY_TIMER : 0u);
        }
    }
    if (host_children_exist(crowd))
        seen[0].others |= HOST_BY_CHILD;
    for (int t = 0; t < crowd->threads; t++)
        if (seen[t].answered)
            seen[t].others |= host_signalled(crowd->pids[t]);
}

/* ---- Printing ------------------------------------------------------------------------------------------------------- */

/* Adds " (threads 0, 1 have not arrived)" for the barrier at which the thread waits. */
static void add_missing(struct line *line, const struct host_seen *seen, int thread, int threads)
{
    int missing = 0, named = 0;
    const uint32_t barrier = seen[thread].arrived;
#define IS_MISSING(t) (seen[t].known && (int32_t)(seen[t].arrived - barrier) < 0)
    for (int t = 0; t < threads; t++)
        missing += IS_MISSING(t);
    if (missing == 0)
        return;
    add(line, missing == 1 ? " (thread" : " (threads");
    for (int t = 0; t < threads && named < MOST_NAMED; t++)
        if (IS_MISSING(t))
            add(line, "%s %d", named++ == 0 ? "" : ",", t);
#undef IS_MISSING
    if (missing > named)
        add(line, " and %d more", missing - named);
    add(line, missing == 1 ? " has not arrived)" : " have not arrived)");
}

static void add_lock(struct line *line, const struct host_seen *seen, int thread)
{
    const struct host_seen *it = &seen[thread];
    if (it->made_at[0] != '\0')
        add(line, " for the lock allocated at %s", it->made_at);
    if (it->holder < 0)
        return;
    add(line, ", held by thread %d", it->holder);
    if (it->taken_at[0] != '\0')
        add(line, ", which took it at %s", it->taken_at);
    if (seen[it->holder].left)
        add(line, " and has ended");
}

static void add_activity(struct line *line, const struct host_seen *seen, int thread, int threads)
{
    const struct host_seen *it = &seen[thread];
    const char *operation = it->operation[0] != '\0' ? it->operation : NULL;
    switch ((enum host_wait)it->kind) {
    case HOST_IN_BARRIER:
        add(line, "waits in %s", operation != NULL ? operation : "a barrier");
        if (it->named)
            add(line, " %d", it->value);
        add_missing(line, seen, thread, threads);
        return;
    case HOST_FOR_LOCK:
        add(line, "waits in %s", operation != NULL ? operation : "upc_lock");
        add_lock(line, seen, thread);
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
    if (it->between)
        add(line, ", between upc_notify and upc_wait");
}

void host_print_seen(const struct host_seen *seen, int threads)
{
    for (int t = 0; t < threads; t++) {
        struct line line = {.length = 0};
        const struct host_seen *it = &seen[t];
        bool named = it->known && it->machine[0] != '\0';
        add(&line, "upc thread %d of %d%s%s: ", t, threads, named ? " on " : "", named ? it->machine : "");
        if (!it->known) {
            add(&line, "its machine does not answer");
        } else if (it->gone) {
            add(&line, "has ended");
        } else if (!it->answered) {
            add(&line, "does not answer: stopped, or busy inside the system");
        } else {
            if (it->place[0] != '\0')
                add(&line, "%s: ", it->place);
            add_activity(&line, seen, t, threads);
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
        add(&line, stack->count == 0 ? "its stack is not known" : !answered[t] ? "does not answer" : "its stack:");
        finish(&line);
        if (answered[t])
            upcr_trace_print(stack, print_frame);
    }
}

/* ---- Deadlock ------------------------------------------------------------------------------------------------------- */

/* Returns whether the thread waits for something that has not happened yet and that only another thread can bring
   about. Conditions of other kinds (a semaphore) prove nothing. */
static bool is_stuck(int thread)
{
    struct host_thread *it = slot(thread);
    if (is_ending(thread))
        return false;
    /* Acquires the wait from host_wait_begins. */
    switch ((enum host_wait)atomic_load_explicit(&it->waiting.kind, memory_order_acquire)) {
    case HOST_IN_BARRIER:
        return host_has_arrived(&it->waiting);
    case HOST_FOR_LOCK:
        return !host_has_lock(thread);
    case HOST_COMPUTES:
    case HOST_FOR_OTHER:
        break;
    }
    return false;
}

bool host_look_for_stuck(const struct host_crowd *crowd)
{
    static uint32_t counts[UPCR_MAX_THREADS];
    bool same = true;
    for (int t = 0; t < crowd->threads; t++) {
        uint32_t count = host_read(&slot(t)->waiting.count);
        /* The count is read before and after, so that one and the same wait is seen. */
        same = same && count == counts[t] && is_stuck(t) && host_read(&slot(t)->waiting.count) == count;
        counts[t] = count;
    }
    return same;
}
