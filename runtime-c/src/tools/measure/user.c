#include "runtime.h"

#include <gasp_upc.h>
#include <stdlib.h>
#include <string.h>

#include "tools/measure/define.h"
#include "tools/measure/state.h"
#include "tools/measure/user.h"

/* By tag - GASP_UPC_USEREVT_START; under measure_run->lock. */
static struct measure_user **events;
static size_t count;

static void add_argument(struct measure_user *event, enum measure_pass pass, enum measure_arg code)
{
    if (event->args == MEASURE_MOST_ARGS)
        return;
    event->pass[event->args] = (uint8_t)pass;
    event->codes[event->args++] = (uint8_t)code;
}

/* How a conversion of these lengths takes its integer. */
static enum measure_pass pass_of(const char *modifier, size_t length, bool is_signed)
{
    bool wide = length > 0 && (*modifier == 'q' || *modifier == 'j' || (*modifier == 'l' && length > 1));
    if (wide && sizeof(long) < sizeof(uint64_t))
        return PASS_WIDE;
    if (wide || (length > 0 && strchr("lzt", *modifier) != NULL))
        return is_signed ? PASS_LONG : PASS_WORD;
    return is_signed ? PASS_INT : PASS_UNSIGNED;
}

/* One conversion, after its %; returns what follows it, NULL where the arguments cannot be known any further. */
static const char *convert(struct measure_user *event, const char *at)
{
    for (; *at != '\0' && strchr("-+ #0123456789.'*", *at) != NULL; at++)
        if (*at == '*')
            add_argument(event, PASS_INT, ARG_INT);
    const char *modifier = at;
    at += strspn(at, "hlqjztL");
    size_t length = (size_t)(at - modifier);
    switch (*at) {
    case '%':
        break;
    case 'c':
        add_argument(event, PASS_INT, ARG_INT);
        break;
    case 'd':
    case 'i':
        add_argument(event, pass_of(modifier, length, true), ARG_INT);
        break;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        add_argument(event, pass_of(modifier, length, false), ARG_SIZE);
        break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        add_argument(event, *modifier == 'L' ? PASS_LONG_DOUBLE : PASS_DOUBLE, ARG_REAL);
        break;
    case 's':
        add_argument(event, *modifier == 'l' ? PASS_WORD : PASS_TEXT, *modifier == 'l' ? ARG_POINTER : ARG_TEXT);
        break;
    case 'p':
        add_argument(event, PASS_WORD, ARG_POINTER);
        break;
    default:
        return NULL;
    }
    return at + 1;
}

static void read_format(struct measure_user *event, const char *format)
{
    while (format != NULL && (format = strchr(format, '%')) != NULL)
        format = convert(event, format + 1);
}

/* An event whose arguments are those of the format. NULL: no memory. */
static struct measure_user *make_user(const char *format)
{
    /* No more conversions than that. */
    size_t most = 0;
    for (const char *at = format; at != NULL && *at != '\0'; at++)
        most += *at == '%' || *at == '*';
    most = most < MEASURE_MOST_ARGS ? most : MEASURE_MOST_ARGS;
    struct measure_user *event = malloc(sizeof *event + 2 * most);
    if (event == NULL)
        return NULL;
    *event = (struct measure_user){.pass = (uint8_t *)(event + 1), .codes = (uint8_t *)(event + 1) + most};
    read_format(event, format);
    return event;
}

static bool reserve_user(size_t index)
{
    if (index < count)
        return true;
    size_t capacity = 2 * index + 16;
    struct measure_user **more = realloc(events, capacity * sizeof *more);
    if (more == NULL)
        return false;
    memset(more + count, 0, (capacity - count) * sizeof *more);
    events = more;
    count = capacity;
    return true;
}

void measure_user_create(unsigned tag, const char *name, const char *description)
{
    size_t index = tag - GASP_UPC_USEREVT_START;
    bool taken = measure_lock();
    uint32_t texts[] = {measure_text(name), measure_text(description)};
    measure_define_begin(DEFINE_USER_EVENT, 3);
    measure_define_number(tag);
    measure_define_number(texts[0]);
    measure_define_number(texts[1]);
    measure_define_end();
    if (reserve_user(index))
        events[index] = make_user(description);
    measure_unlock(taken);
}

const struct measure_user *measure_user_event(unsigned tag)
{
    size_t index = tag - GASP_UPC_USEREVT_START;
    return tag >= GASP_UPC_USEREVT_START && index < count ? events[index] : NULL;
}
