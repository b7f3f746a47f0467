/* What accesses and synchronisation cost on a platform, for `upcrun -calibrate`. Each measurement is repeated; a line
 * of output has the operation, the bytes that it moves (0: that is no parameter of it), and the nanoseconds of one:
 * the second lowest of the repetitions, the lowest one and the median, because other processes can only make them
 * longer. On one machine a repetition lasts from the start of its first thread to the end of its last one: threads that
 * share a processor run one after another. Several machines have no common clock: there it takes as long as its slowest
 * thread.
 * Table 8.1 of Zhang's thesis on MuPC describes most of the patterns. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#define PER (1 << 20)               /* elements of each thread, more than its cache holds */
#define PLACES (PER / 2)            /* elements of each thread that a subscript selects */
#define VECTOR 64                   /* elements of a short vector */
#define STRIDE 16                   /* elements from one access to the next of a strided loop */
#define STEPS 256                   /* accesses of a strided loop, and of one that gathers */
#define APPENDS 4096                /* elements of a list */
#define STEP 29                     /* elements that eight accesses with small strides span */
#define LINE 16384                   /* bytes of the longest lines of the cache, and more */
#define FAR (LINE / 8)                    /* elements to another line */
#define LARGEST (1L << 21)          /* bytes of the transferred blocks; the largest transfer is an eighth */
#define MEMORY (1L << 21)           /* elements of the copies from memory */
#define REPEATS 7
#define FEW 3                       /* repetitions of what takes long */
#define FEWEST 8                    /* operations of a repetition */
#define MOST (1L << 20)             /* operations that are enough in any case */
#define BLOCK 1001                  /* elements of a block that is no power of two */
#define ROW 7                       /* elements of a row of a sparse matrix */

typedef struct { double data[PER]; } part_t;

shared part_t part[THREADS];
shared [PLACES] double elements[PLACES * THREADS]; /* for subscripts that lead anywhere, as far as the compiler knows */
shared [BLOCK] double found[BLOCK * THREADS]; /* a block of each thread, as most blocked arrays have */
strict shared double flags[64 * THREADS];
shared long counters[THREADS];
shared [] char *shared blocks[THREADS];
shared upc_tick_t started[THREADS], ended[THREADS]; /* 0: the thread does not work */
shared long sums[THREADS];
shared double kept[THREADS]; /* so that no read is without use */
strict shared int decided;

static double own[PER];
static int places[PER];
static int lists[APPENDS]; /* the list of each element, of one, which the compiler does not know */
static int near[BLOCK]; /* the numbers of all elements of the thread's block */
static upc_lock_t *lock, *locks[2];
static upc_atomicdomain_t *domain;
static char *buffer;
static double *from, *to;
static size_t bytes;
static int machines;
static int turn; /* of all repetitions: each begins elsewhere, so that none finds what the one before has cached */

static int begin(long t) { return (int)((t + 7919u * turn) % (PER - VECTOR)); }

/* A place that depends on another one, and on what was seen there, which is always 0. */
static int after(int i, double seen) { return (i * 1103515245u + 12345u + (unsigned)seen) % PER; }

/* Each of these makes `count` operations that concern thread t, and returns a sum of what it has read. */

static double random_read(int t, long count)
{
    double sum = 0;
    int i = begin(t);

    for (long k = 0; k < count; k++) {
        double seen = part[t].data[i];
        sum += seen;
        i = after(i, seen);
    }
    return sum;
}

static double random_write(int t, long count)
{
    int i = begin(t);

    for (long k = 0; k < count; k++) {
        part[t].data[i] = 0;
        i = after(i, 0);
    }
    return 0;
}

static double vector_read(int t, long count)
{
    double sum = 0;
    int start = begin(t);

    for (long k = 0; k < count / VECTOR; k++, start = after(start, 0))
        for (int i = start % (PER - VECTOR), end = i + VECTOR; i < end; i++)
            sum += part[t].data[i];
    return sum;
}

static double vector_write(int t, long count)
{
    int start = begin(t);

    for (long k = 0; k < count / VECTOR; k++, start = after(start, 0))
        for (int i = start % (PER - VECTOR), end = i + VECTOR; i < end; i++)
            part[t].data[i] = 0;
    return 0;
}

static double strided_read(int t, long count)
{
    double sum = 0;

    for (long k = 0; k < count / STEPS; k++)
        for (int i = begin(t + k) % (PER - STEPS * STRIDE), end = i + STEPS * STRIDE; i < end; i += STRIDE)
            sum += part[t].data[i];
    return sum;
}

