/* From a program counter to the user's function, file and line. */
#include "runtime.h"

#include <stdio.h>

#include "trace/image.h"
#include "trace/info.h"
#include "trace/line.h"
#include "trace/trace.h"

/* Parts of the paths of files that are not the user's: headers of the runtime, the C library and the C compiler. */
static const char *const foreign[] = {"/upcr/", "/usr/include/", "/lib/gcc/", "/lib/clang/"};

static bool is_foreign(const struct upcr_file *file)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", file->folder != NULL ? file->folder : "", file->name);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (strstr(path, foreign[i]) != NULL)
            return true;
    return false;
}

static void set_line(struct upcr_level *level, const struct upcr_image *image, const struct upcr_file *file, uint64_t line)
{
    level->folder = file->folder;
    level->file = file->name;
    level->line = (unsigned)line;
    level->user = !image->system && line != 0 && !is_foreign(file);
}

int upcr_trace_levels(uintptr_t pc, struct upcr_level *levels, int capacity)
{
    struct upcr_image *image = upcr_image_at(pc);
    struct upcr_scope scopes[UPCR_TRACE_MOST_LEVELS];
    struct upcr_line line;
    if (capacity < 1)
        return 0;
    memset(levels, 0, sizeof *levels);
    if (image == NULL)
        return 1;
    uintptr_t address = pc - image->bias;
    levels[0].function = upcr_image_function(image, address);
    levels[0].system = image->system;
    if (!upcr_line_find(image, address, &line))
        return 1;
    set_line(&levels[0], image, &line.file, line.line);
    int count = upcr_info_scopes(image, line.unit, address, scopes, capacity < UPCR_TRACE_MOST_LEVELS ? capacity : UPCR_TRACE_MOST_LEVELS);
    /* The line table has the line of the innermost scope; the line of a scope's call is in the next outer one. */
    for (int i = 0; i < count; i++) {
        const struct upcr_scope *scope = &scopes[count - 1 - i];
        struct upcr_file file;
        if (i > 0) {
            const struct upcr_scope *inner = scope + 1;
            memset(&levels[i], 0, sizeof levels[i]);
            if (upcr_line_file(image, line.unit, inner->call_file, &file))
                set_line(&levels[i], image, &file, inner->call_line);
        }
        if (scope->name != NULL)
            levels[i].function = scope->name;
    }
    return count > 1 ? count : 1;
}

void upcr_trace_print_level(const struct upcr_level *level, char *text, size_t capacity)
{
    int length = 0;
    if (level->line != 0)
        length = snprintf(text, capacity, "%s%s%s:%u", level->folder != NULL ? level->folder : "", level->folder != NULL ? "/" : "", level->file, level->line);
    if (length < 0 || (size_t)length >= capacity)
        return;
    /* The name of a function that the translator generated means nothing to the user. */
    if (level->function == NULL || (length > 0 && strncmp(level->function, "upcc_", 5) == 0))
        return;
    /* The suffix that the C compiler adds to the name of a function that it has split begins with a dot. */
    snprintf(text + length, capacity - (size_t)length, length > 0 ? " (%.*s)" : "%.*s", (int)strcspn(level->function, "."), level->function);
}

bool upcr_trace_user_place(const uintptr_t *pcs, int count, char *text, size_t capacity)
{
    struct upcr_level levels[UPCR_TRACE_MOST_LEVELS];
    *text = '\0';
    for (int i = 0; i < count; i++) {
        int depth = upcr_trace_levels(pcs[i], levels, UPCR_TRACE_MOST_LEVELS);
        for (int l = 0; l < depth; l++) {
            if (!levels[l].user)
                continue;
            upcr_trace_print_level(&levels[l], text, capacity);
            return true;
        }
    }
    return false;
}
