/* What accesses and synchronisation cost on a platform, for `upcrun -calibrate`. Each measurement is repeated; a line
 * of output has the operation, the bytes that it moves (0: that is no parameter of it), and the nanoseconds of one:
 * the second lowest of the repetitions, the lowest one and the median, because other processes can only make them
 * longer. Over messages, and where threads share processors, it is the median: a thread is served, or gets a processor,
 * at once or after some time, so that no program can expect the lowest times. Threads that share a processor repeat for
 * longer, since a short repetition does not see what they cost each other. On one machine a repetition lasts from the
 * start of its first thread to the end of its last one: threads that share a processor run one after another. Several
 * machines have no common clock: there it takes as long as its slowest thread.
 * The second word of an operation for which threads compute in between has the microseconds of that instead of bytes.
 * `patterns.h` has the operations. */
#include "patterns.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <upc_tick.h>

#define MOST_REPEATS 7
#define FEW 3                       /* repetitions of what takes long */
#define FEWEST 8                    /* operations of a repetition */
#define MOST (1L << 20)             /* operations that are enough in any case */
#define WALKED 4096                 /* bytes of the shortest message of a walk */
#define SHORT 50                    /* microseconds of computing between operations, at least */
#define LONG 3200                   /* and at most */
#define EMPTY 10                    /* times as long as nothing a repetition takes at least */
#define STEADY 64                   /* times as long as it has to be takes a repetition whose fence does not matter */
#define TOO_LONG 32                 /* times as long as it has to be takes a repetition of which there are few */

shared upc_tick_t started[THREADS], ended[THREADS]; /* 0: the thread does not work */
shared double kept[THREADS]; /* so that no read is without use */
strict shared int decided;
static int machines;
static double load; /* threads of a processor, at least 1 */
static int is_typical; /* the median counts */
static int most_repeats;
static char **left_out; /* the names of operations that another run measures; ends in NULL */

/* Which threads work, and on whose memory. OTHERS: all but those whose memory it is. */
enum who { FIRST, NEXT, LAST, OWN, OTHERS };

static const struct pattern {
    const char *name;
    enum who who;
    double (*run)(int t, long count);
    long step; /* the count is a multiple of it */
    double (*without)(int t, long count); /* what it does besides: the time of that does not count; NULL: nothing */
    int for_each; /* the step is that for each other thread */
} patterns[] = {
    {"stream.read", FIRST, random_read, 1, NULL},
    {"baseline.read", NEXT, random_read, 1, NULL},
    {"baseline.write", NEXT, random_write, 1, NULL},
    {"flush.read", LAST, random_read, 1, NULL},
    {"vector.read", NEXT, vector_read, VECTOR, NULL},
    {"vector.write", NEXT, vector_write, VECTOR, NULL},
    {"strided.read", NEXT, strided_read, STEPS, NULL},
    {"strided.write", NEXT, strided_write, STEPS, NULL},
    {"coalesce.read", NEXT, coalesce_read, 8, NULL},
    {"coalesce.write", NEXT, coalesce_write, 8, NULL},
    {"gather.read", NEXT, gather_read, STEPS, NULL},
    {"scatter.write", NEXT, scatter_write, STEPS, NULL},
    {"append.write", NEXT, append_write, APPENDS, NULL, 1},
    {"update", NEXT, update, UPDATES, NULL},
    {"near.update", NEXT, near_update, UPDATES, NULL},
    {"hit.read", NEXT, near_read, 1, NULL},
    {"miss.read", NEXT, far_read, 1, NULL},
    {"strict.read", NEXT, strict_read, 1, NULL},
    {"strict.write", NEXT, strict_write, 1, NULL},
    {"local.read", OWN, random_read, 1, NULL},
    {"local.write", OWN, random_write, 1, NULL},
    {"find.read", OWN, find_read, BLOCK, NULL},
    {"near.read", OWN, own_read, 1, NULL},
    {"private.read", OWN, private_read, 1, NULL},
    {"private.write", OWN, private_write, 1, NULL},
    {"memory", OWN, memory_copy, MEMORY, NULL},
    {"add.free", NEXT, add, 1, NULL},
    {"add.contended", LAST, add, 1, NULL},
    {"lock.own", OWN, lock_free, 1, NULL},
    {"lock.free", NEXT, lock_free, 1, NULL},
    {"lock.contended", OWN, lock_contended, 1, NULL},
    {"spread.fence", OWN, spread_fence, 1, NULL},
    {"barrier", OWN, barrier, 1, NULL},
    {"broadcast", OWN, broadcast, 1, NULL},
    {"reduce", OWN, reduce, 1, NULL},
};

