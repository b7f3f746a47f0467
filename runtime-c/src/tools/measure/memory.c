#include "runtime.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tools/measure/file.h"
#include "tools/measure/memory.h"

/* A part of the memory file, and where its process has mapped it. */
struct segment {
    void *at;
    uint64_t offset, bytes;
};

/* What a segment begins with: where the next one is. */
struct head {
    struct segment next;
};
enum { HEAD_BYTES = 64 };
_Static_assert(sizeof(struct head) <= HEAD_BYTES, "a segment's head has its place");

/* Each process has a span of the memory file, most of which is never used. */
enum { MOST_PROCESSES = 1 << 16 };
static const uint64_t span = (uint64_t)1 << 40;

/* Shared by the launcher and its threads. */
static struct table {
    uint32_t used;
    struct entry {
        pid_t process;
        bool done;
        struct segment first;
    } entry[MOST_PROCESSES];
} * table;

static int memory_file = -1;

/* Addresses that are free in the launcher and, as its children have them from it, in each thread. */
static char *range;
static size_t range_bytes;

/* Of this process. */
static struct entry *mine;
static struct segment *last; /* where the next segment is to be noted */
static uint64_t next_offset;
static size_t range_used;

/* Fewer where the user limits them. */
static void reserve_addresses(void)
{
    static const size_t most = (size_t)64 << 30, least = (size_t)64 << 20;
    for (size_t bytes = most; bytes >= least; bytes /= 2) {
        void *at = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED)
            continue;
        range = at;
        range_bytes = bytes;
        return;
    }
}

/* Without the file, as where the user limits the size of files, nothing outlives the process. */
void measure_memory_prepare(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY)
        return;
    void *at = mmap(NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int file = at != MAP_FAILED ? memfd_create("upc measurement", MFD_CLOEXEC) : -1;
    if (file >= 0 && ftruncate(file, (off_t)(span * MOST_PROCESSES)) == 0) {
        table = at;
        memory_file = measure_file_move(file);
        reserve_addresses();
        return;
    }
    if (file >= 0)
        close(file);
    if (at != MAP_FAILED)
        munmap(at, sizeof *table);
}

/* The entry of this process, taken at its first segment. */
static bool take_entry(void)
{
    if (memory_file < 0 || mine != NULL)
        return mine != NULL;
    uint32_t index = __atomic_fetch_add(&table->used, 1, __ATOMIC_RELAXED);
    if (index >= MOST_PROCESSES)
        return false;
    mine = &table->entry[index];
    mine->process = getpid();
    last = &mine->first;
    next_offset = index * span;
    return true;
}

static uint64_t block_pages(size_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    return (bytes + HEAD_BYTES + page - 1) & ~(page - 1);
}

void *measure_memory_reserve(size_t bytes)
{
    const uint64_t whole = block_pages(bytes);
    if (!take_entry()) {
        char *at = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        return at != MAP_FAILED ? at + HEAD_BYTES : NULL;
    }
    /* When all are used, others: the launcher may have something else there. */
    bool fits = whole <= range_bytes - range_used;
    char *at = mmap(fits ? range + range_used : NULL, whole, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | (fits ? MAP_FIXED : 0), memory_file,
                    (off_t)next_offset);
    if (at == MAP_FAILED)
        return NULL;
    range_used += fits ? whole : 0;
    /* A core file would have all of it, used or not. */
    (void)madvise(at, whole, MADV_DONTDUMP);
    last->offset = next_offset;
    last->bytes = whole;
    /* Last: the process may be killed at any moment. */
    __atomic_store_n(&last->at, at, __ATOMIC_RELEASE);
    last = &((struct head *)(void *)at)->next;
    next_offset += whole;
    return at + HEAD_BYTES;
}

void measure_memory_clear(void *memory, size_t bytes)
{
    char *at = (char *)memory - HEAD_BYTES;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = block_pages(bytes);
    /* The head stays at any moment: the launcher follows it. */
    memset(memory, 0, page - HEAD_BYTES);
    /* A private mapping is zero again when it is not needed, a shared one when it has a hole. */
    if (whole > page && madvise(at + page, whole - page, memory_file >= 0 && mine != NULL ? MADV_REMOVE : MADV_DONTNEED) != 0)
        memset(at + page, 0, whole - page);
}

bool measure_memory_outlives(void)
{
    return mine != NULL;
}

void measure_memory_done(void)
{
    if (mine != NULL)
        mine->done = true;
}

/* ---- The launcher -------------------------------------------------------------------------------------------------- */

