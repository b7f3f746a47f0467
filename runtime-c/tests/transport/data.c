/* Gets, puts and what becomes of them. */
#define _GNU_SOURCE
#include "conformance.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "upc_types.h"

enum { SIZE_MOST = (1 << 22) + 3, GUARD = 32, EDGE = 0x5a };

/* ---- What a thread knows before it does anything --------------------------------------------------------------------- */

void case_constants(void)
{
    uint64_t offset = everywhere(8192);
    unsigned char bytes[8192], zero[8192] = {0};
    CHECK(ALL >= 1 && ME >= 0 && ME < ALL && !is_remote(ME));
    for (int t = 0; t < ALL; t++) {
        get(bytes, at(t, offset), sizeof bytes);
        CHECK(memcmp(bytes, zero, sizeof bytes) == 0);
    }
    if (ME != 0)
        CHECK(getchar() == EOF);
    CHECK(upcr_tp_my_stack() != NULL);
    CHECK(upcr_tp_processes() == 0 || upcr_tp_processes() == ALL);
    forget(offset);
}

/* Groups are intervals; whoever is mapped is together with this thread, and costs nothing. */
void case_together(void)
{
    struct upcr_distance distance = upcr_tp_distance();
    bool any_remote = false;
    for (int a = 0; a < ALL; a++) {
        CHECK(upcr_tp_together(a, a) && upcr_tp_together(ME, a) == !is_remote(a));
        any_remote = any_remote || is_remote(a);
        for (int b = a; b < ALL; b++) {
            CHECK(upcr_tp_together(a, b) == upcr_tp_together(b, a));
            for (int c = a; c <= b; c++)
                CHECK(!upcr_tp_together(a, b) || upcr_tp_together(a, c));
        }
    }
    CHECK(any_remote || ALL == 1 || upcr_tp_together(0, ALL - 1));
    CHECK(distance.put <= distance.get || distance.get == 0);
}

struct task {
    int bytes, where;
    unsigned char rest[UPCR_CALL_MOST - 2 * sizeof(int)];
};

static void invert(void *data)
{
    struct task *task = data;
    for (int i = 0; i < task->bytes; i++)
        task->rest[i] ^= 0xff;
    task->where = ME;
}

/* Work is done where the thread's memory is, on what it is given. The program asks for no memory beside the segments. */
void case_calls(void)
{
    struct task task;
    const int sizes[] = {0, 1, 9, sizeof task.rest};
    for (int t = 0; t < ALL; t++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            task.bytes = sizes[s];
            task.where = -1;
            for (int i = 0; i < sizes[s]; i++)
                task.rest[i] = (unsigned char)(i + t);
            upcr_tp_call(t, invert, &task, 2 * sizeof(int) + (size_t)sizes[s]);
            CHECK(is_remote(t) ? task.where >= 0 : task.where == ME);
            for (int i = 0; i < sizes[s]; i++)
                CHECK(task.rest[i] == (unsigned char)(0xff ^ (i + t)));
        }
        CHECK(upcr_tp_side(t) == NULL);
    }
    CHECK(strlen(upcr_tp_machine()) < 256);
}

/* A thread that only looks serves the others, and has what they put. */
void case_looking(void)
{
    uint64_t offset = everywhere(sizeof(uint64_t)), one = 1, seen = 2;
    const volatile uint64_t *mine = upcr_addr(at(ME, offset));
    get(&seen, at(NEXT, offset), sizeof seen);
    CHECK(seen == 0);
    put(at(NEXT, offset), &one, sizeof one);
    upcr_tp_fence();
    while (*mine == 0)
        upcr_tp_look();
    CHECK(*mine == 1);
    forget(offset);
}

/* ---- Sizes ---------------------------------------------------------------------------------------------------------- */

static bool all_are(const unsigned char *bytes, size_t n, unsigned char value)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != value)
            return false;
    return true;
}