static double strided_write(int t, long count)
{
    for (long k = 0; k < count / STEPS; k++)
        for (int i = begin(t + k) % (PER - STEPS * STRIDE), end = i + STEPS * STRIDE; i < end; i += STRIDE)
            part[t].data[i] = 0;
    return 0;
}

static double coalesce_read(int t, long count)
{
    double sum = 0;
    int i = begin(0) % (PER - STEP);

    for (long k = 0; k < count / 8; k++, i = (i + STEP) % (PER - STEP)) {
        sum += part[t].data[i];
        sum += part[t].data[i + 3];
        sum += part[t].data[i + 4];
        sum += part[t].data[i + 9];
        sum += part[t].data[i + 14];
        sum += part[t].data[i + 16];
        sum += part[t].data[i + 21];
        sum += part[t].data[i + 27];
    }
    return sum;
}

static double coalesce_write(int t, long count)
{
    int i = begin(0) % (PER - STEP);

    for (long k = 0; k < count / 8; k++, i = (i + STEP) % (PER - STEP)) {
        part[t].data[i] = 0;
        part[t].data[i + 3] = 0;
        part[t].data[i + 4] = 0;
        part[t].data[i + 9] = 0;
        part[t].data[i + 14] = 0;
        part[t].data[i + 16] = 0;
        part[t].data[i + 21] = 0;
        part[t].data[i + 27] = 0;
    }
    return 0;
}

static double gather_read(int t, long count)
{
    double sum = 0;

    for (long k = 0; k < count; k += STEPS) {
        const int *ix = places + (k + begin(0)) % (PER - STEPS);
        for (int j = 0; j < STEPS; j++)
            sum += elements[(long)t * PLACES + ix[j]];
    }
    return sum;
}

/* A sparse matrix by a vector. The compiler knows nothing about the subscripts, so each access has to find the thread of its element. */
static double find_read(int t, long count)
{
    (void)t;
    double sum = 0;

    for (long k = 0; k < count; k += BLOCK)
        for (int i = 0; i < BLOCK; i += ROW) {
            double of_row = 0;
            for (int j = i; j < i + ROW; j++)
                of_row += own[j] * found[near[j]];
            sum += of_row;
        }
    return sum;
}

static double update(int t, long count)
{
    int i = begin(t);

    for (long k = 0; k < count; k++) {
        part[t].data[i] += 0;
        i = after(i, 0);
    }
    return 0;
}

static double scatter_write(int t, long count)
{
    for (long k = 0; k < count; k += STEPS) {
        const int *ix = places + (k + begin(0)) % (PER - STEPS);
        for (int j = 0; j < STEPS; j++)
            elements[(long)t * PLACES + ix[j]] = 0;
    }
    return 0;
}

static double append_write(int t, long count)
{
    long next[1];

    for (long k = 0; k < count; k += APPENDS) {
        next[0] = (long)t * PLACES + (k + begin(0)) % (PLACES - APPENDS);
        for (int j = 0; j < APPENDS; j++)
            elements[next[lists[j]]++] = 0;
    }
    return 0;
}

static double near_read(int t, long count)
{
    double sum = 0;
    int i = 0;

    for (long k = 0; k < count; k++) {
        double seen = part[t].data[i];
        sum += seen;
        i = (i + 1 + (int)seen) % 8;
    }
    return sum;
}

static double far_read(int t, long count)
{
    double sum = 0;
    int i = begin(0), turns = 0;

    for (long k = 0; k < count; k++) {
        double seen = part[t].data[i];
        sum += seen;
        turns += i + FAR >= PER;
        i = (i + FAR >= PER ? turns * 128 % FAR : i + FAR) + (int)seen;
    }
    return sum;
}

static double strict_read(int t, long count)
{
    double sum = 0;

    for (long k = 0; k < count; k++)
        sum += flags[k % 64 * THREADS + t];
    return sum;
}

static double strict_write(int t, long count)
{
    for (long k = 0; k < count; k++)
        flags[k % 64 * THREADS + t] = 0;
    return 0;
}

static double private_read(int t, long count)
{
    double sum = 0;
    int i = begin(t);

    for (long k = 0; k < count; k++) {
        double seen = own[i];
        sum += seen;
        i = after(i, seen);
    }
    return sum;
}

