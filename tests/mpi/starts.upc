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
/* Pieces of lists and strides, more than may be under way; their distance. */
enum { PIECE = 60, PIECES = 1 << 15, APART = 64, LIST = PIECES * APART };
enum { READ = 0, WRITTEN = LONG, SET = 2 * LONG, READ_SHORT = 3 * LONG, WRITTEN_SHORT = READ_SHORT + SHORTS, COPIED = WRITTEN_SHORT + SHORTS };
enum { READ_LIST = COPIED + LONG, WRITTEN_LIST = READ_LIST + LIST, WRITTEN_VLIST = WRITTEN_LIST + LIST, BYTES = WRITTEN_VLIST + LIST };

typedef shared [] char *place;
typedef struct { char bytes[BYTES]; } area;
static shared area all[THREADS];
static shared int process[THREADS];
static char get[LONG], put[LONG], get_short[SHORTS], put_short[SHORTS], back[LONG];

static int are(const char *bytes, size_t n, char value)
{
    return n == 0 || (bytes[0] == value && memcmp(bytes, bytes + 1, n - 1) == 0);
}

static char get_list[3][PIECES * PIECE], put_list[PIECES * PIECE];
static shared const void *there_list[PIECES];
static bupc_smemvec_t there_vlist[PIECES];

static upc_handle_t handles[2 * COUNT + 10];

/* Starts copies of pieces in both directions, described in each way. */
static int start_lists(place there, upc_handle_t *at)
{
    void *here[1] = {get_list[0]};
    bupc_pmemvec_t here_v[1] = {{get_list[1], sizeof get_list[1]}}, from_v[1] = {{put_list, sizeof put_list}};
    int i, count = 0;
    for (i = 0; i < PIECES; i++) {
        there_list[i] = there + READ_LIST + i * APART;
        there_vlist[i].addr = there + READ_LIST + i * APART;
        there_vlist[i].len = PIECE;
    }
    at[count++] = bupc_memget_ilist_async(1, here, sizeof get_list[0], PIECES, there_list, PIECE);
    at[count++] = bupc_memget_vlist_async(1, here_v, PIECES, there_vlist);
    at[count++] = bupc_memget_fstrided_async(get_list[2], PIECE, PIECE, PIECES, there + READ_LIST, PIECE, APART, PIECES);
    at[count++] = bupc_memput_fstrided_async(there + WRITTEN_LIST, PIECE, APART, PIECES, put_list, PIECE, PIECE, PIECES);
    /* The lists themselves may change at once. */
    for (i = 0; i < PIECES; i++)
        there_vlist[i].addr = there + WRITTEN_VLIST + i * APART;
    at[count++] = bupc_memput_vlist_async(PIECES, there_vlist, 1, from_v);
    memset(there_list, 0, sizeof there_list);
    memset(there_vlist, 0, sizeof there_vlist);
    return count;
}

/* Whether each piece of a list arrived, and nothing between them. */
static void check_list(place there, int begin)
{
    upc_memget(back, there + begin, LIST);
    for (int i = 0; i < PIECES; i++)
        CHECK(back[i * APART] == (char)i && back[i * APART + PIECE - 1] == (char)(i + 1) && back[i * APART + PIECE] == 9);
}

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
    return count + start_lists(there, handles + count);
}

static shared int all_started, written;

/* Gets of few bytes, each in one short message, which the engine takes without a request for as long as it has a place for them. What comes from a
   third thread says nothing about the stopped one. */
static void start_few(place there, int other)
{
    enum { FEW = 64, WAITED = 200, STARTED = 200 };
    for (int i = 0; i < WAITED; i++)
        upc_memget(back + i * FEW, there + READ_SHORT + i * SHORT, FEW);
    /* A start would wait for lines of the cache that are being fetched. */
    upc_fence;
    CHECK(kill(other, SIGSTOP) == 0);
    for (int i = 0; i < STARTED; i++) {
        int before = written;
        upc_memget_nbi(get_short + i * FEW, there + READ_SHORT + (WAITED + i) * SHORT, FEW);
        while (THREADS > 2 && written == before)
            bupc_poll();
    }
    all_started = 1;
    CHECK(kill(other, SIGCONT) == 0);
    upc_synci();
    CHECK(are(get_short, STARTED * FEW, 4));
}

int main(void)
{
    place mine = (place)&all[MYTHREAD], there = (place)&all[THREADS - 1];
    int other, count, i, way;
    process[MYTHREAD] = getpid();
    memset((char *)mine + READ, 1, LONG);
    memset((char *)mine + READ_SHORT, 4, SHORTS);
    memset((char *)mine + READ_LIST, 9, 3 * LIST);
    for (i = 0; i < PIECES; i++) {
        ((char *)mine)[READ_LIST + i * APART] = put_list[i * PIECE] = (char)i;
        ((char *)mine)[READ_LIST + i * APART + PIECE - 1] = put_list[i * PIECE + PIECE - 1] = (char)(i + 1);
    }
    memset(put, 2, LONG);
    memset(put_short, 5, SHORTS);
    upc_barrier;
    if (MYTHREAD == 0) {
        other = process[THREADS - 1];
        alarm(60);
        start_few(there, other);
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
        for (i = 0; i < PIECES; i++)
            for (way = 0; way < 3; way++)
                CHECK(get_list[way][i * PIECE] == (char)i && get_list[way][i * PIECE + PIECE - 1] == (char)(i + 1));
        check_list(there, WRITTEN_LIST);
        check_list(there, WRITTEN_VLIST);
        alarm(0);
    }
    /* Both are in the memory of thread 0. */
    while (MYTHREAD == 1 && THREADS > 2 && !all_started) {
        written++;
        upc_fence;
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