/* n bytes there and back between places of any alignment; nothing beside them changes. */
static void there_and_back(uint64_t offset, size_t n, size_t skew_remote, size_t skew_local)
{
    static unsigned char out[SIZE_MOST + 16], kept[SIZE_MOST + 16], in[SIZE_MOST + 16 + 2 * GUARD];
    uint64_t begin = offset + GUARD + skew_remote;
    upcr_pts_t there = at(NEXT, begin), before = at(NEXT, begin - GUARD), behind = at(NEXT, begin + n);
    set(before, EDGE, GUARD);
    set(behind, EDGE, GUARD);
    scribble(out + skew_local, n, n + skew_remote);
    memcpy(kept, out + skew_local, n);
    put(there, out + skew_local, n);
    memset(out + skew_local, 0, n);
    memset(in, EDGE, sizeof in);
    get(in + GUARD + skew_local, there, n);
    CHECK(memcmp(in + GUARD + skew_local, kept, n) == 0);
    CHECK(all_are(in, GUARD + skew_local, EDGE) && all_are(in + GUARD + skew_local + n, GUARD, EDGE));
    get(in, before, GUARD);
    get(in + GUARD, behind, GUARD);
    CHECK(all_are(in, (size_t)2 * GUARD, EDGE));
}

void case_sizes(void)
{
    static const size_t sizes[] = {0,    1,    2,     3,     4,     5,     7,      8,       9,       12,      15,      16,       17,   31,
                                   33,   255,  1023,  2040,  2047,  2048,  2049,   4096,    8152,    8159,    8160,    8161,     8168, 8191,
                                   8192, 8193, 16384, 65535, 65536, 65537, 262144, 1048575, 1048576, 1048577, 4194304, SIZE_MOST};
    uint64_t offset = everywhere(SIZE_MOST + 16 + 2 * GUARD);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t skews = sizes[i] > 300000 ? 2 : 8;
        for (size_t skew = 0; skew < skews; skew++)
            there_and_back(offset, sizes[i], skew, (skew * 3 + i) % 8);
    }
    forget(offset);
}

/* ---- Order ---------------------------------------------------------------------------------------------------------- */

enum { WINDOW = 3 << 16 };

static size_t random_size(uint64_t *state)
{
    static const size_t mosts[] = {1, 8, 16, 64, 64, 512, 2100, 9000, 70000};
    return 1 + test_random(state) % mosts[test_random(state) % (sizeof mosts / sizeof *mosts)];
}

/* Makes an update of an integer or a floating number, and the same in the model. */
static void any_update(int thread, uint64_t window, unsigned char *model, size_t place, uint64_t *state)
{
    enum upcr_update all[] = {UPCR_UPDATE_ADD, UPCR_UPDATE_AND, UPCR_UPDATE_OR, UPCR_UPDATE_XOR, UPCR_UPDATE_ADD_FLOATING};
    enum upcr_update how = all[test_random(state) % 5];
    bool floating = how == UPCR_UPDATE_ADD_FLOATING;
    size_t n = (size_t)1 << (floating ? 2 + test_random(state) % 2 : test_random(state) % 4);
    uint64_t value = test_random(state) * UINT64_C(0x9e3779b97f4a7c15);
    double wide = (double)(value >> 40);
    float narrow = (float)(value >> 40);
    const void *with = !floating ? (const void *)&value : n == sizeof wide ? (const void *)&wide : (const void *)&narrow;
    place &= ~(n - 1);
    upcr_update_apply(how, model + place, with, n);
    update(at(thread, window + place), how, with, n);
}

/* One operation on a window that nobody else touches; the model has it at once. */
static void any_operation(int thread, uint64_t window, unsigned char *model, uint64_t *state)
{
    static unsigned char bytes[WINDOW];
    size_t n = random_size(state), place = test_random(state) % (WINDOW - n), other = test_random(state) % (WINDOW - n);
    /* Near the last ones, so that operations meet. */
    if (test_random(state) % 4 != 0)
        place %= 3000;
    switch (test_random(state) % 10) {
    case 0:
    case 1:
    case 2:
        scribble(bytes, n, *state);
        memcpy(model + place, bytes, n);
        put(at(thread, window + place), bytes, n);
        memset(bytes, 0, n);
        break;
    case 3:
        memset(model + place, (int)(n & 0xff), n);
        set(at(thread, window + place), (unsigned char)n, n);
        break;
    case 4: {
        uint64_t old, addend = *state;
        place &= ~(size_t)7;
        memcpy(&old, model + place, 8);
        uint64_t sum = old + addend, fetched = 0;
        memcpy(model + place, &sum, 8);
        atomic(UPCR_CELL_U64, UPC_ADD, at(thread, window + place), &addend, NULL, test_random(state) % 2 ? &fetched : NULL);
        CHECK(fetched == 0 || fetched == old);
        break;
    }
    case 5:
        if (place + n > other && other + n > place)
            break;
        memcpy(model + other, model + place, n);
        copy(at(thread, window + other), at(thread, window + place), n);
        break;
    case 6:
    case 7:
        any_update(thread, window, model, place, state);
        break;
    default:
        get(bytes, at(thread, window + place), n);
        CHECK(memcmp(bytes, model + place, n) == 0);
        break;
    }
}