static double private_write(int t, long count)
{
    int i = begin(t);

    for (long k = 0; k < count; k++) {
        own[i] = 0;
        i = after(i, 0);
    }
    return 0;
}

/* Where the k-th transfer begins: in other lines of the cache than the one before. */
static size_t place(long k)
{
    return (k + turn) * (bytes < LINE ? LINE : bytes) % LARGEST;
}

static double bulk_read(int t, long count)
{
    for (long k = 0; k < count; k++)
        upc_memget(buffer, blocks[t] + place(k), bytes);
    return 0;
}

static double bulk_write(int t, long count)
{
    for (long k = 0; k < count; k++)
        upc_memput(blocks[t] + place(k), buffer, bytes);
    return 0;
}

static double add(int t, long count)
{
    long seen = 0, one = 1;

    for (long k = 0; k < count; k++)
        upc_atomic_relaxed(domain, &seen, UPC_ADD, &counters[t], &one, 0);
    return seen < 0;
}

static double lock_free(int t, long count)
{
    for (long k = 0; k < count; k++) {
        upc_lock(locks[t == MYTHREAD ? 0 : 1]);
        upc_unlock(locks[t == MYTHREAD ? 0 : 1]);
    }
    return 0;
}

static double lock_contended(int t, long count)
{
    (void)t;
    for (long k = 0; k < count; k++) {
        upc_lock(lock);
        upc_unlock(lock);
    }
    return 0;
}

static double barrier(int t, long count)
{
    (void)t;
    for (long k = 0; k < count; k++) {
        upc_barrier;
    }
    return 0;
}

