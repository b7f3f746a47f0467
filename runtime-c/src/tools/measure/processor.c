#include "runtime.h"

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "clock.h"
#include "tools/measure/trace.h"

/* Ticks from one look to the next, about a tenth of a millisecond: a look takes a microsecond, and a thread that loses its processor rarely loses it for
   less. */
enum { LOOK_EVERY = 1 << 17 };

/* A look that takes this many ticks may have lost the processor on its way back, after the system had written the number: the next one would put that wait
   behind an event that it lies in front of. So the number is read again, until there is one that was read quickly. */
enum { LONG_LOOK = 1 << 16, MOST_LOOKS = 16 };

/* Skips a number and the space after it. */
static const char *skip_number(const char *at)
{
    while (*at >= '0' && *at <= '9')
        at++;
    return *at == ' ' ? at + 1 : at;
}

/* Reads the second number of the account: nanoseconds in which the pthread was ready to run and did not. */
static bool read_account(int account, uint64_t *waited)
{
    char text[96];
    const ssize_t length = pread(account, text, sizeof text - 1, 0);
    if (length <= 0)
        return false;
    text[length] = '\0';
    const char *second = skip_number(text), *end = second;
    for (*waited = 0; *end >= '0' && *end <= '9'; end++)
        *waited = *waited * 10 + (uint64_t)(*end - '0');
    return end != second;
}

void measure_processor_close(struct measure_processor *processor)
{
    if (processor->account >= 0)
        close(processor->account);
    processor->account = -1;
}

void measure_processor_restart(struct measure_processor *processor)
{
    if (processor->account >= 0 && !read_account(processor->account, &processor->waited))
        measure_processor_close(processor);
}

struct measure_processor measure_processor_open(void)
{
    struct measure_processor processor = {open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC), 0};
    measure_processor_restart(&processor);
    return processor;
}

/* The nanoseconds of ticks of the trace. */
static uint64_t nanoseconds(uint64_t ticks)
{
    return upcr_clock_to_ns(upcr_clock_is_counter ? ticks << 1 : ticks);
}

uint64_t measure_processor_look(struct measure_state *state, uint64_t now, bool is_end)
{
    struct measure_processor *processor = &state->processor;
    uint64_t waited = 0, before, after = now;
    int looks = 0;
    do {
        before = after;
        /* The program may have closed what is not its own. */
        if (processor->account < 0 || !read_account(processor->account, &waited)) {
            processor->account = -1;
            state->trace.next_look = UINT64_MAX;
            return measure_now();
        }
        after = measure_now();
    } while (after - before > LONG_LOOK && ++looks < MOST_LOOKS);
    state->trace.next_look = after + LOOK_EVERY;
    if (waited <= processor->waited)
        return after;
    uint64_t later = is_end && after - now > LONG_LOOK ? nanoseconds(after - now) : 0;
    if (later > waited - processor->waited)
        later = waited - processor->waited;
    if (waited - processor->waited > later)
        measure_trace_note(state, NOTE_PROCESSOR, 1, waited - processor->waited - later, 0);
    processor->waited = waited - later;
    return after;
}

void measure_processor_print(char *text, size_t capacity)
{
    enum { MOST = 1 << 16 };
    static cpu_set_t mask[MOST / CPU_SETSIZE];
    size_t length = 0;
    text[0] = '\0';
    if (sched_getaffinity(0, sizeof mask, mask) != 0)
        return;
    for (size_t first = 0, last; first < MOST; first = last + 1) {
        char range[48];
        last = first;
        if (!CPU_ISSET_S(first, sizeof mask, mask))
            continue;
        while (last + 1 < MOST && CPU_ISSET_S(last + 1, sizeof mask, mask))
            last++;
        const char *comma = length > 0 ? "," : "";
        int more = last > first ? snprintf(range, sizeof range, "%s%zu-%zu", comma, first, last) : snprintf(range, sizeof range, "%s%zu", comma, first);
        if (length + (size_t)more >= capacity)
            return;
        length += (size_t)snprintf(text + length, capacity - length, "%s", range);
    }
}
