/* What is measured for `upcrun -calibrate`: accesses in the patterns of table 8.1 of Zhang's thesis on MuPC, transfers and
 * synchronisation. */
#include <stdlib.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_relaxed.h>

#define PER (1 << 20)               /* elements of each thread, more than its cache holds */
#define PLACES (PER / 2)            /* elements of each thread that a subscript selects */
#define NEAR (1 << 15)              /* of them, as many as a processor's cache holds */
#define UPDATES (1 << 14)           /* updates after which the messages of a long loop are under way */
#define UPDATED 4096                /* elements that a processor's cache holds, in more lines than the cache of remote memory */
#define APART (1024 / 8 + 8)        /* elements from one of them to the next: no two share a line, and all have sets of their own in a processor's cache */
#define VECTOR 64                   /* elements of a short vector */
#define STRIDE 16                   /* elements from one access to the next of a strided loop */
#define STEPS 256                   /* accesses of a strided loop, and of one that gathers */
#define APPENDS 4096                /* elements of a list, of which each other thread has one */
#define STEP 29                     /* elements that eight accesses with small strides span */
#define LINE 16384                   /* bytes of the longest lines of the cache, and more */
#define FAR (LINE / 8)                    /* elements to another line */
#define LARGEST (1L << 21)          /* bytes of the transferred blocks; the largest transfer is an eighth */
#define MEMORY (1L << 21)           /* elements of the copies from memory */
#define BLOCK 1001                  /* elements of a block that is no power of two */
#define ROW 7                       /* elements of a row of a sparse matrix */
#define STEPS_OF_US 800             /* multiplications of a thread that computes, each of which waits for the one before: about 1 us */
#define FEW_STEPS 1000              /* the same of a thread that works a little on what it has read */
#define OWNERS 2                    /* threads whose memory all others walk through */

typedef struct { double data[PER]; } part_t;

shared part_t part[THREADS];
shared part_t updated[THREADS]; /* of its own: the cache remembers what other accesses to the same memory gained from lines */
shared [PLACES] double elements[PLACES * THREADS]; /* for subscripts that lead anywhere, as far as the compiler knows */
shared [BLOCK] double found[BLOCK * THREADS]; /* a block of each thread, as most blocked arrays have */
strict shared double flags[64 * THREADS];
shared long counters[THREADS];
shared [] char *shared blocks[THREADS];
shared long sums[THREADS];

static double own[PER];
static int places[PER];
static int *lists; /* the list of each element, which the compiler does not know */
static long *next; /* of each list: the place of its next element */
static int near[BLOCK]; /* the numbers of all elements of the thread's block */
static upc_lock_t *lock, *locks[2];
static upc_atomicdomain_t *domain;
static char *buffer;
static shared [] char **block_of; /* what is in blocks: a transfer is not to read the place first */
static double *from, *to;
static size_t bytes;
static long between; /* microseconds for which threads compute between two operations */
static int turn; /* of all repetitions: each begins elsewhere, so that none finds what the one before has cached */

static int begin(long t) { return (int)((t + 7919u * turn) % (PER - VECTOR)); }

/* A place that depends on another one, and on what was seen there, which is always 0. */
static int after(int i, double seen) { return (i * 1103515245u + 12345u + (unsigned)seen) % PER; }

static double nothing(int t, long count) { return t + count < 0; }

static int others(void) { return THREADS > 1 ? THREADS - 1 : 1; }

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

/* The thread behind t that is not this one: a program that updates elements anywhere turns to all others. */
static int next_other(int t)
{
    int next = t + 1 < THREADS ? t + 1 : 0;
    return next != MYTHREAD ? next : next + 1 < THREADS ? next + 1 : 0;
}

static double update(int t, long count)
{
    int i = begin(t);

    for (long k = 0; k < count; k++, t = next_other(t)) {
        updated[t].data[i] += 0;
        i = after(i, 0);
    }
    return 0;
}

static double near_update(int t, long count)
{
    int i = begin(t);

    for (long k = 0; k < count; k++, t = next_other(t)) {
        updated[t].data[i % UPDATED * APART] += 0;
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

/* The elements go to all other threads in turn, as those of a program that sorts them into parts. */
static double append_write(int t, long count)
{
    int parts = others();

    for (long k = 0; k < count; k += (long)APPENDS * parts) {
        for (int part = 0; part < parts; part++, t = next_other(t))
            next[part] = (long)t * PLACES + begin(0) % (PLACES - APPENDS);
        for (int j = 0; j < APPENDS * parts; j++)
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

static double own_read(int t, long count)
{
    double sum = 0;
    int i = 0;

    for (long k = 0; k < count; k++) {
        double seen = part[t].data[i];
        sum += seen;
        i = after(i, seen) % NEAR;
    }
    return sum;
}

static void write_to_others(int t, long k)
{
    int place = begin(k * STRIDE) % PLACES;

    for (int other = 0; other < THREADS; other++)
        if (other != t)
            elements[(long)other * PLACES + place] = 0;
}

/* Waits for writes to all other threads, as a program does that writes anywhere. */
static double spread_fence(int t, long count)
{
    for (long k = 0; k < count; k++) {
        write_to_others(t, k);
        upc_fence;
    }
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
        upc_memget(buffer, block_of[t] + place(k), bytes);
    return 0;
}

static double bulk_write(int t, long count)
{
    for (long k = 0; k < count; k++)
        upc_memput(block_of[t] + place(k), buffer, bytes);
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

/* Computes from x for a fixed number of steps, of which each waits for the one before. */
static double computed(double x, long steps)
{
    for (long i = 0; i < steps; i++)
        x = x * 0.5 + 1;
    return x;
}

static double busy_read(int t, long count)
{
    double sum = 0;
    int i = begin(t);

    for (long k = 0; k < count; k++) {
        double seen = part[t].data[i];
        sum = computed(sum + seen, between * STEPS_OF_US);
        i = after(i, seen);
    }
    return sum;
}

static double busy_barrier(int t, long count)
{
    double sum = 0;
    (void)t;

    for (long k = 0; k < count; k++) {
        sum = computed(sum, between * STEPS_OF_US);
        upc_barrier;
    }
    return sum;
}

static double busy_fence(int t, long count)
{
    double sum = 0;

    for (long k = 0; k < count; k++) {
        sum = computed(sum, between * STEPS_OF_US);
        write_to_others(t, k);
        upc_fence;
    }
    return sum;
}

/* What these do besides. */
static double busy_alone(int t, long count)
{
    double sum = 0;
    (void)t;

    for (long k = 0; k < count; k++)
        sum = computed(sum, between * STEPS_OF_US);
    return sum;
}

/* Reads what belongs to the first threads, one after another, as all threads do that walk through the same part of an array. */
static double walk_read(int t, long count)
{
    double sum = 0;

    for (long k = 0; k < count; k++) {
        int owner = THREADS > OWNERS ? (int)((t + k) % OWNERS) : t;
        upc_memget(buffer, block_of[owner] + place(k), bytes);
        sum = computed(sum + buffer[0], FEW_STEPS);
    }
    return sum;
}
