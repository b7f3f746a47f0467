// question: how much memory do 30,000 gets of each thread take, all of them started before the first is waited for?
// threads: 2
#include "../programs/check.h"
#include <stdlib.h>
#include <string.h>
#include <upc_nb.h>

/* A message for each get would take 240 MB, of which half is touched. A get that waits takes below 300 bytes. */
enum { GETS = 30000, FIRST = 200, BYTES = 64, MOST_KB = 16 << 10 };

typedef struct { char bytes[GETS * BYTES]; } area;
static shared area all[THREADS];
static char result[GETS * BYTES];
static upc_handle_t handles[GETS];

/* A line of /proc/self/status: "VmRSS" for the memory of this process, "VmHWM" for the most that it has had. */
static long kilobytes(const char *name)
{
    char line[200];
    long found = -1;
    size_t length = strlen(name);
    FILE *status = fopen("/proc/self/status", "r");
    CHECK(status != NULL);
    while (fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, name, length) == 0 && line[length] == ':')
            found = atol(line + length + 1);
    fclose(status);
    CHECK(found > 0);
    return found;
}

static void get_all(shared [] char *from, int count)
{
    for (int i = 0; i < count; i++)
        handles[i] = upc_memget_nb(result + i * BYTES, from + i * BYTES, BYTES);
    for (int i = 0; i < count; i++)
        upc_sync(handles[i]);
}

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS;
    shared [] char *mine = (shared [] char *)&all[MYTHREAD], *its = (shared [] char *)&all[next];
    long before, more;
    for (int i = 0; i < GETS; i++)
        memset((char *)mine + i * BYTES, MYTHREAD + i, BYTES);
    memset(handles, 0, sizeof handles);
    upc_barrier;
    get_all(its, FIRST);
    memset(result, -1, sizeof result);
    before = kilobytes("VmRSS");
    upc_barrier;
    get_all(its, GETS);
    upc_barrier;
    more = kilobytes("VmHWM") - before;
    if (more > MOST_KB)
        fprintf(stderr, "thread %d: %ld KB more\n", MYTHREAD, more);
    CHECK(more <= MOST_KB);
    for (int i = 0; i < GETS; i++)
        CHECK(result[i * BYTES] == (char)(next + i) && result[i * BYTES + BYTES - 1] == (char)(next + i));
    return pass();
}
