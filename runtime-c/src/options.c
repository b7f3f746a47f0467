#include "runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

enum kind { COUNT, SIZE, SWITCH };
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
#define UPCR_OPTION(name, kind, env, fallback, help) {#name, offsetof(struct upcr_options, name), kind, env},
#include "options.def"
};

static const struct flag flag_table[] = {
#define UPCR_FLAG(option, spelling, style, unit) {#option, spelling, style, unit},
#include "options.def"
};

static const uint64_t env_unit = 1 << 20;

/* The heap size that `upcc -shared-heap=SIZE` put into the program at the link. */
extern const char upcr_linked_heap[] __attribute__((__weak__));

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

static void set_size(struct upcr_options *options, const char *text, const char *source, uint64_t unit)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    bool is_number = end != text && *text >= '0' && *text <= '9' && errno == 0 && number > 0;
    if (is_number && strcmp(end, "%") == 0 && number <= 100) {
        options->heap_percent = number;
        options->heap = 0;
        return;
    }
    uint64_t factor = suffix_factor(end, unit), bytes;
    if (!is_number || factor == 0 || __builtin_mul_overflow((uint64_t)number, factor, &bytes))
        upcr_refuse("%s: '%s' is no size: give a number with K, M or G behind it, or a percentage of memory", source, text);
    options->heap = bytes;
    options->heap_percent = 0;
}

static void set_count(uint64_t *count, const char *text, const char *source)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || number == 0 || number > INT32_MAX)
        upcr_refuse("%s: '%s' is no number of threads", source, text);
    *count = number;
}

static void set_option(struct upcr_options *options, const char *name, const char *text, const char *source, uint64_t unit)
{
    for (size_t i = 0; i < sizeof option_table / sizeof *option_table; i++) {
        if (strcmp(option_table[i].name, name) != 0)
            continue;
        uint64_t *value = (uint64_t *)(void *)((char *)options + option_table[i].field);
        switch (option_table[i].kind) {
        case COUNT:
            set_count(value, text, source);
            break;
        case SIZE:
            set_size(options, text, source, unit);
            break;
        case SWITCH:
            *value = strcmp(text, "0") != 0 && strcasecmp(text, "no") != 0 && *text != '\0';
            break;
        }
    }
}

/* The number of arguments that the flag at argv[0] takes up; 0 if it is none of ours. */
static int read_flag(struct upcr_options *options, char **argv)
{
    for (size_t i = 0; i < sizeof flag_table / sizeof *flag_table; i++) {
        const struct flag *flag = &flag_table[i];
        size_t length = strlen(flag->spelling);
        if (strncmp(argv[0], flag->spelling, length) != 0)
            continue;
        const char *rest = argv[0] + length;
        if (flag->style == NEXT && *rest == '\0' && argv[1] != NULL) {
            set_option(options, flag->option, argv[1], flag->spelling, flag->unit);
            return 2;
        }
        if (flag->style == GLUED && *rest >= '0' && *rest <= '9') {
            set_option(options, flag->option, rest, flag->spelling, flag->unit);
            return 1;
        }
    }
    return 0;
}

void upcr_options_read(struct upcr_options *options, int *argc, char **argv)
{
    memset(options, 0, sizeof *options);
    if (upcr_linked_heap != NULL)
        set_option(options, "heap", upcr_linked_heap, "upcc -shared-heap", env_unit);
    for (size_t i = 0; i < sizeof option_table / sizeof *option_table; i++) {
        const char *value = getenv(option_table[i].env);
        if (value != NULL)
            set_option(options, option_table[i].name, value, option_table[i].env, env_unit);
    }
    if (options->threads != 0)
        return;
    int next = 1;
    for (int used; next < *argc && (used = read_flag(options, argv + next)) != 0;)
        next += used;
    if (next < *argc && strcmp(argv[next], "--") == 0)
        next++;
    for (int i = next; next > 1 && i <= *argc; i++)
        argv[i - next + 1] = argv[i];
    *argc -= next - 1;
}
