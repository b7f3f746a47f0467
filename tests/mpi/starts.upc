// question: do starts return at once, however long and however many they are, when the other thread can answer nothing? Is all done after the sync?
// threads: 2 3
// not: hosts a process is stopped by its number, which one machine knows
#include "../programs/check.h"
#include <bupc_extensions.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include <upc_nb.h>

/* More than any transfer has under way at once; more short ones than may be. */
enum { LONG = 9 << 20, SHORT = 600, COUNT = 1500, SHORTS = COUNT * SHORT };
enum { READ = 0, WRITTEN = LONG, SET = 2 * LONG, READ_SHORT = 3 * LONG, WRITTEN_SHORT = READ_SHORT + SHORTS, COPIED = WRITTEN_SHORT + SHORTS, BYTES = COPIED + LONG };

typedef shared [] char *place;
typedef struct { char bytes[BYTES]; } area;
static shared area all[THREADS];
static shared int process[THREADS];
static char get[LONG], put[LONG], get_short[SHORTS], put_short[SHORTS], back[LONG];

static int are(const char *bytes, size_t n, char value)
{
    return n == 0 || (bytes[0] == value && memcmp(bytes, bytes + 1, n - 1) == 0);
}

static upc_handle_t handles[2 * COUNT + 5];

static int start(place there)
{
    int i, count = 0;
    handles[count++] = upc_memget_nb(get, there + READ, LONG);
    handles[count++] = upc_memput_nb(there + WRITTEN, put, LONG / 2);
    handles[count++] = bupc_memput_async(there + WRITTEN + LONG / 2, put + LONG / 2, LONG / 2);
    handles[count++] = upc_memset_nb(there + SET, 3, LONG);
    handles[count++] = upc_memcpy_nb(there + COPIED, there + READ, LONG);
    for (i = 0; i < COUNT; i++) {
        handles[count++] = (i % 2 ? upc_memget_nb : bupc_memget_async)(get_short + i * SHORT, there + READ_SHORT + i * SHORT, SHORT);
        if (i % 3 == 0)
            upc_memput_nbi(there + WRITTEN_SHORT + i * SHORT, put_short + i * SHORT, SHORT);
        else
            handles[count++] = upc_memput_nb(there + WRITTEN_SHORT + i * SHORT, put_short + i * SHORT, SHORT);
    }
    return count;
}

int main(void)
{
    place mine = (place)&all[MYTHREAD], there = (place)&all[THREADS - 1];
    int other, count, i;
    process[MYTHREAD] = getpid();
    memset((char *)mine + READ, 1, LONG);
    memset((char *)mine + READ_SHORT, 4, SHORTS);
    memset(put, 2, LONG);
    memset(put_short, 5, SHORTS);
    upc_barrier;
    if (MYTHREAD == 0) {
        other = process[THREADS - 1];
        alarm(60);
        CHECK(kill(other, SIGSTOP) == 0);
        count = start(there);
        CHECK(kill(other, SIGCONT) == 0);
        for (i = count - 1; i >= 0; i--)
            upc_sync(handles[i]);
        upc_synci();
        CHECK(are(get, LONG, 1) && are(get_short, SHORTS, 4));
        upc_memget(back, there + WRITTEN, LONG);
        CHECK(are(back, LONG, 2));
        upc_memget(back, there + SET, LONG);
        CHECK(are(back, LONG, 3));
        upc_memget(back, there + COPIED, LONG);
        CHECK(are(back, LONG, 1));
        upc_memget(back, there + WRITTEN_SHORT, SHORTS);
        CHECK(are(back, SHORTS, 5));
        alarm(0);
    }
    /* The fence of a barrier waits for puts and sets that were started, long and short. */
    upc_barrier;
    if (MYTHREAD == 0) {
        memset(put, 6, LONG);
        memset(put_short, 7, SHORTS);
        upc_memset_nbi(there + SET, 8, LONG);
        upc_memcpy_nbi(there + COPIED, there + READ_SHORT, SHORTS);
        upc_memput_nbi(there + WRITTEN, put, LONG);
        for (i = 0; i < COUNT; i++)
            upc_memput_nbi(there + WRITTEN_SHORT + i * SHORT, put_short + i * SHORT, SHORT);
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        CHECK(are((char *)mine + WRITTEN, LONG, 6) && are((char *)mine + SET, LONG, 8) && are((char *)mine + COPIED, SHORTS, 4) && are((char *)mine + WRITTEN_SHORT, SHORTS, 7));
        /* Nobody waits for this: the program ends. */
        upc_memget_nbi(get, (place)&all[0], LONG);
    }
    if (MYTHREAD == 0)
        upc_synci();
    return pass();
}
