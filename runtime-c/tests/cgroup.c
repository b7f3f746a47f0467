/* The limits of memory of control groups, in made-up folders. */
#define _GNU_SOURCE
#include "test.h"

#include <ftw.h>
#include <sys/stat.h>

#include "cgroup.h"

/* Files below the root with their contents; a list as in /proc/self/cgroup; the least limit. */
static const struct {
    const char *files[4][2], *list;
    uint64_t limit;
} cases[] = {
    {{{0}}, "", UINT64_MAX},
    {{{0}}, "0::/\n", UINT64_MAX},
    {{{"memory.max", "max\n"}}, "0::/\n", UINT64_MAX},
    {{{"memory.max", "1073741824\n"}}, "0::/\n", 1u << 30},
    {{{"job/memory.max", "4096000\n"}, {"job/step/memory.max", "max\n"}}, "0::/job/step\n", 4096000},
    {{{"job/memory.max", "8192000\n"}, {"job/step/memory.max", "4096000\n"}}, "0::/job/step\n", 4096000},
    /* The group of a container does not exist in it. */
    {{{"memory.max", "4096000\n"}}, "0::/docker/0123\n", 4096000},
    /* Another group's limit does not matter. */
    {{{"job/memory.max", "4096000\n"}}, "0::/jobs\n", UINT64_MAX},
    /* The first version of control groups; 9223372036854771712 stands for no limit there. */
    {{{"memory/job/memory.limit_in_bytes", "4096000\n"}, {"memory/memory.limit_in_bytes", "9223372036854771712\n"}},
     "5:devices:/job\n4:memory:/job\n0::/\n",
     4096000},
    {{{"memory/memory.limit_in_bytes", "4096000\n"}}, "4:cpu,memory:/\n", 4096000},
    {{{"memory/memory.limit_in_bytes", "4096000\n"}}, "4:cpu:/\n", UINT64_MAX},
    {{{"unified/job/memory.max", "4096000\n"}}, "4:cpu:/\n0::/job", 4096000},
    {{{"memory.max", "\n"}}, "0::/\nno list\n", UINT64_MAX},
};

static void write_file(const char *root, const char *name, const char *content)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')) != NULL; *at++ = '/') {
        *at = '\0';
        mkdir(path, 0700);
    }
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(content, file) >= 0 && fclose(file) == 0);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char root[] = "/tmp/upcr-cgroup-XXXXXX";
        CHECK(mkdtemp(root) != NULL);
        for (size_t f = 0; f < sizeof cases[i].files / sizeof *cases[i].files && cases[i].files[f][0] != NULL; f++)
            write_file(root, cases[i].files[f][0], cases[i].files[f][1]);
        uint64_t limit = upcr_cgroup_limit(cases[i].list, root);
        if (limit != cases[i].limit)
            fprintf(stderr, "case %zu: %llu\n", i, (unsigned long long)limit);
        CHECK(limit == cases[i].limit);
        CHECK(nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
    }
    CHECK(upcr_usable_memory() > 1 << 20 && upcr_usable_memory() <= (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE));
    return 0;
}