static const struct segment *adopted; /* the first */

static const struct segment *behind(const struct segment *segment)
{
    return &((const struct head *)segment->at)->next;
}

static bool is_in_range(const struct segment *segment)
{
    return (uintptr_t)segment->at - (uintptr_t)range < range_bytes;
}

/* False: another mapping is there. */
static bool map_again(const struct segment *segment)
{
    const int flags = MAP_SHARED | MAP_NORESERVE | (is_in_range(segment) ? MAP_FIXED : MAP_FIXED_NOREPLACE);
    return mmap(segment->at, segment->bytes, PROT_READ | PROT_WRITE, flags, memory_file, (off_t)segment->offset) == segment->at;
}

static void give_back(const struct segment *segment)
{
    if (is_in_range(segment))
        (void)mmap(segment->at, segment->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    else
        munmap(segment->at, segment->bytes);
}

/* Up to the segment `end`; NULL: all. */
static void unmap(const struct segment *first, const struct segment *end)
{
    struct segment segment = *first;
    const struct segment *at = first;
    while (at != end && segment.at != NULL) {
        struct segment next = *behind(&segment);
        at = behind(&segment);
        give_back(&segment);
        segment = next;
    }
}

unsigned measure_memory_processes(void)
{
    return memory_file < 0 ? 0 : table->used < MOST_PROCESSES ? table->used : MOST_PROCESSES;
}

/* Maps all segments of a process; returns what was reserved first. */
static void *adopt(const struct entry *entry, bool (*map)(const struct segment *))
{
    for (const struct segment *segment = &entry->first; segment->at != NULL; segment = behind(segment))
        if (!map(segment)) {
            unmap(&entry->first, segment);
            return NULL;
        }
    adopted = &entry->first;
    return (char *)entry->first.at + HEAD_BYTES;
}

void *measure_memory_adopt(pid_t process)
{
    const unsigned used = measure_memory_processes();
    for (struct entry *entry = used > 0 ? table->entry : NULL; entry != NULL && entry < table->entry + used; entry++) {
        if (entry->process != process || entry->done || entry->first.at == NULL)
            continue;
        void *memory = adopt(entry, map_again);
        entry->done = memory != NULL;
        return memory;
    }
    return NULL;
}

/* False: the system does not read all of them. */
static bool read_all(void *to, size_t bytes, uint64_t offset)
{
    size_t done = 0;
    while (done < bytes) {
        ssize_t more = pread(memory_file, (char *)to + done, bytes - done, (off_t)(offset + done));
        if (more <= 0)
            return false;
        done += (size_t)more;
    }
    return true;
}

/* Copies what a segment has, its head last: the segments behind it contain all that the copy refers to. */
static bool map_copy(const struct segment *segment)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (is_in_range(segment) ? MAP_FIXED : MAP_FIXED_NOREPLACE);
    const off_t first = (off_t)segment->offset, end = (off_t)(segment->offset + segment->bytes);
    char *const copy = segment->at;
    if (mmap(copy, segment->bytes, PROT_READ | PROT_WRITE, flags, -1, 0) != copy)
        return false;
    for (off_t at = first, hole; (at = lseek(memory_file, at, SEEK_DATA)) >= 0 && at < end; at = hole) {
        hole = lseek(memory_file, at, SEEK_HOLE);
        hole = hole < 0 || hole > end ? end : hole;
        if (!read_all(copy + (at - first), (size_t)(hole - at), (uint64_t)at))
            return false;
    }
    return read_all(copy, sizeof(struct head), (uint64_t)first);
}

void *measure_memory_copy(unsigned index)
{
    const struct entry *entry = &table->entry[index];
    /* Acquires what its process wrote of the segment. */
    return __atomic_load_n(&entry->first.at, __ATOMIC_ACQUIRE) != NULL ? adopt(entry, map_copy) : NULL;
}

bool measure_memory_is_current(const void *copied, size_t bytes)
{
    uint8_t now[512];
    const struct segment *segment = adopted;
    while (segment->at != NULL && (uintptr_t)copied - (uintptr_t)segment->at >= segment->bytes)
        segment = behind(segment);
    if (segment->at == NULL || bytes > sizeof now)
        return false;
    return read_all(now, bytes, segment->offset + (uint64_t)((const char *)copied - (const char *)segment->at)) && memcmp(now, copied, bytes) == 0;
}

void measure_memory_release(void)
{
    if (adopted != NULL)
        unmap(adopted, NULL);
    adopted = NULL;
}
