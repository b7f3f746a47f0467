// question: does list I/O put the bytes of each file segment where the memory list says, with local and shared memory, blocking and not?
// counts: UPC_BARRIER=4*THREADS, UPC_ALLOC=THREADS, UPC_MEMPUT=1, UPC_MEMGET=THREADS, UPC_MEMGET.remote=THREADS-1
#include "io_check.h"

#define AREA 4000
static shared [] char *shared mine[THREADS];
static char memory[AREA];

/* Segments of thread t: every THREADS-th stretch of the file, of 10 to 30 bytes. */
static size_t stretches(struct upc_filevec *file, int t, int count, size_t *total)
{
    long offset = 0;
    int i, n = 0;
    *total = 0;
    for (i = 0; i < count * THREADS; i++) {
        size_t len = 10 + (size_t)i * 7 % 21;
        if (i % THREADS == t) {
            file[n].offset = offset;
            file[n].len = n % 5 == 4 ? 0 : len;
            *total += file[n++].len;
        }
        offset += (long)len;
    }
    return (size_t)n;
}

/* The list's k-th byte. */
static long offset_of(const struct upc_filevec *file, size_t k)
{
    while (k >= file->len)
        k -= file++->len;
    return file->offset + (long)k;
}

static void local(const char *name, upc_flag_t flags, int async, int seed)
{
    struct upc_filevec file[40];
    struct upc_local_memvec places[3];
    size_t total, n = stretches(file, MYTHREAD, 12, &total), k;
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_TRUNC | (seed % 2 ? UPC_COMMON_FP : UPC_INDIVIDUAL_FP), 0, NULL);
    places[0].baseaddr = memory + 2000;
    places[0].len = total / 3;
    places[1].baseaddr = memory;
    places[1].len = 1;
    places[2].baseaddr = memory + 500;
    places[2].len = total - total / 3 - 1;
#define BYTE(k) memory[(k) < total / 3 ? 2000 + (k) : (k) == total / 3 ? 0 : 500 + (k)-total / 3 - 1]
    for (k = 0; k < total; k++)
        BYTE(k) = byte_at(offset_of(file, k), seed);
    if (async)
        upc_all_fwrite_list_local_async(f, 3, places, n, file, flags);
    CHECK((async ? upc_all_fwait_async(f) : upc_all_fwrite_list_local(f, 3, places, n, file, flags)) == (upc_off_t)total);
    CHECK(upc_all_fsync(f) == 0 && upc_all_fseek(f, 0, UPC_SEEK_CUR) == 0);
    for (k = 0; k < n; k++)
        CHECK(file_holds(name, file[k].offset, file[k].offset + (long)file[k].len, seed));
    n = stretches(file, (MYTHREAD + 1) % THREADS, 12, &total);
    places[0].len = total / 3;
    places[2].len = total - total / 3 - 1;
    memset(memory, 0, sizeof memory);
    if (async)
        upc_all_fread_list_local_async(f, 3, places, n, file, flags);
    CHECK((async ? upc_all_fwait_async(f) : upc_all_fread_list_local(f, 3, places, n, file, flags)) == (upc_off_t)total);
    for (k = 0; k < total; k++)
        CHECK(BYTE(k) == byte_at(offset_of(file, k), seed));
    CHECK(upc_all_fread_list_local(f, 0, NULL, 0, NULL, flags) == 0);
    CHECK(upc_all_fread_list_local(f, 2, places, n, file, BOTH) == -1 && errno == EINVAL);
    CHECK(upc_all_fclose(f) == 0);
}

/* Memory of the neighbour, in two regions with blocks. */
static void shared_memory(const char *name, upc_flag_t flags, int async, int seed)
{
    struct upc_filevec file[40];
    struct upc_shared_memvec places[2];
    size_t total, n = stretches(file, MYTHREAD, 12, &total), k;
    shared [] char *there = mine[(MYTHREAD + 1) % THREADS];
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_INDIVIDUAL_FP, 0, NULL);
    places[0].baseaddr = there + 1000;
    places[0].blocksize = 0;
    places[0].len = 11;
    places[1].baseaddr = there;
    places[1].blocksize = 0;
    places[1].len = total - 11;
#define FAR(k) there[(k) < 11 ? 1000 + (k) : (k)-11]
    for (k = 0; k < total; k++)
        FAR(k) = byte_at(offset_of(file, k), seed);
    if (async)
        upc_all_fwrite_list_shared_async(f, 2, places, n, file, flags);
    CHECK((async ? upc_all_fwait_async(f) : upc_all_fwrite_list_shared(f, 2, places, n, file, flags)) == (upc_off_t)total);
    CHECK(upc_all_fsync(f) == 0);
    for (k = 0; k < n; k++)
        CHECK(file_holds(name, file[k].offset, file[k].offset + (long)file[k].len, seed));
    for (k = 0; k < total; k++)
        FAR(k) = 0;
    if (async)
        upc_all_fread_list_shared_async(f, 2, places, n, file, flags);
    CHECK((async ? upc_all_fwait_async(f) : upc_all_fread_list_shared(f, 2, places, n, file, flags)) == (upc_off_t)total);
    for (k = 0; k < total; k++)
        CHECK(FAR(k) == byte_at(offset_of(file, k), seed));
    CHECK(upc_all_fclose(f) == 0);
}

/* Strong atomicity: of writes that overlap, one is seen whole, lists included. */
static void atomicity(const char *name)
{
    struct upc_filevec file[2] = {{0, 1000}, {1500, 1000}};
    struct upc_local_memvec place = {memory, 2000};
    int round, i;
    for (round = 0; round < 20; round++) {
        upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_STRONG_CA | UPC_INDIVIDUAL_FP, 0, NULL);
        memset(memory, 'a' + MYTHREAD, sizeof memory);
        CHECK(upc_all_fwrite_list_local(f, 1, &place, 2, file, UPC_IN_NOSYNC | UPC_OUT_NOSYNC) == 2000);
        CHECK(upc_all_fread_list_local(f, 1, &place, 2, file, UPC_IN_NOSYNC | UPC_OUT_NOSYNC) == 2000);
        for (i = 1; i < 2000; i++)
            CHECK(memory[i] == memory[0]);
        CHECK(upc_all_fclose(f) == 0);
    }
}

int main(void)
{
    const char *name = file_name();
    int i;
    mine[MYTHREAD] = upc_alloc(AREA);
    upc_barrier;
    for (i = 0; i < FLAG_SETS; i++) {
        local(name, all_flags[i], i / 2 % 2, i);
        shared_memory(name, all_flags[i], i % 2, i);
    }
    atomicity(name);
    upc_barrier;
    if (MYTHREAD == 0)
        remove(name);
    return pass();
}
