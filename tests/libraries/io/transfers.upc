// question: does every reading and writing function move the right bytes, under each set of flags, both file pointers, blocking and not?
// counts: UPC_BARRIER=205*THREADS, UPC_ALL_ALLOC=THREADS*THREADS+2*THREADS, UPC_FREE=THREADS, UPC_MEMPUT=1, UPC_MEMGET=THREADS
// counts: UPC_PUT=3200*THREADS+6015480, UPC_GET=3200*THREADS+3007740
#include "io_check.h"

#define BYTES 3000
static shared void *area;
static shared char *cyclic;
static char buffer[BYTES], back[BYTES];

static upc_off_t write_local(upc_file_t *f, void *p, size_t size, size_t n, upc_flag_t flags, int async)
{
    if (!async)
        return upc_all_fwrite_local(f, p, size, n, flags);
    upc_all_fwrite_local_async(f, p, size, n, flags);
    CHECK(upc_all_fcntl(f, UPC_ASYNC_OUTSTANDING, NULL) == 1);
    return upc_all_fwait_async(f);
}

static upc_off_t read_local(upc_file_t *f, void *p, size_t size, size_t n, upc_flag_t flags, int async)
{
    int done = 0;
    upc_off_t result;
    if (!async)
        return upc_all_fread_local(f, p, size, n, flags);
    upc_all_fread_local_async(f, p, size, n, flags);
    while (!done)
        result = upc_all_ftest_async(f, &done);
    CHECK(upc_all_fcntl(f, UPC_ASYNC_OUTSTANDING, NULL) == 0);
    return result;
}

/* Each thread its own piece, by its own pointer, from and to private memory. */
static void local(const char *name, upc_flag_t flags, int async, int seed)
{
    int i, piece = 50 + seed % 40;
    long start = (long)MYTHREAD * piece * 4;
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(f != NULL);
    for (i = 0; i < piece * 4; i++)
        buffer[i] = byte_at(start + i, seed);
    CHECK(upc_all_fseek(f, start, UPC_SEEK_SET) == start);
    CHECK(write_local(f, buffer, 4, piece, flags, async) == piece * 4);
    CHECK(upc_all_fseek(f, 0, UPC_SEEK_CUR) == start + piece * 4);
    CHECK(upc_all_fsync(f) == 0);
    CHECK(MYTHREAD != 0 || file_holds(name, 0, (long)THREADS * piece * 4, seed));
    start = (long)((MYTHREAD + 1) % THREADS) * piece * 4;
    CHECK(upc_all_fseek(f, start, UPC_SEEK_SET) == start);
    memset(back, 0, sizeof back);
    CHECK(read_local(f, back, 1, piece * 4, flags, async) == piece * 4);
    for (i = 0; i < piece * 4; i++)
        CHECK(back[i] == byte_at(start + i, seed));
    CHECK(read_local(f, NULL, 0, 5, flags, async) == 0 && write_local(f, NULL, 5, 0, flags, async) == 0);
    /* Beyond the end: less is read. */
    CHECK(upc_all_fseek(f, -3, UPC_SEEK_END) == (long)THREADS * piece * 4 - 3);
    CHECK(read_local(f, back, 1, 10, flags, async) == 3);
    CHECK(read_local(f, back, 1, 10, flags, async) == 0);
    CHECK(upc_all_fclose(f) == 0);
}

/* Byte i of an array with blocks of `block` elements of `size` bytes that starts at thread `first`. */
static shared char *place(shared void *base, size_t first, size_t block, size_t size, size_t i)
{
    size_t element = i / size, b, phase;
    if (block == 0)
        return (shared char *)bupc_ptradd(bupc_ptradd(base, 1, 1, first), 0, 1, i);
    b = element / block;
    phase = element % block;
    return (shared char *)bupc_ptradd(bupc_ptradd(base, 1, 1, (first + b) % THREADS), 0, 1,
                                      ((first + b) / THREADS * block + phase) * size + i % size);
}

/* All threads together through the common pointer, to and from a blocked array. */
static void common(const char *name, size_t block, size_t size, size_t n, size_t first, upc_flag_t flags, int async, int seed)
{
    size_t i, bytes = size * n;
    shared void *start = place(cyclic, first, 0, 1, 0);
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_COMMON_FP, 0, NULL);
    CHECK(f != NULL && upc_threadof(start) == first);
    CHECK(upc_all_fwrite_local(f, buffer, 1, 1, BOTH) == -1 && upc_all_fread_local(f, buffer, 1, 1, BOTH) == -1);
    upc_barrier;
    if (MYTHREAD == 0)
        for (i = 0; i < bytes; i++)
            *place(cyclic, first, block, size, i) = byte_at((long)i, seed);
    upc_barrier;
    if (async)
        upc_all_fwrite_shared_async(f, start, block, size, n, flags);
    CHECK((async ? upc_all_fwait_async(f) : upc_all_fwrite_shared(f, start, block, size, n, flags)) == (upc_off_t)bytes);
    CHECK(upc_all_fseek(f, 0, UPC_SEEK_CUR) == (upc_off_t)bytes);
    CHECK(upc_all_fsync(f) == 0);
    CHECK(MYTHREAD != 0 || file_holds(name, 0, (long)bytes, seed));
    if (MYTHREAD == 0)
        for (i = 0; i < bytes; i++)
            *place(cyclic, first, block, size, i) = 0;
    CHECK(upc_all_fseek(f, 0, UPC_SEEK_SET) == 0);
    upc_barrier;
    /* One element more than the file has. */
    if (async)
        upc_all_fread_shared_async(f, start, block, size, n + 1, flags);
    CHECK((async ? upc_all_fwait_async(f) : upc_all_fread_shared(f, start, block, size, n + 1, flags)) == (upc_off_t)bytes);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        for (i = 0; i < bytes; i++)
            CHECK(*place(cyclic, first, block, size, i) == byte_at((long)i, seed));
    CHECK(upc_all_fclose(f) == 0);
}

