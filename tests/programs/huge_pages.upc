// question: are segments mapped so that the system can give them huge pages, on every thread, and is it asked for them unless the user wants small ones?
#include "check.h"
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* Writes the line "VmFlags: rd wr sh ..." of the mapping that contains an address; "": this system has no such lines. */
static void read_flags(const void *address, char *flags, int capacity)
{
    uint64_t at = (uintptr_t)address, first, behind;
    int is_its = 0;
    char line[512];
    FILE *maps = fopen("/proc/self/smaps", "r");
    flags[0] = '\0';
    if (maps == NULL)
        return;
    while (fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &first, &behind) == 2)
            is_its = first <= at && at < behind;
        else if (is_its && strncmp(line, "VmFlags:", 8) == 0)
            snprintf(flags, capacity, "%s", line);
    fclose(maps);
}

/* Checks what the runtime has asked of the system for a mapping: hg for huge pages, nh for none. */
static void check_advice(const void *address)
{
    char flags[256];
    int small = getenv("UPC_NO_HUGE_PAGES") != NULL;
    read_flags(address, flags, sizeof flags);
    if (flags[0] == '\0') {
        if (MYTHREAD == 0)
            puts("not checked: the system has no VmFlags");
        return;
    }
    CHECK(small == (strstr(flags, " nh") != NULL));
    CHECK(!small == (strstr(flags, " hg") != NULL));
}

static shared int object[THREADS];

int main(void)
{
    uint64_t huge = huge_page();
    shared [] char *block = upc_alloc(100);
    if (huge != 0) {
        CHECK(distance((char *)block) % huge == 0);
        CHECK(distance((int *)&object[MYTHREAD]) % huge == 0);
        check_advice((char *)block);
        check_advice((int *)&object[MYTHREAD]);
    } else if (MYTHREAD == 0) {
        puts("not checked: the system has no transparent huge pages");
    }
    upc_free(block);
    return pass();
}
