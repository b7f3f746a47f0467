// question: does shadow memory take at most twice the shared memory that the program touches?
// upcrun: -shared-heap 32M
#include "races.h"
#include <stdlib.h>
#include <string.h>

enum { WORDS = 512 << 10, BYTES = WORDS * sizeof(long), SLACK = 1 << 20 };

shared [WORDS] long block[WORDS * THREADS];

/* The bytes of memory of this process. */
static long resident(void)
{
    char line[200];
    long kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    CHECK(status != NULL);
    while (fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, "VmRSS:", 6) == 0)
            kilobytes = atol(line + 6);
    fclose(status);
    return kilobytes * 1024;
}

int main(void)
{
    shared [] long *mine = (shared [] long *)&block[WORDS * MYTHREAD];
    mine[0] = 1;
    long before = resident();
    for (int i = 0; i < WORDS; i += 8)
        mine[i] = 1;
    CHECK(resident() - before > 2 * BYTES - SLACK);
    upc_memset(mine, 1, BYTES);
    CHECK(resident() - before <= 3 * BYTES + SLACK);
    return pass();
}