static int works(enum who who)
{
    switch (who) {
    case FIRST:
        return MYTHREAD == 0;
    case LAST:
        return MYTHREAD != THREADS - 1 || THREADS == 1;
    case OTHERS:
        return MYTHREAD >= OWNERS || THREADS <= OWNERS;
    case NEXT:
    case OWN:
        break;
    }
    return 1;
}

static int whose(enum who who)
{
    switch (who) {
    case LAST:
        return THREADS - 1;
    case OWN:
        return MYTHREAD;
    case FIRST:
    case NEXT:
    case OTHERS:
        break;
    }
    return (MYTHREAD + 1) % THREADS;
}

/* The nanoseconds in which all threads do this. */
static double time_of(double (*run)(int t, long count), enum who who, long count)
{
    /* Threads count the same ticks, but each converts them by a factor of its own. */
    upc_tick_t first = UPC_TICK_MAX, last = 0, longest = 0;

    turn++;
    upc_barrier;
    started[MYTHREAD] = works(who) ? upc_ticks_now() : 0;
    if (works(who))
        kept[MYTHREAD] = run(whose(who), count);
    upc_fence;
    ended[MYTHREAD] = works(who) ? upc_ticks_now() : 0;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        upc_tick_t start = started[t], end = ended[t];

        first = start != 0 && start < first ? start : first;
        last = end > last ? end : last;
        longest = end - start > longest ? end - start : longest;
    }
    return upc_ticks_to_ns(machines > 1 ? longest : last - first);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The shorter of two repetitions with all that they do, in case something else happened during one. */
static double shorter(const struct pattern *it, long count)
{
    double time = time_of(it->run, it->who, count), other = time_of(it->run, it->who, count);

    return time < other ? time : other;
}

/* How often to repeat so many operations; 0: they are too few. The fence at the end of a repetition waits for all writes, which takes as long for
 * a few as for many: operations are enough if four times as many take at least three times as long, or so long that the fence does not
 * matter. `*before`: the time of a quarter of them. */
static int enough(const struct pattern *it, long count, double least, double *before)
{
    double time = shorter(it, count);
    /* All threads see the same times, but not at the same moment. */
    if (MYTHREAD == 0) {
        int is_long = time >= least / 2 || count > 1L << 28;
        int is_steady = it->without != NULL || (*before > 0 && time >= 3 * *before) || time > STEADY * least;
        /* The difference of two times that are about the same needs more repetitions than a time does. */
        int are_few = it->without == NULL && time > TOO_LONG * least;
        decided = !is_long || !(is_steady || count > MOST) ? 0 : are_few ? FEW : most_repeats;
    }
    *before = time;
    upc_barrier;
    int repeats = decided;
    upc_barrier;
    return repeats;
}

/* The nanoseconds in which all threads do this: the median of the repetitions. */
static double usual_time_of(double (*run)(int t, long count), enum who who, long count)
{
    double times[MOST_REPEATS];

    for (int k = 0; k < most_repeats; k++)
        times[k] = time_of(run, who, count);
    qsort(times, most_repeats, sizeof *times, by_value);
    return times[most_repeats / 2];
}

/* The nanoseconds of what a pattern does besides, for one operation. Patterns that compute for as long do the same. */
static double besides(const struct pattern *it, long count)
{
    static long known;
    static double time;

    if (it->without == NULL)
        return 0;
    if (known != between)
        time = usual_time_of(it->without, it->who, count) / (double)count;
    known = between;
    return time;
}

static int is_left_out(const struct pattern *it)
{
    for (char **name = left_out; *name != NULL; name++)
        if (strcmp(*name, it->name) == 0)
            return 1;
    return 0;
}

