// question: does memory that other threads have filled cost no page faults after a barrier?
// threads: 1 2 3 5
// not: apart segments of other threads are not mapped
// not: checked-apart
#include "check.h"
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <upc_relaxed.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

#define PAGE 4096
#define PAGES 240

shared [PAGES * PAGE] char bytes[PAGES * PAGE * THREADS];
shared [] char *shared blocks[THREADS];

static long faults(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_minflt;
}

/* Threads that MPI has started, and old systems, do not map pages in advance. */
static int is_mapped_in_advance(void)
{
    static char own[2 * PAGE];
    char *page = own + (PAGE - (uintptr_t)own % PAGE) % PAGE;
    if (getenv("PMIX_RANK") != NULL || getenv("PMI_RANK") != NULL)
        return 0;
    return sysconf(_SC_PAGESIZE) == PAGE && madvise(page, PAGE, MADV_POPULATE_READ) == 0;
}

static void touch(shared [] char *of, int value)
{
    for (int i = 0; i < PAGES; i++)
        of[i * (long)PAGE + i] = value + i % 7;
    upc_barrier;
}

static void look(shared [] char *of, int value)
{
    int wrong = 0;
    long before = faults();
    for (int i = 0; i < PAGES; i++) {
        of[i * (long)PAGE + 1000] = 1; /* the system maps several pages for a read, but one for a write */
        wrong += of[i * (long)PAGE + i] != value + i % 7;
    }
    long made = faults() - before;
    CHECK(wrong == 0);
    if (is_mapped_in_advance())
        CHECK(made < PAGES / 8);
    upc_barrier;
}

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS;
    touch((shared [] char *)&bytes[MYTHREAD * (long)(PAGES * PAGE)], 1);
    look((shared [] char *)&bytes[next * (long)(PAGES * PAGE)], 1);
    blocks[MYTHREAD] = upc_alloc(PAGES * PAGE);
    touch(blocks[MYTHREAD], 2);
    look(blocks[next], 2);
    return pass();
}