/* Each thread an array of its own, by its own pointer. */
static void individual_shared(const char *name, size_t block, upc_flag_t flags, int seed)
{
    size_t i, n = 40;
    shared void *base = area;
    long start = (long)MYTHREAD * n * 2;
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_INDIVIDUAL_FP, 0, NULL);
    for (i = 0; i < n * 2; i++)
        *place(base, 0, block, 2, i) = byte_at(start + (long)i, seed);
    upc_barrier;
    CHECK(upc_all_fseek(f, start, UPC_SEEK_SET) == start);
    CHECK(upc_all_fwrite_shared(f, base, block, 2, n, flags) == (upc_off_t)n * 2);
    CHECK(upc_all_fsync(f) == 0);
    CHECK(MYTHREAD != 0 || file_holds(name, 0, (long)(THREADS * n * 2), seed));
    start = (long)((MYTHREAD + 1) % THREADS * n * 2);
    CHECK(upc_all_fseek(f, start, UPC_SEEK_SET) == start);
    CHECK(upc_all_fread_shared(f, base, block, 2, n, flags) == (upc_off_t)n * 2);
    for (i = 0; i < n * 2; i++)
        CHECK(*place(base, 0, block, 2, i) == byte_at(start + (long)i, seed));
    CHECK(upc_all_fclose(f) == 0);
}

/* Blocks beyond one buffer, so that a transfer takes several steps. */
static void large(const char *name)
{
    size_t i, n = 3000000 / THREADS;
    shared [] char *mine;
    shared char *array = upc_all_alloc(THREADS, n);
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_COMMON_FP, 0, NULL);
    mine = (shared [] char *)(array + MYTHREAD);
    for (i = 0; i < n; i++)
        mine[i] = byte_at((long)(i * THREADS + MYTHREAD), 3);
    CHECK(upc_all_fwrite_shared(f, array, 1, 1, n * THREADS, BOTH) == (upc_off_t)(n * THREADS));
    for (i = 0; i < n; i++)
        mine[i] = 0;
    CHECK(upc_all_fsync(f) == 0 && upc_all_fseek(f, 0, UPC_SEEK_SET) == 0);
    CHECK(MYTHREAD != 0 || file_holds(name, 0, (long)(n * THREADS), 3));
    CHECK(upc_all_fread_shared(f, array, 1, 1, n * THREADS, BOTH) == (upc_off_t)(n * THREADS));
    for (i = 0; i < n; i++)
        CHECK(mine[i] == byte_at((long)(i * THREADS + MYTHREAD), 3));
    CHECK(upc_all_fclose(f) == 0);
    upc_all_free(array);
}

static void modes(const char *name)
{
    upc_file_t *f;
    make_file(name, 100, 1);
    f = upc_all_fopen(name, UPC_RDONLY | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(upc_all_fwrite_local(f, buffer, 1, 1, BOTH) == -1 && errno == EBADF);
    CHECK(upc_all_fread_local(f, buffer, 1, 100, BOTH) == 100 && buffer[99] == byte_at(99, 1));
    CHECK(upc_all_fread_local(NULL, buffer, 1, 100, BOTH) == -1);
    CHECK(upc_all_fclose(f) == 0);
    f = upc_all_fopen(name, UPC_WRONLY | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(upc_all_fread_local(f, buffer, 1, 1, BOTH) == -1 && errno == EBADF);
    CHECK(upc_all_fwait_async(f) == -1);
    CHECK(upc_all_fclose(f) == 0);
}

int main(void)
{
    static const size_t blocks[] = {0, 1, 3, 7};
    const char *name = file_name();
    int i, b;
    cyclic = upc_all_alloc(THREADS, BYTES);
    for (i = 0; i < THREADS; i++) {
        shared void *p = upc_all_alloc(THREADS, BYTES);
        if (MYTHREAD == i)
            area = p;
    }
    upc_barrier;
    for (i = 0; i < FLAG_SETS; i++) {
        local(name, all_flags[i], i % 2, i);
        for (b = 0; b < 4; b++) {
            common(name, blocks[b], 1 + (i + b) % 5, 60 + i, (i + b) % THREADS, all_flags[i], (i + b) % 2, i + b);
            individual_shared(name, blocks[b], all_flags[i], i + b);
        }
    }
    large(name);
    modes(name);
    upc_barrier;
    if (MYTHREAD == 0)
        remove(name);
    return pass();
}