/* Repeats until a repetition takes `least` nanoseconds, and prints the times of one operation. */
static void measure(const struct pattern *it, double least)
{
    double times[MOST_REPEATS], before = 0;
    long step = it->for_each ? it->step * others() : it->step, count = step < FEWEST ? FEWEST : step;
    int repeats;

    if (is_left_out(it))
        return;
    /* What computes in between takes long, and its time is in proportion: few are enough. */
    if (it->without != NULL)
        count = between > SHORT * FEWEST ? FEW : FEWEST;
    while ((repeats = enough(it, count, least, &before)) == 0)
        count *= 4;
    double beside = besides(it, count);
    for (int k = 0; k < repeats; k++)
        times[k] = time_of(it->run, it->who, count) / (double)count - beside;
    qsort(times, repeats, sizeof *times, by_value);
    if (MYTHREAD == 0) {
        double lowest = times[0] > 0 ? times[0] : 0, middle = times[repeats / 2] > lowest ? times[repeats / 2] : lowest;
        double cost = is_typical ? middle : times[1] > lowest ? times[1] : lowest;
        double highest = is_typical && times[repeats * 3 / 4] > middle ? times[repeats * 3 / 4] : middle;
        printf("%s %zu %.4f %.4f %.4f\n", it->name, it->without != NULL ? (size_t)between : bytes, cost, lowest, highest);
        fflush(stdout);
    }
}

static void prepare(void)
{
    for (int i = 0; i < PER; i++) {
        part[MYTHREAD].data[i] = updated[MYTHREAD].data[i] = own[i] = 0;
        places[i] = after(i * 7, 0) % PLACES;
    }
    for (int i = 0; i < BLOCK; i++) {
        near[i] = MYTHREAD * BLOCK + i * 8 % BLOCK;
        found[(long)MYTHREAD * BLOCK + i] = 0;
    }
    for (int i = 0; i < PLACES; i++)
        elements[(long)MYTHREAD * PLACES + i] = 0;
    blocks[MYTHREAD] = (shared [] char *)upc_alloc(LARGEST);
    block_of = malloc(THREADS * sizeof *block_of);
    lists = malloc((size_t)APPENDS * others() * sizeof *lists);
    next = malloc(others() * sizeof *next);
    buffer = calloc(LARGEST, 1);
    from = malloc(MEMORY * sizeof *from);
    to = malloc(MEMORY * sizeof *to);
    lock = upc_all_lock_alloc();
    /* A lock belongs to the thread that has allocated it: the second one to the next thread's. */
    static upc_lock_t *shared all[THREADS];
    all[MYTHREAD] = locks[0] = upc_global_lock_alloc();
    if (block_of == NULL || lists == NULL || next == NULL || buffer == NULL || from == NULL || to == NULL)
        upc_global_exit(1);
    for (long i = 0; i < MEMORY; i++)
        from[i] = to[i] = 0;
    for (int j = 0; j < APPENDS * others(); j++)
        lists[j] = j % others();
    upc_memset(blocks[MYTHREAD], 0, LARGEST);
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET | UPC_SET, 0);
    upc_barrier;
    locks[1] = all[(MYTHREAD + 1) % THREADS];
    for (int t = 0; t < THREADS; t++)
        block_of[t] = blocks[t];
    upc_barrier;
}

int main(int argc, char **argv)
{
    double least = argc > 1 ? atof(argv[1]) * 1e6 : 10e6;
    machines = argc > 2 ? atoi(argv[2]) : 1;
    load = (double)THREADS / (double)(sysconf(_SC_NPROCESSORS_ONLN) * machines);
    load = load < 1 ? 1 : load;
    most_repeats = argc > 3 ? atoi(argv[3]) : MOST_REPEATS;
    int of_messages = argc > 4 && strcmp(argv[4], "typical") == 0;
    is_typical = load > 1 || of_messages;
    left_out = argv + (of_messages ? 5 : argc);
    static const struct pattern transfers[] = {
        {"bulk.read", NEXT, bulk_read, 1, NULL},
        {"bulk.write", NEXT, bulk_write, 1, NULL},
        {"walk.read", OTHERS, walk_read, 1, NULL},
    };

    static const struct pattern busy[] = {
        {"busy.read", NEXT, busy_read, 1, busy_alone},
        {"busy.barrier", OWN, busy_barrier, 1, busy_alone},
        {"busy.fence", OWN, busy_fence, 1, busy_alone},
    };

    prepare();
    least *= load;
    if (of_messages) {
        /* Threads do not leave a barrier at the same moment, and the network may have something to do. */
        double most_empty = EMPTY * usual_time_of(nothing, OWN, 0);
        least = least > most_empty ? least : most_empty;
    }
    for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++)
        measure(&patterns[k], least);
    for (between = SHORT; between <= LONG; between *= 8)
        for (size_t k = 0; k < sizeof busy / sizeof *busy; k++)
            measure(&busy[k], least);
    for (bytes = 8; bytes <= LARGEST / 8; bytes *= 8)
        for (int k = 0; k < (bytes < WALKED ? 2 : 3); k++)
            measure(&transfers[k], least);
    return 0;
}
