/* Prints a stack in the user's terms. */
#include "runtime.h"

#include <stdio.h>
#include <string.h>

#include "trace/trace.h"

enum { MOST_FRAMES = UPCR_TRACE_CAPACITY + 64 };

struct frame {
    struct upcr_level level;
    bool gap; /* stands for frames that are not known */
};

/* The operations behind functions of the runtime whose names differ. */
static const struct {
    const char *function, *meaning;
} operations[] = {
    {"upcr_notify", "upc_notify"},
    {"upcr_wait", "upc_wait"},
    {"upcr_barrier", "upc_barrier"},
    {"upcr_check_notify", "upc_notify"},
    {"upcr_check_wait", "upc_wait"},
    {"upcr_check_barrier", "upc_barrier"},
    {"upcr_inst_start", "the performance tool"},
    {"upcr_inst_end", "the performance tool"},
    {"upcr_inst_once", "the performance tool"},
    {"upcr_inst_enter", "the performance tool"},
    {"upcr_inst_leave", "the performance tool"},
    {"upcr_final_barrier", "the final barrier, after main"},
    {"upcr_internal_barrier", "the barrier before main"},
};

/* The outermost function of the program, which calls the user's main. */
static const char outermost[] = "__wrap_main";

static bool is_runtime(const struct upcr_level *level)
{
    static const char *const prefixes[] = {"upc_", "upcr_", "bupc_", "upcx_"};
    for (size_t i = 0; level->line == 0 && level->function != NULL && i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(level->function, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static const char *meaning(const char *function)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].function, function) == 0)
            return operations[i].meaning;
    return function;
}

/* All levels of all frames, inside main. */
static int expand(const struct upcr_stack *stack, struct frame *frames)
{
    int count = 0;
    for (int i = 0; i < stack->count; i++) {
        struct upcr_level levels[UPCR_TRACE_MOST_LEVELS];
        int depth = upcr_trace_levels(stack->pcs[i], levels, UPCR_TRACE_MOST_LEVELS);
        if (levels[0].function != NULL && strcmp(levels[0].function, outermost) == 0)
            break;
        if (stack->omitted != 0 && i == UPCR_TRACE_INNER && count < MOST_FRAMES)
            frames[count++] = (struct frame){.gap = true};
        for (int l = 0; l < depth && count < MOST_FRAMES; l++)
            frames[count++] = (struct frame){.level = levels[l]};
    }
    return count;
}

/* Removes frames that are not shown: those inside a function of the runtime or of a library that the user's code called, up to the next function of
   the user, and those without a name. Returns the number of remaining frames, the innermost first. */
static int fold(struct frame *frames, int count)
{
    bool inside = false, in_user = false;
    int kept = count; /* frames[kept..count) are */
    for (int i = count - 1; i >= 0; i--) {
        struct frame frame = frames[i];
        bool named = in_user && frame.level.function != NULL && frame.level.line == 0;
        if (frame.gap || frame.level.user)
            inside = false;
        else if (inside || !(named || is_runtime(&frame.level)))
            continue;
        else
            inside = frame.level.system || is_runtime(&frame.level);
        in_user = in_user || frame.level.user;
        frames[--kept] = frame;
    }
    memmove(frames, frames + kept, (size_t)(count - kept) * sizeof *frames);
    return count - kept;
}

const char *upcr_trace_operation(const struct upcr_stack *stack)
{
    struct frame frames[MOST_FRAMES];
    int count = fold(frames, expand(stack, frames));
    const char *name = NULL;
    for (int i = 0; i < count && !frames[i].level.user; i++)
        if (!frames[i].gap)
            name = frames[i].level.function;
    return name == NULL ? NULL : meaning(name);
}

void upcr_trace_print(const struct upcr_stack *stack, void (*line)(const char *text))
{
    struct frame frames[MOST_FRAMES];
    int count = fold(frames, expand(stack, frames));
    for (int i = 0; i < count; i++) {
        const struct upcr_level *level = &frames[i].level;
        const char *function = level->function != NULL ? level->function : "?";
        char text[400];
        if (frames[i].gap)
            snprintf(text, sizeof text, "... %d frames ...", stack->omitted);
        else if (!level->user)
            snprintf(text, sizeof text, "#%d in %s", i, meaning(function));
        else
            snprintf(text, sizeof text, "#%d %.*s at %s%s%s:%u", i, (int)strcspn(function, "."), function, level->folder != NULL ? level->folder : "",
                     level->folder != NULL ? "/" : "", level->file, level->line);
        line(text);
    }
}
