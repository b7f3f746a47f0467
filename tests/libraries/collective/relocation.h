/* Runs a relocalization operation with every combination of flags, many sizes and places, against a formula of what belongs where.

   Before the call each thread writes only what the IN flag allows: without synchronization a barrier follows; under MYSYNC a thread
   writes its own part; under ALLSYNC that of another. After it, it reads, and overwrites the source, in the same way. The program
   defines what the operation is. */
#include "collective.h"

struct shape {
    size_t n;    /* bytes of a block */
    int root;    /* the thread that has the whole of an array that is not dealt out */
    int round;
};

/* A byte of the source. */
struct origin {
    int thread;
    size_t index;
};

/* Supplied by the program: bytes that each thread has of source and destination, where byte `index` of a thread's part of the
   destination comes from, and the call. */
static size_t source_bytes(const struct shape *s, int thread);
static size_t destination_bytes(const struct shape *s, int thread);
static struct origin origin_of(const struct shape *s, int thread, size_t index);
static void operate(const struct shape *s, shared void *dst, shared void *src, upc_flag_t flags);

enum { GUARD = 16, LARGEST = 40000 / LESS, UNTOUCHED = 0xEE };

static shared char *source, *destination; /* of each thread: room for LARGEST * THREADS and guards, on all at the same address */
static unsigned char *buffer;

static shared [] char *part(shared char *array, int thread, size_t offset)
{
    return (shared [] char *)(array + thread) + offset;
}

/* A pointer to thread 0's part that carries a phase, which the functions take for 0. */
static shared void *dealt_out(shared char *array, size_t offset)
{
    shared [GUARD + 4] char *p = (shared [GUARD + 4] char *)array;
    return p + offset;
}

static unsigned char value(const struct shape *s, int thread, size_t index)
{
    return (unsigned char)((index * 2654435761u + thread * 40503u + s->round * 977u) >> 11);
}

static size_t offset_of(const struct shape *s)
{
    return GUARD + s->round % 4;
}

static void fill(const struct shape *s, int thread)
{
    size_t i, n = source_bytes(s, thread);
    for (i = 0; i < n; i++)
        buffer[i] = value(s, thread, i);
    upc_memput(part(source, thread, offset_of(s)), buffer, n);
    upc_memset(part(destination, thread, 0), UNTOUCHED, destination_bytes(s, thread) + 3 * GUARD);
}

static void spoil(const struct shape *s, int thread)
{
    upc_memset(part(source, thread, offset_of(s)), 0x77, source_bytes(s, thread));
}

static void verify(const struct shape *s, int thread)
{
    size_t i, at = offset_of(s), n = destination_bytes(s, thread);
    upc_memget(buffer, part(destination, thread, 0), n + 3 * GUARD);
    for (i = 0; i < n; i++) {
        struct origin o = origin_of(s, thread, i);
        CHECK(buffer[at + i] == value(s, o.thread, o.index));
    }
    for (i = 0; i < at; i++)
        CHECK(buffer[i] == UNTOUCHED);
    for (i = at + n; i < n + 3 * GUARD; i++)
        CHECK(buffer[i] == UNTOUCHED);
}

static void one(const struct shape *s, upc_flag_t flags)
{
    if (flags & (UPC_IN_NOSYNC | UPC_IN_MYSYNC))
        fill(s, MYTHREAD);
    else
        fill(s, neighbour());
    if (flags & UPC_IN_NOSYNC)
        upc_barrier;
    delay();
    operate(s, destination, source, flags);
    delay();
    if (flags & UPC_OUT_NOSYNC)
        upc_barrier;
    if (flags & (UPC_OUT_NOSYNC | UPC_OUT_MYSYNC)) {
        verify(s, MYTHREAD);
        spoil(s, MYTHREAD);
    } else {
        verify(s, neighbour());
        spoil(s, neighbour());
    }
    upc_barrier;
    verify(s, MYTHREAD);
    upc_barrier;
}

static int test_relocation(void)
{
    static const size_t sizes[] = {
#ifndef CHECKED /* The specification has no blocks of 0 bytes, but programs do. */
        0,
#endif
        1, 2, 3, 7, 8, 13, 64, 100, 999, 4099, 20000 / LESS, LARGEST};
    size_t room = (size_t)LARGEST * THREADS + 4 * GUARD;
    struct shape s = {0};
    int combination, size;
    enum { TIMES = 3 };
    source = upc_all_alloc(THREADS, room);
    destination = upc_all_alloc(THREADS, room);
    buffer = malloc(room);
    CHECK(source && destination && buffer);
    upc_barrier;
    for (combination = 0; combination < TIMES * FLAGS; combination++)
        for (size = 0; size < sizeof sizes / sizeof *sizes; size++) {
            s.n = sizes[size];
            s.root = random_below(THREADS);
            s.round++;
            one(&s, flags_of(combination));
        }
    return pass();
}
