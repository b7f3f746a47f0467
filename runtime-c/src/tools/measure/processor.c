#include "runtime.h"

#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "tools/measure/trace.h"

/* Ticks from one look to the next, about a tenth of a millisecond: a look takes a microsecond, and a thread that loses its processor rarely loses it for
   less. */
enum { LOOK_EVERY = 1 << 17 };

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

void measure_processor_look(struct measure_state *state, uint64_t now)
{
    uint64_t waited;
    state->trace.next_look = now + LOOK_EVERY;
    /* The program may have closed what is not its own. */
    if (state->processor.account < 0 || !read_account(state->processor.account, &waited)) {
        state->processor.account = -1;
        state->trace.next_look = UINT64_MAX;
        return;
    }
    if (waited > state->processor.waited)
        measure_trace_note(state, NOTE_PROCESSOR, 1, waited - state->processor.waited, 0);
    state->processor.waited = waited;
}