/* Operations of one thread on the same bytes take effect in their order, whatever they are. */
void case_order(void)
{
    static unsigned char model[2][WINDOW], last[WINDOW];
    int targets[2] = {NEXT, ALL - 1};
    uint64_t offset = everywhere((size_t)2 * (size_t)ALL * WINDOW), state = (uint64_t)ME + 99;
    memset(model, 0, sizeof model);
    for (int i = repeat(2000); i > 0; i--) {
        int which = (int)(test_random(&state) % 2);
        any_operation(targets[which], offset + (uint64_t)(2 * ME + which) * WINDOW, model[which], &state);
    }
    for (int which = 0; which < 2; which++) {
        get(last, at(targets[which], offset + (uint64_t)(2 * ME + which) * WINDOW), WINDOW);
        CHECK(memcmp(last, model[which], WINDOW) == 0);
    }
    forget(offset);
}

/* ---- Segments -------------------------------------------------------------------------------------------------------- */

enum { SEGMENTS = 700, IOV_CAPACITY = 1 << 19 };

void case_iov(void)
{
    static struct upcr_iov iov[SEGMENTS];
    static unsigned char source[IOV_CAPACITY], model[IOV_CAPACITY], there[IOV_CAPACITY];
    uint64_t offset = everywhere(IOV_CAPACITY), state = (uint64_t)ME * 7 + 1;
    memset(model, 0, sizeof model);
    for (int round = 0; round < 12; round++) {
        size_t count = 0, most = round % 3 == 0 ? 5000 : round % 3 == 1 ? 64 : 8;
        scribble(source, sizeof source, state);
        for (size_t place = 0; count < SEGMENTS;) {
            size_t n = 1 + test_random(&state) % most;
            place += test_random(&state) % 90;
            if (place + n > IOV_CAPACITY)
                break;
            iov[count++] = (struct upcr_iov){offset + place, source + place, n};
            memcpy(model + place, source + place, n);
            place += n;
        }
        /* Nor is their order of any matter. */
        for (size_t i = count; i > 1; i--) {
            size_t j = test_random(&state) % i;
            struct upcr_iov iovec = iov[i - 1];
            iov[i - 1] = iov[j];
            iov[j] = iovec;
        }
        put_iov(NEXT, iov, round == 0 ? 1 : count);
        if (round == 0) {
            memset(model, 0, sizeof model);
            memcpy(model + (iov[0].offset - offset), iov[0].bytes, iov[0].n);
        }
        memset(source, 0, sizeof source);
        get(there, at(NEXT, offset), sizeof there);
        CHECK(memcmp(there, model, sizeof there) == 0);
        /* The same segments back, to where they came from. */
        get_iov(NEXT, iov, round == 0 ? 1 : count);
        for (size_t i = 0; i < (round == 0 ? 1 : count); i++)
            CHECK(memcmp(iov[i].bytes, model + (iov[i].offset - offset), iov[i].n) == 0);
    }
    forget(offset);
}

