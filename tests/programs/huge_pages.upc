// question: are segments mapped so that the system can give them huge pages, on every thread?
#include "check.h"
#include <inttypes.h>
#include <stdint.h>

/* Reads a number from a file that some systems lack; 0: this one. */
static uint64_t huge_page(void)
{
    uint64_t bytes = 0;
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%" SCNu64, &bytes) != 1 || bytes > 32 << 20)
        bytes = 0;
    fclose(file);
    return bytes;
}

/* How far an address is from its offset in the file that is mapped there. */
static uint64_t distance(const void *address)
{
    uint64_t at = (uintptr_t)address, first, behind, offset, found = 1;
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    CHECK(maps != NULL);
    while (fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &first, &behind, &offset) == 3 && first <= at && at < behind)
            found = first - offset;
    fclose(maps);
    return found;
}

static shared int object[THREADS];

int main(void)
{
    uint64_t huge = huge_page();
    shared [] char *block = upc_alloc(100);
    if (huge != 0) {
        CHECK(distance((char *)block) % huge == 0);
        CHECK(distance((int *)&object[MYTHREAD]) % huge == 0);
    }
    upc_free(block);
    return pass();
}
