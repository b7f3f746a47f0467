#include "runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

enum kind { COUNT, NUMBER, AMOUNT, SIZE, SECONDS, SWITCH, TEXT, THREAD };
enum style { NEXT, GLUED };

struct option {
    const char *name;
    size_t field; /* of struct upcr_options */
    enum kind kind;
    const char *env;
};

struct flag {
    const char *option;
    const char *spelling;
    enum style style;
    uint64_t unit;
};

static const struct option option_table[] = {
#define UPCR_OPTION(name, kind, env, launcher, fallback, help) {#name, offsetof(struct upcr_options, name), kind, env},
#include "options.def"
};

static const struct variable {
    const char *option;
    const char *env;
} further_variables[] = {
#define UPCR_VARIABLE(option, env) {#option, env},
#include "options.def"
};

static const struct flag flag_table[] = {
#define UPCR_FLAG(option, spelling, style, unit) {#option, spelling, style, unit},
#include "options.def"
};

static const char *const accepted[] = {
#define UPCR_ACCEPTED(spelling) spelling,
#include "options.def"
};

static const uint64_t env_unit = 1 << 20;

struct upcr_options upcr_options;

/* The heap size that `upcc -shared-heap=SIZE` put into the program at the link. */
extern const char upcr_linked_heap[] __attribute__((__weak__));
/* That of `upcc -pshm-width=N`. */
extern const char upcr_linked_width[] __attribute__((__weak__));

/* The factor of a size's suffix; 0 if it is none. */
static uint64_t suffix_factor(const char *suffix, uint64_t unit)
{
    static const char letters[] = "kmgt";
    if (*suffix == '\0')
        return unit;
    const char *found = strchr(letters, *suffix | 0x20);
    suffix++;
    if (found == NULL || (*suffix != '\0' && strcasecmp(suffix, "b") != 0 && strcasecmp(suffix, "ib") != 0))
        return 0;
    return (uint64_t)1 << 10 * (found - letters + 1);
}

/* A decimal number from `text` on; *end: what follows it. False if there is none, or none that fits. */
static bool read_number(const char *text, char **end, uint64_t *number)
{
    errno = 0;
    *number = strtoull(text, end, 10);
    return *text >= '0' && *text <= '9' && errno == 0;
}

static void set_size(uint64_t *value, const char *text, const char *source, uint64_t unit)
{
    char *end;
    uint64_t number;
    bool is_number = read_number(text, &end, &number) && number > 0;
    bool is_heap = value == &upcr_options.heap;
    if (is_heap && is_number && strcmp(end, "%") == 0 && number <= 100) {
        upcr_options.heap_percent = number;
        *value = 0;
        return;
    }
    uint64_t factor = suffix_factor(end, unit);
    if (!is_number || factor == 0 || __builtin_mul_overflow(number, factor, value))
        upcr_fatal("%s: '%s' is no size: give a number with K, M or G behind it%s", source, text, is_heap ? ", or a percentage of memory" : "");
    if (is_heap)
        upcr_options.heap_percent = 0;
}

/* what: " of threads" */
static void set_number(uint64_t *value, const char *text, const char *source, const char *what)
{
    char *end;
    if (!read_number(text, &end, value) || *end != '\0' || *value == 0 || *value > INT32_MAX)
        upcr_fatal("%s: '%s' is no number%s", source, text, what);
}

bool upcr_is_yes(const char *text)
{
    return strcmp(text, "0") != 0 && strcasecmp(text, "no") != 0 && strcasecmp(text, "n") != 0 && *text != '\0';
}

static void set_thread(uint64_t *value, const char *text, const char *source)
{
    char *end;
    if (*text == '\0' || strcasecmp(text, "all") == 0 || strcasecmp(text, "yes") == 0)
        *value = UPCR_ALL_THREADS;
    else if (strcasecmp(text, "no") == 0)
        *value = 0;
    else if (!read_number(text, &end, value) || *end != '\0' || *value >= INT32_MAX)
        upcr_fatal("%s: '%s' is no thread: give its number, or 'all'", source, text);
    else
        *value += 1;
}

static void set_option(const char *name, const char *text, const char *source, uint64_t unit)
{
    for (size_t i = 0; i < sizeof option_table / sizeof *option_table; i++) {
        if (strcmp(option_table[i].name, name) != 0)
            continue;
        void *member = (char *)&upcr_options + option_table[i].field;
        uint64_t *value = member;
        switch (option_table[i].kind) {
        case COUNT:
            set_number(value, text, source, " of threads");
            break;
        case NUMBER:
            set_number(value, text, source, "");
            break;
        case AMOUNT:
            if (strcmp(text, "auto") == 0)
                *value = 0;
            else
                set_number(value, text, source, "");
            break;
        case SIZE:
            set_size(value, text, source, unit);
            break;
        case SECONDS:
            set_number(value, text, source, " of seconds");
            break;
        case SWITCH:
            *value = upcr_is_yes(text);
            break;
        case TEXT:
            /* Of the environment: it stays. An empty text is none. */
            *(const char **)member = *text != '\0' ? text : NULL;
            break;
        case THREAD:
            set_thread(value, text, source);
            break;
        }
    }
}

/* The number of arguments that the flag at argv[0] takes up; 0 if it is none of ours. */
static int read_flag(char **argv)
{
    for (size_t i = 0; i < sizeof flag_table / sizeof *flag_table; i++) {
        const struct flag *flag = &flag_table[i];
        size_t length = strlen(flag->spelling);
        if (strncmp(argv[0], flag->spelling, length) != 0)
            continue;
        const char *rest = argv[0] + length;
        if (flag->style == NEXT && *rest == '\0' && argv[1] != NULL) {
            set_option(flag->option, argv[1], flag->spelling, flag->unit);
            return 2;
        }
        if (flag->style == GLUED && *rest >= '0' && *rest <= '9') {
            set_option(flag->option, rest, flag->spelling, flag->unit);
            return 1;
        }
    }
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        size_t length = strlen(accepted[i]);
        if (strncmp(argv[0], accepted[i], length) == 0 && argv[0][length] == '=')
            return 1;
        if (strcmp(argv[0], accepted[i]) == 0 && argv[1] != NULL)
            return 2;
    }
    return 0;
}

void upcr_options_read(void)
{
    if (upcr_linked_heap != NULL)
        set_option("heap", upcr_linked_heap, "upcc -shared-heap", env_unit);
    if (upcr_linked_width != NULL)
        set_option("pshm_width", upcr_linked_width, "upcc -pshm-width", 1);
    for (size_t i = 0; i < sizeof further_variables / sizeof *further_variables; i++) {
        const char *value = getenv(further_variables[i].env);
        if (value != NULL)
            set_option(further_variables[i].option, value, further_variables[i].env, env_unit);
    }
    for (size_t i = 0; i < sizeof option_table / sizeof *option_table; i++) {
        const char *value = getenv(option_table[i].env);
        if (value != NULL)
            set_option(option_table[i].name, value, option_table[i].env, env_unit);
    }
}

void upcr_options_take(int *argc, char **argv)
{
    if (upcr_options.threads != 0)
        return;
    int next = 1;
    for (int used; next < *argc && (used = read_flag(argv + next)) != 0;)
        next += used;
    if (next < *argc && strcmp(argv[next], "--") == 0)
        next++;
    for (int i = next; next > 1 && i <= *argc; i++)
        argv[i - next + 1] = argv[i];
    *argc -= next - 1;
}