/* Elements of a stride, up and down, which are a run, of scalars and of other sizes. */
void case_strides(void)
{
    static struct upcr_iov iov[SEGMENTS];
    static unsigned char source[SEGMENTS * 40], back[SEGMENTS * 40];
    static const size_t sizes[] = {1, 2, 3, 4, 8, 16, 33};
    uint64_t offset = everywhere(IOV_CAPACITY);
    for (size_t which = 0; which < 2 * sizeof sizes / sizeof *sizes; which++) {
        size_t n = sizes[which / 2], stride = 5 * n;
        scribble(source, sizeof source, which);
        for (size_t i = 0; i < SEGMENTS; i++)
            iov[i] = (struct upcr_iov){offset + stride * (which % 2 == 0 ? i : SEGMENTS - 1 - i), source + i * n, n};
        put_iov(NEXT, iov, SEGMENTS);
        for (size_t i = 0; i < SEGMENTS; i++)
            iov[i].bytes = back + i * n;
        get_iov(NEXT, iov, SEGMENTS);
        CHECK(memcmp(source, back, SEGMENTS * n) == 0);
        meet();
        for (size_t i = 0; i < SEGMENTS; i++)
            if (ALL == 1)
                CHECK(memcmp((char *)mine(iov[i].offset), source + i * n, n) == 0);
        meet();
    }
    forget(offset);
}

/* ---- Copies between any two threads ---------------------------------------------------------------------------------- */

void case_copies(void)
{
    static const size_t sizes[] = {1, 8, 1000, 8193, 65536, 65537, 300001};
    enum { ROOM = 300064 };
    static unsigned char source[ROOM], result[ROOM];
    /* Each thread has a place to copy from and one to copy to in every segment. */
    uint64_t offset = everywhere((size_t)2 * (size_t)ALL * ROOM);
    struct upcr_batch batch = {0};
    uint64_t from = offset + (uint64_t)ME * ROOM, to = offset + (uint64_t)(ALL + ME) * ROOM;
    for (int src = 0; src < ALL; src++) {
        for (int dst = 0; dst < ALL; dst++) {
            size_t n = sizes[(size_t)(src * 3 + dst + ME) % (sizeof sizes / sizeof *sizes)], skew = (size_t)(src + 2 * dst) % 8;
            scribble(source, n, (uint64_t)(src * 100 + dst));
            put(at(src, from + skew), source, n);
            set(at(dst, to), 0, n + 1);
            /* Blocking and started. */
            if ((src + dst) % 2 == 0)
                copy(at(dst, to), at(src, from + skew), n);
            else
                start_copy(at(dst, to), at(src, from + skew), n, &batch);
            upcr_tp_batch_wait(&batch);
            get(result, at(dst, to), n + 1);
            CHECK(memcmp(result, source, n) == 0 && result[n] == 0);
        }
    }
    forget(offset);
}

/* ---- Batches -------------------------------------------------------------------------------------------------------- */

enum { FLIGHTS = 600, FLIGHT_CAPACITY = 1 << 21 };

/* Cuts the space into segments of any size and gives each to one of some batches. */
static int cut(size_t *begin, size_t *size, uint64_t *state)
{
    size_t place = 0;
    int count = 0;
    while (count < FLIGHTS) {
        size_t n = random_size(state) % (count % 50 == 49 ? 70001 : 4000);
        if (place + n > FLIGHT_CAPACITY)
            break;
        begin[count] = place;
        size[count++] = n;
        place += n;
    }
    return count;
}

static void finish(struct upcr_batch *batch, bool by_test)
{
    while (by_test && !upcr_tp_batch_test(batch))
        ;
    upcr_tp_batch_wait(batch);
    CHECK(upcr_tp_batch_test(batch));
}

