/* The bundled tool `measure`: a trace, a profile, or both. docs/measure.md; the file: docs/trace-format.md. */
#include "runtime.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "options.h"
#include "tools/measure/calibrate.h"
#include "tools/measure/clocks.h"
#include "tools/measure/crc.h"
#include "tools/measure/define.h"
#include "tools/measure/facts.h"
#include "tools/measure/file.h"
#include "tools/measure/hits.h"
#include "tools/measure/look.h"
#include "tools/measure/memory.h"
#include "tools/measure/fast_path.h"
#include "tools/measure/profile.h"
#include "tools/measure/pthreads.h"
#include "tools/measure/trace.h"
#include "tools/measure/user.h"
#include "tools/tool.h"
#include "transport/transport.h"

static const uint64_t default_buffer = 64 << 10;
static const uint64_t default_max_file = (uint64_t)4 << 30;
static const uint32_t default_depth = 256, most_depth = 1 << 20;
static const uint32_t default_hot = 10000, default_nodes = 65536;
static const uint32_t default_access_sample = 1000; /* of profiles alone: a trace has every event */
static const uint64_t windows_a_second = 20;

/* What `upcc -trace` put into the program at the link. */
extern const char upcr_linked_measure[] __attribute__((__weak__));

static unsigned choose_mode(void)
{
    static const struct {
        const char *word;
        unsigned mode;
    } modes[] = {{"profile", MODE_PROFILE}, {"trace", MODE_TRACE}, {"both", MODE_TRACE | MODE_PROFILE}};
    const char *linked = upcr_linked_measure != NULL ? upcr_linked_measure : "profile";
    const char *word = upcr_options.measure != NULL ? upcr_options.measure : linked;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(word, modes[i].word) == 0)
            return modes[i].mode | (upcr_options.measure_flat ? MODE_FLAT : 0);
    upcr_die_at("UPC_MEASURE", "`%s` cannot be measured: give profile, trace or both", word);
}

static uint32_t or_default(uint64_t given, uint32_t otherwise, uint32_t most)
{
    uint64_t value = given != 0 ? given : otherwise;
    return value < most ? (uint32_t)value : most;
}

/* The only limit that needs to know how long a tick is, for which the clock takes a moment. */
static void start_rate(struct measure_state *state)
{
    enum { SPAN = 1 << 30 };
    if (upcr_options.measure_rate == 0)
        return;
    uint64_t doubled = upcr_clock_is_counter ? 2 : 1;
    double ns_per_tick = (double)upcr_clock_to_ns(SPAN) * (double)doubled / SPAN;
    state->window = (uint64_t)(1e9 / (double)windows_a_second / ns_per_tick);
    state->rate = upcr_options.measure_rate / windows_a_second;
    if (state->rate < 2)
        state->rate = 2;
}

/* What lies between two readings of the clock that follow each other: the least mean of many, because the clock may advance in large steps. */
static uint32_t clock_cost(void)
{
    enum { TRIES = 20, READINGS = 100 };
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        const uint64_t before = measure_now();
        uint64_t passed = 0;
        for (int j = 0; j < READINGS; j++)
            passed = measure_now() - before;
        least = passed < least ? passed : least;
    }
    return (uint32_t)((least + READINGS / 2) / READINGS);
}

static void start_sampling(struct measure_state *state)
{
    bool profile_alone = !(state->mode & MODE_TRACE);
    state->sample = or_default(upcr_options.measure_sample, 1, INT32_MAX);
    state->hot = or_default(upcr_options.measure_hot, default_hot, UINT32_MAX);
    state->access_sample = or_default(upcr_options.measure_sample, profile_alone ? default_access_sample : 1, INT32_MAX);
    state->adapts_sample = upcr_options.measure_sample == 0;
    state->clock_cost = clock_cost();
}

/* ---- The file ------------------------------------------------------------------------------------------------------ */

/* The file's name for this thread: each % becomes its number. */
static char *file_name(void)
{
    const char *given = upcr_options.measure_file;
    char *name = NULL, number[16];
    size_t length = 0;
    if (given == NULL)
        return asprintf(&name, "%s.upcprof", program_invocation_short_name) < 0 ? NULL : name;
    FILE *text = open_memstream(&name, &length);
    snprintf(number, sizeof number, "%d", upcr_mythread);
    for (; text != NULL && *given != '\0'; given++)
        if (*given == '%')
            fputs(number, text);
        else
            fputc(*given, text);
    return text != NULL && fclose(text) == 0 ? name : NULL;
}

/* What all threads know of the file. */
struct opening {
    uint64_t start; /* nanoseconds since 1970 */
    uint32_t mark;
    int32_t error;
};

