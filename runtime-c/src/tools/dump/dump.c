/* The bundled tool "dump": prints a line for each event, in the format of Berkeley's tool of that name:

     THREAD/THREADS SECONDS> [FILE:LINE:COLUMN] TAG TYPE { ARGUMENTS }

   GASP_DUMPFILE: the file, in which "%" stands for the thread; "stderr" (also "-" and nothing) or "stdout"; the default is gasp_dump.%.
   GASP_FLUSH: each line is written at once. GASP_SKIPOUTPUT: events are formatted, but not written. Seconds count from the same moment on all
   threads. */
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gasp_upc.h>

#include "clock.h"
#include "options.h"
#include "output.h"
#include "tools/dump/arguments.h"
#include "tools/lock.h"
#include "tools/tool.h"

struct user_event {
    char *name, *description; /* description: a format of printf for the arguments, or NULL */
};

static struct {
    uint64_t start; /* of all threads, ns */
    FILE *stream;   /* stdout or stderr; NULL: a file of our own */
    int fd;         /* that file */
    bool flush, skip;
    bool enabled;
    struct user_event *events;
    unsigned count, capacity;
    struct upcr_tool_lock lock; /* for all later ones, and for the events */
    size_t used;                /* bytes used in the buffer: whole lines only */
    char buffer[1 << 16];
} dump = {.enabled = true};

static bool is_yes(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && (atoi(value) != 0 || *value == 'y' || *value == 'Y');
}

static void write_buffer(void)
{
    size_t done = 0;
    while (done < dump.used) {
        ssize_t n = write(dump.fd, dump.buffer + done, dump.used - done);
        if (n < 0 && errno != EINTR)
            break;
        done += n < 0 ? 0 : (size_t)n;
    }
    dump.used = 0;
}

static void put_line(const char *line, size_t length)
{
    if (dump.skip)
        return;
    if (dump.stream != NULL) {
        fwrite(line, 1, length, dump.stream);
        if (dump.flush)
            fflush(dump.stream);
        return;
    }
    bool taken = upcr_tool_lock(&dump.lock);
    if (length > sizeof dump.buffer - dump.used)
        write_buffer();
    memcpy(dump.buffer + dump.used, line, length);
    dump.used += length;
    if (dump.flush)
        write_buffer();
    upcr_tool_unlock(&dump.lock, taken);
}

enum { LINE_CAPACITY = 2048 };

static const char end_of_line[] = " }\n";

/* Begins a text in a buffer of LINE_CAPACITY bytes, and leaves space for the end of the line. */
static struct upcr_text begin(char *buffer, const char *file, int line, int column, const char *tag, gasp_evttype_t type)
{
    static const char *const types[] = {[GASP_START] = "START", [GASP_END] = "END", [GASP_ATOMIC] = "ATOMIC"};
    double seconds = (double)(upcr_clock_system_ns() - dump.start) * 1e-9;
    struct upcr_text text = {buffer, LINE_CAPACITY - sizeof end_of_line, 0};
    upcr_text_add(&text, "%d/%d %.6f> [%s:%d:%d] %s %-5s { ", upcr_mythread, upcr_threads, seconds, file == NULL ? "<unknown>" : file, line, column, tag,
                  types[type]);
    return text;
}

static void end(struct upcr_text *text)
{
    text->capacity = LINE_CAPACITY;
    upcr_text_add(text, "%s", end_of_line);
    put_line(text->bytes, text->length);
}

/* An event of the tool itself. */
static void note(const char *tag, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));
static void note(const char *tag, const char *format, ...)
{
    char buffer[LINE_CAPACITY];
    va_list arguments;
    struct upcr_text text = begin(buffer, NULL, 0, 0, tag, GASP_ATOMIC);
    va_start(arguments, format);
    upcr_text_add_list(&text, format, arguments);
    va_end(arguments);
    end(&text);
}

static void open_file(const char *path, int flags)
{
    dump.fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | flags, 0666);
    if (dump.fd < 0)
        upcr_die("GASP_DUMPFILE: cannot write %s: %s", path, strerror(errno));
}

/* The pattern with "%" replaced by the thread. */
static void make_path(const char *pattern, char *path, size_t capacity)
{
    size_t length = 0;
    for (; *pattern != '\0' && length + 12 < capacity; pattern++)
        length += (size_t)(*pattern == '%' ? snprintf(path + length, capacity - length, "%d", upcr_mythread)
                                           : snprintf(path + length, capacity - length, "%c", *pattern));
    if (*pattern != '\0')
        upcr_die("GASP_DUMPFILE: the name is too long");
}

/* Opens the output, and sets the common start of time. If all threads write to one file, thread 0 empties it before the others open it. */
static void open_output(void)
{
    char path[PATH_MAX];
    const char *pattern = getenv("GASP_DUMPFILE");
    if (pattern == NULL)
        pattern = "gasp_dump.%";
    if (*pattern == '\0' || strcmp(pattern, "-") == 0 || strcmp(pattern, "stderr") == 0)
        dump.stream = stderr;
    else if (strcmp(pattern, "stdout") == 0)
        dump.stream = stdout;
    else
        make_path(pattern, path, sizeof path);
    bool own = strchr(pattern, '%') != NULL || upcr_mythread == 0;
    if (dump.stream == NULL && own)
        open_file(path, O_TRUNC);
    dump.start = upcr_clock_system_ns();
    upcr_broadcast(&dump.start, sizeof dump.start, "gasp_init");
    if (dump.stream == NULL && !own)
        open_file(path, 0);
    if (upcr_mythread == 0 && dump.stream == NULL && !dump.skip && !upcr_options.quiet)
        upcr_log_program("events are dumped to %s%s", pattern, strchr(pattern, '%') != NULL ? ", % being the thread" : "");
}