/* Many transfers of several batches under way at once. */
void case_in_flight(void)
{
    static unsigned char source[FLIGHT_CAPACITY], result[FLIGHT_CAPACITY];
    static size_t begin[FLIGHTS], size[FLIGHTS];
    struct upcr_batch batches[3] = {{0}};
    uint64_t offset = everywhere(FLIGHT_CAPACITY), state = (uint64_t)ME + 5;
    for (int i = 0; i < 3; i++)
        finish(&batches[i], i == 0);
    for (int round = 0; round < repeat(6); round++) {
        int count = cut(begin, size, &state);
        scribble(source, sizeof source, (uint64_t)(round * 100 + ME));
        for (int i = 0; i < count; i++) {
            if (i % 7 != 3) {
                start_put(at(NEXT, offset + begin[i]), source + begin[i], size[i], &batches[i % 3]);
                continue;
            }
            memset(source + begin[i], i, size[i]);
            start_set(at(NEXT, offset + begin[i]), (unsigned char)i, size[i], &batches[i % 3]);
        }
        for (int i = 0; i < 3; i++)
            finish(&batches[i], i == round % 3);
        memset(result, 0, sizeof result);
        for (int i = count - 1; i >= 0; i--)
            start_get(result + begin[i], at(NEXT, offset + begin[i]), size[i], &batches[i % 3]);
        for (int i = 2; i >= 0; i--)
            finish(&batches[i], i == round % 3);
        for (int i = 0; i < count; i++)
            CHECK(memcmp(result + begin[i], source + begin[i], size[i]) == 0);
    }
    forget(offset);
}

/* Blocking operations may overtake what was started, on other bytes, and nothing of either is lost; a fence performs what was started and done. */
void case_overtaken(void)
{
    enum { LONG = 3 << 20, SMALL = 4096 };
    static unsigned char source[LONG], there[LONG], small[SMALL], back[SMALL];
    uint64_t offset = everywhere(LONG + SMALL);
    for (int round = 0; round < 3; round++) {
        struct upcr_batch puts = {0}, gets = {0};
        scribble(source, LONG, (uint64_t)(ME + round));
        scribble(small, SMALL, (uint64_t)(ME + round) * 3);
        start_put(at(NEXT, offset), source, LONG, &puts);
        for (size_t i = 0; i < SMALL; i += 64)
            put(at(NEXT, offset + LONG + i), small + i, 64);
        get(back, at(NEXT, offset + LONG), SMALL);
        CHECK(memcmp(small, back, SMALL) == 0);
        upcr_tp_batch_wait(&puts);
        memset(small, 0, SMALL);
        start_get(there, at(NEXT, offset), LONG, &gets);
        for (size_t i = 0; i < SMALL; i += 512)
            put(at(NEXT, offset + LONG + i), small + i, 512);
        get(back, at(NEXT, offset + LONG), SMALL);
        CHECK(memcmp(small, back, SMALL) == 0);
        finish(&gets, true);
        CHECK(memcmp(there, source, LONG) == 0);
        meet();
        /* The thread that has the memory sees it as well. */
        scribble(there, LONG, (uint64_t)((ME + ALL - 1) % ALL + round));
        CHECK(memcmp(mine(offset), there, LONG) == 0);
        meet();
    }
    forget(offset);
}

/* However much is started, a start returns and few messages go to a thread that does not answer: thread 1 is stopped meanwhile. */
void case_unanswered(void)
{
    enum { COUNT = 3000, EACH = 512, ALL_OF_IT = COUNT * EACH, MESSAGES_MOST = 300 };
    static unsigned char source[ALL_OF_IT], result[ALL_OF_IT], there[ALL_OF_IT];
    struct upcr_batch puts = {0}, gets = {0};
    struct upcr_traffic before, after;
    uint64_t offset = everywhere((size_t)3 * ALL_OF_IT), process = offset + (uint64_t)2 * ALL_OF_IT;
    *(long *)mine(process) = getpid();
    scribble(mine(offset), ALL_OF_IT, 1);
    meet();
    /* The number means the process on this machine only. */
    if (ME == 0 && ALL > 1 && is_remote(1) && *upcr_tp_machine() == 0) {
        pid_t other = (pid_t)get_long(1, process);
        scribble(source, sizeof source, 2);
        upcr_tp_traffic(&before);
        alarm(60);
        CHECK(kill(other, SIGSTOP) == 0);
        for (size_t i = 0; i < ALL_OF_IT; i += EACH) {
            start_get(result + i, at(1, offset + i), EACH, &gets);
            start_put(at(1, offset + ALL_OF_IT + i), source + i, EACH, &puts);
        }
        start_set(at(1, process), 7, ALL_OF_IT, &puts);
        upcr_tp_traffic(&after);
        CHECK(kill(other, SIGCONT) == 0);
        CHECK(after.messages - before.messages < MESSAGES_MOST);
        finish(&gets, true);
        upcr_tp_fence();
        CHECK(upcr_tp_batch_test(&puts));
        scribble(there, sizeof there, 1);
        CHECK(memcmp(there, result, sizeof there) == 0);
        get(there, at(1, offset + ALL_OF_IT), ALL_OF_IT);
        CHECK(memcmp(there, source, sizeof there) == 0);
        get(there, at(1, process), ALL_OF_IT);
        CHECK(all_are(there, ALL_OF_IT, 7));
        alarm(0);
    }
    forget(offset);
}