static int make_file(const char *name, int argc, char *const *argv, uint64_t start, const struct measure_state *settings)
{
    int error = measure_file_create(name) ? 0 : errno;
    if (error == 0) {
        measure_write_run(argc, argv, start, settings);
        measure_write_static();
    } else
        upcr_warn("cannot write %s: %s; nothing is measured", name, measure_file_reason(error));
    return error;
}

/* The file that thread 0 has made; or, where this machine has no such file, one for this thread. */
static int join_file(const char *name, int argc, char *const *argv, const struct opening *opening, const struct measure_state *settings)
{
    char *own = NULL;
    if (measure_file_open(name, opening->mark))
        return 0;
    int error = errno;
    if (!measure_run->file.shared) {
        upcr_warn("cannot write %s: %s; this thread is not measured", name, measure_file_reason(error));
        return error;
    }
    if (upcr_tp_group_first(upcr_tp_group_of(upcr_mythread)) == upcr_mythread)
        upcr_warn("thread 0's file %s is not on this machine: each thread here writes %s.N, where N is its number; give upcprof all of these files", name,
                  name);
    if (asprintf(&own, "%s.%d", name, upcr_mythread) < 0)
        upcr_die("out of memory");
    measure_run->file.shared = false;
    error = make_file(own, argc, argv, opening->start, settings);
    free(own);
    return error;
}

/* Thread 0 makes the file before the others open it, unless each has its own. */
static bool open_recording(int argc, char *const *argv, const struct measure_state *settings)
{
    bool own = upcr_options.measure_file != NULL && strchr(upcr_options.measure_file, '%') != NULL;
    char *name = file_name();
    struct opening opening = {0};
    if (name == NULL)
        upcr_die("out of memory");
    measure_run->file.shared = !own && *upcr_tp_machine() != '\0';
    if (upcr_mythread == 0) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        opening.start = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
        opening.error = make_file(name, argc, argv, opening.start, settings);
        opening.mark = measure_file_mark();
    }
    upcr_broadcast(&opening, sizeof opening, "the start of the measurement");
    int error = opening.error;
    if (upcr_mythread != 0 && own)
        error = make_file(name, argc, argv, opening.start, settings);
    else if (upcr_mythread != 0 && error == 0)
        error = join_file(name, argc, argv, &opening, settings);
    free(name);
    return error == 0;
}

/* ---- The tool ------------------------------------------------------------------------------------------------------ */

static void prepare(void)
{
    measure_crc_prepare();
    measure_memory_prepare();
}

static void out_of_memory(void)
{
    upcr_die("out of memory for the measurement");
}

/* What is known of the thread before there is a file. */
static void start_run(void)
{
    const uint64_t max_file = upcr_options.measure_max_file;
    measure_run = measure_memory_reserve(sizeof *measure_run);
    if (measure_run == NULL)
        out_of_memory();
    measure_run->thread = upcr_mythread;
    measure_run->threads = upcr_threads;
    measure_run->on = true;
    measure_run->mode = choose_mode();
    measure_run->max_file = max_file != 0 ? max_file : default_max_file;
    measure_run->most_nodes = or_default(upcr_options.measure_nodes, default_nodes, 1 << 28);
}

static gasp_context_t init(int *argc, char ***argv)
{
    const uint64_t buffer = upcr_options.measure_buffer;
    struct measure_state settings = {.on = true};
    start_run();
    settings.mode = measure_run->mode;
    settings.deepest = or_default(upcr_options.measure_depth, default_depth, most_depth);
    settings.capacity = settings.deepest + MEASURE_LEAVES;
    start_sampling(&settings);
    settings.processor = measure_run->mode & MODE_TRACE ? measure_processor_open() : (struct measure_processor){-1, 0};
    settings.counters = measure_counters_start(upcr_options.measure_counters, &settings.group);
    measure_run->buffer_bytes = measure_trace_bytes(buffer != 0 ? buffer : default_buffer, settings.capacity);
    bool is_open = open_recording(*argc, *argv, &settings);
    measure_clocks_compare();
    if (!is_open) {
        measure_memory_done();
        measure_run = NULL;
        return NULL;
    }
    start_rate(&settings);
    if (!measure_define_start() || !measure_event_site_start())
        out_of_memory();
    struct measure_state *state = measure_pthreads_start(&settings);
    if (state == NULL)
        out_of_memory();
    state->path = state->calm;
    measure_calibrate(state);
    /* Threads that write to one file wait for each other here. That time is the tool's, so the program begins after it. */
    measure_write_thread(state);
    measure_processor_restart(&state->processor);
    measure_run->began = measure_now();
    return NULL;
}

