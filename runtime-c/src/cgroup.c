#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The hierarchies that may limit memory: what a line of the list has between its colons, the folders below the root, and the
   file with the limit. */
static const struct hierarchy {
    const char *controller, *folder, *file;
} hierarchies[] = {
    {"", "", "memory.max"},
    {"", "/unified", "memory.max"},
    {"memory", "/memory", "memory.limit_in_bytes"},
};

enum { LIST_MOST = 4096 };

/* Reads a small file as text; false: it cannot be read. */
static bool read_text(const char *path, char *text, size_t capacity)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t n = read(file, text, capacity - 1);
    close(file);
    text[n < 0 ? 0 : n] = '\0';
    return n > 0;
}

/* Returns the limit in a file; UINT64_MAX: it has none, or does not exist. */
static uint64_t limit_in(const char *root, const struct hierarchy *hierarchy, const char *group)
{
    char path[PATH_MAX], text[32], *end;
    int n = snprintf(path, sizeof path, "%s%s%s/%s", root, hierarchy->folder, group, hierarchy->file);
    if (n < 0 || (size_t)n >= sizeof path || !read_text(path, text, sizeof text))
        return UINT64_MAX;
    errno = 0;
    unsigned long long limit = strtoull(text, &end, 10);
    return end == text || errno != 0 ? UINT64_MAX : limit;
}

/* Returns the least limit of a group and of those around it. In a container the group's folder may not exist: that of the
   container is then the root. */
static uint64_t limit_around(const char *root, const struct hierarchy *hierarchy, char *group)
{
    uint64_t least = UINT64_MAX;
    for (;;) {
        uint64_t limit = limit_in(root, hierarchy, group);
        char *last = strrchr(group, '/');
        least = limit < least ? limit : least;
        if (last == NULL)
            return least;
        *last = '\0';
    }
}

/* Returns whether a list of words between commas has a word. The empty list has the empty word. */
static bool has_word(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = words;; at++) {
        size_t length = strcspn(at, ",");
        if (length == n && memcmp(at, word, n) == 0)
            return true;
        at += length;
        if (*at == '\0')
            return false;
    }
}

uint64_t upcr_cgroup_limit(const char *list, const char *root)
{
    uint64_t least = UINT64_MAX;
    char line[PATH_MAX];
    while (*list != '\0') {
        size_t length = strcspn(list, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, list);
        list += length + (list[length] == '\n');
        char *controllers = strchr(line, ':'), *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (group == NULL)
            continue;
        *group++ = '\0';
        for (size_t h = 0; h < sizeof hierarchies / sizeof *hierarchies; h++) {
            char path[PATH_MAX];
            snprintf(path, sizeof path, "%s", group);
            uint64_t limit = has_word(controllers + 1, hierarchies[h].controller) ? limit_around(root, &hierarchies[h], path) : UINT64_MAX;
            least = limit < least ? limit : least;
        }
    }
    return least;
}

uint64_t upcr_usable_memory(void)
{
    uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE), limit;
    char list[LIST_MOST];
    if (!read_text("/proc/self/cgroup", list, sizeof list))
        return memory;
    limit = upcr_cgroup_limit(list, "/sys/fs/cgroup");
    return limit < memory ? limit : memory;
}