/* ---- Visibility ----------------------------------------------------------------------------------------------------- */

/* Put, fence, barrier: all see it. */
void case_visible(void)
{
    enum { SLOTS = 40 };
    uint64_t offset = everywhere((size_t)ALL * SLOTS * 8);
    for (int round = 1; round <= repeat(60); round++) {
        for (int t = 0; t < ALL; t++)
            for (int i = 0; i < SLOTS; i++)
                put_long(t, offset + (uint64_t)(ME * SLOTS + i) * 8, round * 1000 + ME * 10 + i);
        meet();
        for (int t = 0; t < ALL; t++) {
            int i = (round + t) % SLOTS, third = (ME + t) % ALL;
            CHECK(look(offset + (uint64_t)(t * SLOTS + i) * 8) == round * 1000 + t * 10 + i);
            CHECK(get_long(third, offset + (uint64_t)(t * SLOTS + i) * 8) == round * 1000 + t * 10 + i);
        }
        meet();
    }
    forget(offset);
}

/* Data, fence, flag: who sees the flag, in a loop without any call, sees the data; and it comes to see it. */
void case_attentive(void)
{
    enum { DATA = 3000 };
    static unsigned char bytes[DATA];
    uint64_t offset = everywhere(8192), flag = offset + 4096;
    for (long round = 1; round <= repeat(20); round++) {
        size_t n = round % 2 == 0 ? DATA : 24;
        scribble(bytes, n, (uint64_t)(round * 77 + ME));
        put(at(NEXT, offset), bytes, n);
        upcr_tp_fence();
        put_long(NEXT, flag, round);
        upcr_tp_fence();
        while (look(flag) != round)
            ;
        scribble(bytes, n, (uint64_t)(round * 77 + (ME + ALL - 1) % ALL));
        CHECK(memcmp(mine(offset), bytes, n) == 0);
        meet();
    }
    forget(offset);
}

static void *beside(void *unused)
{
    cpu_set_t before, mine;
    CHECK(sched_getaffinity(getppid(), sizeof before, &before) == 0);
    upcr_tp_helper_begins();
    CHECK(sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_EQUAL(&before, &mine));
    return unused;
}

/* A thread that helps the main one may run wherever the launcher may, though this thread keeps to its processor. */
void case_helpers(void)
{
    pthread_t helper;
    CHECK(pthread_create(&helper, NULL, beside, NULL) == 0 && pthread_join(helper, NULL) == 0);
}

/* A thread that makes a fence after each put sends by itself, so there is hardly ever something left for the sender to take. */
static void fence_each_put(uint64_t offset)
{
#ifdef UPCR_REMOTE
    /* Where threads share a processor, one may be stopped between a put and its fence, and each fence takes a switch. */
    const int puts = upcr_wait_is_crowded() ? 0 : repeat(10000);
    uint32_t before = atomic_load_explicit(&upcr_collection.taken, memory_order_relaxed);
    for (int i = 0; i < puts; i++) {
        put_long(NEXT, offset, i);
        upcr_tp_fence();
    }
    uint32_t taken = atomic_load_explicit(&upcr_collection.taken, memory_order_relaxed) - before;
    CHECK(puts == 0 || taken <= (uint32_t)puts / 100);
#endif
    meet();
    (void)offset;
}