static int control(gasp_context_t context, int on)
{
    (void)context;
    struct measure_state *state = measure_self->path != PATH_NONE ? measure_self : measure_pthread_comes(measure_self);
    if (state->path <= PATH_BUSY)
        return measure_run == NULL || measure_run->on;
    bool before = __atomic_load_n(&measure_run->on, __ATOMIC_RELAXED);
    if (before == (on != 0))
        return before;
    __atomic_store_n(&state->path, PATH_BUSY, __ATOMIC_RELAXED);
    measure_pthreads_control(on != 0);
    enum measure_path path = measure_pthread_looks(state);
    /* Publishes what has been recorded to others_record. */
    __atomic_store_n(&state->path, path, __ATOMIC_RELEASE);
    return before;
}

static unsigned create(gasp_context_t context, const char *name, const char *description)
{
    (void)context;
    unsigned tag = upcr_tool_next_event();
    if (measure_run != NULL && !__atomic_load_n(&measure_run->stopped, __ATOMIC_RELAXED))
        measure_user_create(tag, name, description);
    return tag;
}

/* What the file lacks of this thread, because it could not be written. */
static void report_loss(void)
{
    enum { of_trace = 1u << BLOCK_EVENTS | 1u << BLOCK_PTHREAD_EVENTS };
    static const struct {
        unsigned kinds;
        const char *what;
    } parts[] = {
        {of_trace, "events of the trace"},
        {1u << BLOCK_PROFILE | 1u << BLOCK_SAMPLES, "the profile or a part of it"},
        {1u << BLOCK_DEFINE, "names of events"},
        {1u << BLOCK_COUNTS | 1u << BLOCK_END, "the exact counts and the end"},
        {1u << BLOCK_RUN | 1u << BLOCK_THREAD, "the description of the run"},
    };
    char text[200];
    int error = 0, length = 0;
    const unsigned lost = measure_file_lost(&error);
    if (lost == 0 || upcr_options.quiet)
        return;
    if (lost & of_trace)
        length = snprintf(text, sizeof text, "%llu ", (unsigned long long)measure_run->first->dropped_size);
    for (size_t i = 0, found = 0; i < sizeof parts / sizeof *parts; i++)
        if (lost & parts[i].kinds)
            length += snprintf(text + length, sizeof text - (size_t)length, "%s%s", found++ > 0 ? ", " : "", parts[i].what);
    upcr_log("the recording is incomplete: %s; for this thread it lacks %s", strerror(error), text);
}

void measure_write_all(enum measure_how how, int status)
{
    measure_pthreads_join();
    measure_define_flush();
    if (measure_run->mode & MODE_PROFILE)
        measure_profile_write(measure_run->first);
    measure_write_counts(measure_run->first);
    measure_write_end(measure_run->first, how, status);
}

/* Writes what is in memory. Pairs that are open end here, for the profile. Where another pthread cannot be brought to a stop, as one that a handler
   keeps in the midst of an event, the launcher writes it, when no pthread runs any more. */
static void end_recording(enum measure_how how, int status)
{
    struct measure_run *run = measure_run;
    bool taken;
    if (run == NULL || run->first == NULL || run->ended)
        return;
    if (!measure_pthreads_stop(&taken) && measure_memory_outlives())
        return;
    if (!run->calibrated)
        measure_calibrate_forget(run->first);
    measure_write_all(how, status);
    run->ended = true;
    measure_memory_done();
    measure_unlock(taken);
    measure_file_close();
    report_loss();
}

static void finish(int status, bool collective)
{
    if (collective)
        measure_clocks_compare();
    end_recording(collective ? HOW_EXIT : HOW_GLOBAL_EXIT, status);
}

static void rescue(int signal)
{
    end_recording(signal != 0 ? HOW_SIGNAL : HOW_JOB, signal);
}

/* The process could not do it itself: it was killed, or called _exit. */
static void salvage(const struct upcr_tool_death *death)
{
    const int before = upcr_mythread;
    measure_run = measure_memory_adopt(death->process);
    if (measure_run == NULL)
        return;
    measure_run->lock = (struct upcr_tool_lock){0};
    measure_run->salvaged = true;
    upcr_mythread = measure_run->thread;
    if (measure_file_adopt())
        end_recording(death->signal != 0 ? HOW_SIGNAL : HOW_VANISHED, death->signal != 0 ? death->signal : death->status);
    upcr_mythread = before;
    measure_run = NULL;
    measure_memory_release();
}

const struct upcr_tool upcr_tool_measure = {
    .name = "measure",
    .takes_overlaps = true,
    .prepare = prepare,
    .init = init,
    .notify = measure_notify,
    .control = control,
    .create = create,
    .report_late = measure_hits_report_late,
    .rescue = rescue,
    .pthread_ends = measure_pthread_ends,
    .salvage = salvage,
    .look = measure_look,
    .finish = finish,
};
