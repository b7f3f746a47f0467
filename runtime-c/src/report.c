/* Messages to the user. Each line is a single write, so that lines of several threads do not mix. */
#include "runtime.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "child.h"
#include "debug.h"
#include "gasp/hooks.h"
#include "options.h"
#include "output.h"
#include "transport/transport.h"

enum { LINE_CAPACITY = 8192, PLACE_CAPACITY = 300, PREFIX_CAPACITY = PLACE_CAPACITY + 130 };

/* Prints prefix, message and a newline; a message that is too long loses its tail. */
static void write_line(const char *prefix, const char *format, va_list arguments)
{
    char line[LINE_CAPACITY];
    int length = snprintf(line, sizeof line - 1, "%s", prefix);
    int more = vsnprintf(line + length, sizeof line - 1 - (size_t)length, format, arguments);
    length = more < (int)sizeof line - 1 - length ? length + more : (int)sizeof line - 2;
    line[length++] = '\n';
    upcr_output_message(STDERR_FILENO, line, (size_t)length);
}

static void thread_prefix(char *prefix, size_t capacity)
{
    snprintf(prefix, capacity, "upc thread %d of %d: ", upcr_mythread, upcr_threads);
}

/* Writes "upc thread 3 of 8: heat.upc:34 (main): ", without the place if it is not known. place: NULL to look it up.
   Also records the caller's stack for the launcher. */
static void placed_prefix(char *prefix, size_t capacity, const char *place)
{
    char found[PLACE_CAPACITY];
    struct upcr_stack *stack = upcr_tp_my_stack();
    upcr_trace_take(stack, NULL);
    if (place == NULL && upcr_trace_user_place(stack->pcs, stack->count, found, sizeof found))
        place = found;
    const char *machine = upcr_tp_machine();
    snprintf(prefix, capacity, "upc thread %d of %d%s%s: %s%s", upcr_mythread, upcr_threads, machine[0] != '\0' ? " on " : "", machine,
             place != NULL ? place : "", place != NULL ? ": " : "");
}

static void program_prefix(char *prefix, size_t capacity)
{
    snprintf(prefix, capacity, "%s: ", program_invocation_short_name);
}

void upcr_log(const char *format, ...)
{
    char prefix[64];
    va_list arguments;
    thread_prefix(prefix, sizeof prefix);
    va_start(arguments, format);
    write_line(prefix, format, arguments);
    va_end(arguments);
}

void upcr_warn(const char *format, ...)
{
    char prefix[PREFIX_CAPACITY];
    va_list arguments;
    if (upcr_options.quiet || upcr_options.no_warn)
        return;
    placed_prefix(prefix, sizeof prefix, NULL);
    va_start(arguments, format);
    write_line(prefix, format, arguments);
    va_end(arguments);
}

static void die(const char *place, const char *format, va_list arguments) __attribute__((__format__(__printf__, 2, 0), __noreturn__));
static void die(const char *place, const char *format, va_list arguments)
{
    char prefix[PREFIX_CAPACITY];
    fflush(stdout);
    fflush(stderr);
    if (upcr_is_child) {
        placed_prefix(prefix, sizeof prefix, place);
        write_line(prefix, format, arguments);
        _exit(1);
    }
    if (upcr_tp_claim_report()) {
        placed_prefix(prefix, sizeof prefix, place);
        write_line(prefix, format, arguments);
        upcr_tp_report_done();
    } else {
        upcr_trace_take(upcr_tp_my_stack(), NULL);
    }
    if (upcr_has_events())
        upcr_events.rescue(0);
    upcr_freeze_error("");
    upcr_tp_abort(1);
}

void upcr_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    die(NULL, format, arguments);
}

void upcr_die_at(const char *place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    die(place, format, arguments);
}

void upcr_report_at(const char *place, const char *format, ...)
{
    char prefix[PREFIX_CAPACITY];
    va_list arguments;
    fflush(stdout);
    placed_prefix(prefix, sizeof prefix, place);
    va_start(arguments, format);
    write_line(prefix, format, arguments);
    va_end(arguments);
}

void upcr_fatal(const char *format, ...)
{
    char prefix[256];
    va_list arguments;
    upcr_tp_refuse();
    program_prefix(prefix, sizeof prefix);
    va_start(arguments, format);
    write_line(prefix, format, arguments);
    va_end(arguments);
    _exit(1);
}

void upcr_log_program(const char *format, ...)
{
    char prefix[256];
    va_list arguments;
    program_prefix(prefix, sizeof prefix);
    va_start(arguments, format);
    write_line(prefix, format, arguments);
    va_end(arguments);
}

char *upcr_print_size(char *buffer, size_t capacity, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    unsigned unit = 0;
    while (unit + 1 < sizeof units / sizeof *units && bytes != 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    snprintf(buffer, capacity, "%llu %s", (unsigned long long)bytes, units[unit]);
    return buffer;
}