/* Puts leave without a fence: when they are sent on behalf of the main thread, and when nobody calls anything. */
void case_collected(void)
{
    uint64_t offset = everywhere(4096);
    for (long round = 1; round <= repeat(20); round++) {
        for (uint64_t i = 0; i < 8; i++)
            put_long(NEXT, offset + 8 * i, round);
#ifdef UPCR_REMOTE
        if (round % 2 == 0) {
            uint32_t before = upcr_collect_enter();
            while (!upcr_tp_send_collected() && !upcr_tp_may_put())
                continue;
            upcr_collect_leave(before);
        }
#endif
        for (uint64_t i = 0; i < 8; i++)
            while (look(offset + 8 * i) != round)
                ;
        meet();
    }
    fence_each_put(offset);
    forget(offset);
}

/* Each way to change a number, of each size, in the order of the calls: the result is what the same expression gives here. */
void case_updates(void)
{
    uint64_t offset = everywhere(64), seen[8];
    const uint64_t start = UINT64_C(0xfedcba9876543210), with = UINT64_C(0x0f1e2d3c4b5a6978);
    uint64_t place = offset;
    for (size_t n = 1; n <= 8; n *= 2, place += 8) {
        uint64_t model = start, low = n == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * n) - 1;
        put(at(NEXT, place), &model, sizeof model);
        update(at(NEXT, place), UPCR_UPDATE_ADD, &with, n);
        model = (model & ~low) | ((model + with) & low);
        update(at(NEXT, place), UPCR_UPDATE_XOR, &with, n);
        model ^= with & low;
        update(at(NEXT, place), UPCR_UPDATE_OR, &start, n);
        model |= start & low;
        update(at(NEXT, place), UPCR_UPDATE_AND, &with, n);
        model &= with | ~low;
        get(seen, at(NEXT, place), sizeof model);
        CHECK(seen[0] == model);
    }
    const double wide = 0.1, narrow_start = 3.5;
    const float narrow = 0.1f, from = (float)narrow_start;
    put(at(NEXT, offset), &wide, sizeof wide);
    put(at(NEXT, offset + 8), &from, sizeof from);
    for (int i = 0; i < 3; i++) {
        update(at(NEXT, offset), UPCR_UPDATE_ADD_FLOATING, &wide, sizeof wide);
        update(at(NEXT, offset + 8), UPCR_UPDATE_ADD_FLOATING, &narrow, sizeof narrow);
    }
    double sum;
    float short_sum;
    get(&sum, at(NEXT, offset), sizeof sum);
    get(&short_sum, at(NEXT, offset + 8), sizeof short_sum);
    CHECK(sum == wide + wide + wide + wide && short_sum == from + narrow + narrow + narrow);
    meet();
    for (int i = 0; i < 5; i++) {
        uint64_t one = 1;
        update(at(NEXT, offset), UPCR_UPDATE_XOR, &one, 1);
    }
    meet();
    CHECK(((const unsigned char *)mine(offset))[0] == (((const unsigned char *)&sum)[0] ^ 1));
    forget(offset);
}

/* All write to one at once, as much as they can. */
void case_flood(void)
{
    int each = repeat(20000);
    uint64_t offset = everywhere((size_t)ALL * (size_t)each * 8);
    for (int victim = 0; victim < (ALL < 3 ? ALL : 2); victim++) {
        for (int i = 0; i < each; i++)
            put_long(victim, offset + ((uint64_t)ME * (uint64_t)each + (uint64_t)i) * 8, i * 3L + ME + victim);
        meet();
        if (ME == victim)
            for (int t = 0; t < ALL; t++)
                for (int i = 0; i < each; i++)
                    CHECK(look(offset + ((uint64_t)t * (uint64_t)each + (uint64_t)i) * 8) == i * 3L + t + victim);
        meet();
    }
    forget(offset);
}

/* It never goes down, and grows with what is sent between threads that are apart. */
void case_traffic(void)
{
    struct upcr_traffic before, after;
    uint64_t offset = everywhere(64);
    upcr_tp_traffic(&before);
    for (int i = 0; i < 10; i++)
        CHECK(get_long(NEXT, offset) == 0);
    upcr_tp_traffic(&after);
    CHECK(after.messages >= before.messages && after.bytes >= before.bytes && after.memory >= before.memory);
    CHECK(before.messages == 0 || !is_remote(NEXT) || after.messages > before.messages);
    CHECK(before.messages == 0 || upcr_tp_distance().get != 0);
    forget(offset);
}