static gasp_context_t dump_init(int *argc, char ***argv)
{
    dump.flush = is_yes("GASP_FLUSH");
    dump.skip = is_yes("GASP_SKIPOUTPUT");
    open_output();
    char buffer[LINE_CAPACITY];
    struct upcr_text text = begin(buffer, NULL, 0, 0, "INIT", GASP_ATOMIC);
    upcr_text_add(&text, "MYTHREAD = %d, THREADS = %d, argc = %d, argv = [", upcr_mythread, upcr_threads, *argc);
    for (int i = 0; i < *argc; i++)
        upcr_text_add(&text, "%s '%s'", i == 0 ? "" : ",", (*argv)[i]);
    upcr_text_add(&text, " ]");
    end(&text);
    return (gasp_context_t)&dump;
}

static const char *short_name(const char *symbol)
{
    static const char prefix[] = "GASP_";
    return strncmp(symbol, prefix, sizeof prefix - 1) == 0 ? symbol + sizeof prefix - 1 : symbol;
}

/* Returns the event of that tag, whose texts stay where they are; NULL if there is none. */
static struct user_event user_event(unsigned tag)
{
    unsigned number = tag - GASP_UPC_USEREVT_START;
    bool taken = upcr_tool_lock(&dump.lock);
    struct user_event event = {NULL, NULL};
    if (tag >= GASP_UPC_USEREVT_START && number < dump.count)
        event = dump.events[number];
    upcr_tool_unlock(&dump.lock, taken);
    return event;
}

static void dump_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments)
{
    char buffer[LINE_CAPACITY], number[32];
    (void)context;
    if (!__atomic_load_n(&dump.enabled, __ATOMIC_RELAXED))
        return;
    const struct upcr_event *event = upcr_event_of(tag);
    const struct user_event user = event == NULL ? user_event(tag) : (struct user_event){NULL, NULL};
    snprintf(number, sizeof number, "event %u", tag);
    struct upcr_text text = begin(buffer, file, line, column, event != NULL ? short_name(event->symbol) : user.name != NULL ? user.name : number, type);
    if (event != NULL)
        upcr_dump_arguments(&text, type == GASP_END ? event->end : event->start, arguments);
    else if (user.description != NULL)
        upcr_text_add_list(&text, user.description, arguments);
    end(&text);
}

static int dump_control(gasp_context_t context, int on)
{
    (void)context;
    bool before = __atomic_exchange_n(&dump.enabled, on != 0, __ATOMIC_RELAXED);
    if (before != (on != 0))
        note("CONTROL", "on=%d", on != 0);
    return before;
}

/* Returns a copy that is never freed; NULL for NULL. */
static char *keep(const char *string)
{
    char *copy = string == NULL ? NULL : strdup(string);
    if (string != NULL && copy == NULL)
        upcr_die("out of memory");
    return copy;
}

static unsigned dump_create(gasp_context_t context, const char *name, const char *description)
{
    (void)context;
    bool taken = upcr_tool_lock(&dump.lock);
    if (dump.count == dump.capacity) {
        dump.capacity = dump.capacity * 2 + 8;
        dump.events = realloc(dump.events, dump.capacity * sizeof *dump.events);
        if (dump.events == NULL)
            upcr_die("out of memory");
    }
    unsigned tag = upcr_tool_next_event();
    char unnamed[32];
    snprintf(unnamed, sizeof unnamed, "user_event_%u", tag - GASP_UPC_USEREVT_START + 1);
    dump.events[dump.count++] = (struct user_event){keep(name == NULL ? unnamed : name), keep(description)};
    upcr_tool_unlock(&dump.lock, taken);
    if (__atomic_load_n(&dump.enabled, __ATOMIC_RELAXED))
        note("CREATE_EVENT", "\"%s\", \"%s\", %u", name == NULL ? "" : name, description == NULL ? "" : description, tag);
    return tag;
}

/* The C library writes its own streams. */
static void dump_rescue(int signal)
{
    enum { LONGEST_MS = 200 };
    (void)signal;
    if (dump.stream != NULL)
        return;
    bool taken = upcr_tool_lock_within(&dump.lock, LONGEST_MS);
    write_buffer();
    upcr_tool_unlock(&dump.lock, taken);
}

static void dump_finish(int status, bool collective)
{
    (void)collective;
    (void)status;
    bool taken = upcr_tool_lock(&dump.lock);
    if (dump.stream != NULL)
        fflush(dump.stream);
    else
        write_buffer();
    /* Exit handlers and other pthreads may raise events after this. */
    dump.flush = true;
    upcr_tool_unlock(&dump.lock, taken);
}

const struct upcr_tool upcr_tool_dump = {
    .name = "dump",
    .takes_overlaps = true,
    .init = dump_init,
    .notify = dump_notify,
    .control = dump_control,
    .create = dump_create,
    .rescue = dump_rescue,
    .finish = dump_finish,
};