static double broadcast(int t, long count)
{
    (void)t;
    for (long k = 0; k < count; k++)
        upc_all_broadcast(sums, &counters[0], sizeof(long), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    return 0;
}

static double reduce(int t, long count)
{
    (void)t;
    for (long k = 0; k < count; k++)
        upc_all_reduceL(&sums[0], counters, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    return 0;
}

static double memory_copy(int t, long count)
{
    (void)t;
    for (long k = 0; k < count / MEMORY + 1; k++) {
        for (long i = 0; i < MEMORY; i++)
            to[i] = from[i] + k;
        double *other = from;
        from = to;
        to = other;
    }
    return from[MEMORY / 2];
}

/* Which threads work, and on whose memory. */
enum who { FIRST, NEXT, LAST, OWN };

static const struct pattern {
    const char *name;
    enum who who;
    double (*run)(int t, long count);
    long step; /* the count is a multiple of it */
} patterns[] = {
    {"stream.read", FIRST, random_read, 1},
    {"baseline.read", NEXT, random_read, 1},
    {"baseline.write", NEXT, random_write, 1},
    {"flush.read", LAST, random_read, 1},
    {"vector.read", NEXT, vector_read, VECTOR},
    {"vector.write", NEXT, vector_write, VECTOR},
    {"strided.read", NEXT, strided_read, STEPS},
    {"strided.write", NEXT, strided_write, STEPS},
    {"coalesce.read", NEXT, coalesce_read, 8},
    {"coalesce.write", NEXT, coalesce_write, 8},
    {"gather.read", NEXT, gather_read, STEPS},
    {"scatter.write", NEXT, scatter_write, STEPS},
    {"append.write", NEXT, append_write, APPENDS},
    {"update", NEXT, update, 1},
    {"hit.read", NEXT, near_read, 1},
    {"miss.read", NEXT, far_read, 1},
    {"strict.read", NEXT, strict_read, 1},
    {"strict.write", NEXT, strict_write, 1},
    {"local.read", OWN, random_read, 1},
    {"local.write", OWN, random_write, 1},
    {"find.read", OWN, find_read, BLOCK},
    {"private.read", OWN, private_read, 1},
    {"private.write", OWN, private_write, 1},
    {"memory", OWN, memory_copy, MEMORY},
    {"add.free", NEXT, add, 1},
    {"add.contended", LAST, add, 1},
    {"lock.own", OWN, lock_free, 1},
    {"lock.free", NEXT, lock_free, 1},
    {"lock.contended", OWN, lock_contended, 1},
    {"barrier", OWN, barrier, 1},
    {"broadcast", OWN, broadcast, 1},
    {"reduce", OWN, reduce, 1},
};

static int works(enum who who)
{
    switch (who) {
    case FIRST:
        return MYTHREAD == 0;
    case LAST:
        return MYTHREAD != THREADS - 1 || THREADS == 1;
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
        break;
    }
    return (MYTHREAD + 1) % THREADS;
}

/* The nanoseconds of a repetition. */
static double repetition(const struct pattern *it, long count)
{
    /* Threads count the same ticks, but each converts them by a factor of its own. */
    upc_tick_t first = UPC_TICK_MAX, last = 0, longest = 0;

    turn++;
    upc_barrier;
    started[MYTHREAD] = works(it->who) ? upc_ticks_now() : 0;
    if (works(it->who))
        kept[MYTHREAD] = it->run(whose(it->who), count);
    upc_fence;
    ended[MYTHREAD] = works(it->who) ? upc_ticks_now() : 0;
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

/* The shorter of two repetitions, in case something else happened during one. */
static double shorter(const struct pattern *it, long count)
{
    double time = repetition(it, count), other = repetition(it, count);

    return time < other ? time : other;
}

/* How often to repeat so many operations; 0: they are too few. The fence at the end of a repetition waits for all writes, which takes as long for
 * a few as for many: operations are enough if four times as many take at least three times as long. `*before`: the time of a quarter of them. */
static int enough(const struct pattern *it, long count, double least, double *before)
{
    double time = shorter(it, count);
    /* All threads see the same times, but not at the same moment. */
    if (MYTHREAD == 0) {
        int is_long = time >= least / 2 || count > 1L << 28, is_steady = *before > 0 && time >= 3 * *before;
        decided = !is_long || !(is_steady || count > MOST) ? 0 : time > 8 * least ? FEW : REPEATS;
    }
    *before = time;
    upc_barrier;
    int repeats = decided;
    upc_barrier;
    return repeats;
}

/* Repeats until a repetition takes `least` nanoseconds, and prints the times of one operation. */
static void measure(const struct pattern *it, double least)
{
    double times[REPEATS], before = 0;
    long count = it->step < FEWEST ? FEWEST : it->step;
    int repeats;

    while ((repeats = enough(it, count, least, &before)) == 0)
        count *= 4;
    for (int k = 0; k < repeats; k++)
        times[k] = repetition(it, count) / (double)count;
    qsort(times, repeats, sizeof *times, by_value);
    if (MYTHREAD == 0) {
        printf("%s %zu %.4f %.4f %.4f\n", it->name, bytes, times[1], times[0], times[repeats / 2]);
        fflush(stdout);
    }
}

static void prepare(void)
{
    for (int i = 0; i < PER; i++) {
        part[MYTHREAD].data[i] = own[i] = 0;
        places[i] = after(i * 7, 0) % PLACES;
    }
    for (int i = 0; i < BLOCK; i++) {
        near[i] = MYTHREAD * BLOCK + i * 8 % BLOCK;
        found[(long)MYTHREAD * BLOCK + i] = 0;
    }
    for (int i = 0; i < PLACES; i++)
        elements[(long)MYTHREAD * PLACES + i] = 0;
    blocks[MYTHREAD] = (shared [] char *)upc_alloc(LARGEST);
    buffer = calloc(LARGEST, 1);
    from = malloc(MEMORY * sizeof *from);
    to = malloc(MEMORY * sizeof *to);
    lock = upc_all_lock_alloc();
    /* A lock belongs to the thread that has allocated it: the second one to the next thread's. */
    static upc_lock_t *shared all[THREADS];
    all[MYTHREAD] = locks[0] = upc_global_lock_alloc();
    if (buffer == NULL || from == NULL || to == NULL)
        upc_global_exit(1);
    for (long i = 0; i < MEMORY; i++)
        from[i] = to[i] = 0;
    upc_memset(blocks[MYTHREAD], 0, LARGEST);
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET | UPC_SET, 0);
    upc_barrier;
    locks[1] = all[(MYTHREAD + 1) % THREADS];
    upc_barrier;
}

int main(int argc, char **argv)
{
    double least = argc > 1 ? atof(argv[1]) * 1e6 : 10e6;
    machines = argc > 2 ? atoi(argv[2]) : 1;
    static const struct pattern transfers[] = {
        {"bulk.read", NEXT, bulk_read, 1},
        {"bulk.write", NEXT, bulk_write, 1},
    };

    prepare();
    for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++)
        measure(&patterns[k], least);
    for (bytes = 8; bytes <= LARGEST / 8; bytes *= 8)
        for (int k = 0; k < 2; k++)
            measure(&transfers[k], least);
    return 0;
}
