/* The memory file that contains the threads' segments. */
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "options.h"
#include "transport/host/host.h"

size_t host_round_to_pages(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) & ~(page - 1);
}

/* Returns a limit of this process, as the shell's ulimit sets it; RLIM_INFINITY: none. */
static rlim_t limit_of(int what)
{
    struct rlimit limit;
    return getrlimit(what, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

/* Writes "the limit of addresses of a process is 4 GB: ..."; "" if no limit explains the error. */
static void describe_limit(int error, char *text, size_t capacity)
{
    char size[32];
    rlim_t addresses = limit_of(RLIMIT_AS), file = limit_of(RLIMIT_FSIZE);
    if (error == ENOMEM && addresses != RLIM_INFINITY)
        snprintf(text, capacity,
                 "the address space of a process is limited to %s (ulimit -v), and must hold the memory of all threads that it accesses: raise "
                 "that limit, ",
                 upcr_print_size(size, sizeof size, addresses));
    else if (error == EFBIG && file != RLIM_INFINITY)
        snprintf(text, capacity, "a file is limited to %s (ulimit -f), and the memory of all threads is one file: raise that limit, ",
                 upcr_print_size(size, sizeof size, file));
    else
        *text = '\0';
}

void host_fatal_memory(const char *what, uint64_t bytes)
{
    char size[32], limit[256];
    int error = errno;
    describe_limit(error, limit, sizeof limit);
    if (*limit != '\0')
        upcr_fatal("cannot %s of %s: %sask for a smaller shared heap (-shared-heap SIZE, UPC_SHARED_HEAP_SIZE) or fewer threads", what,
                   upcr_print_size(size, sizeof size, bytes), limit);
    upcr_fatal("cannot %s of %s: %s (a smaller shared heap may help: -shared-heap SIZE or UPC_SHARED_HEAP_SIZE)", what,
               upcr_print_size(size, sizeof size, bytes), strerror(error));
}

/* Reserves only the segments' own addresses, in one of several ranges that systems usually leave free; NULL if none
   of them is. The addresses between the segments are not reserved then; they are far from where the system maps
   files and memory. */
static char *reserve_segments_alone(size_t count, size_t bytes, size_t stride)
{
    static const uintptr_t places[] = {(uintptr_t)0x20 << 40, (uintptr_t)0x30 << 40, (uintptr_t)0x10 << 40, (uintptr_t)0x08 << 40, (uintptr_t)0x20 << 32};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *base = (char *)places[i];
        size_t done = 0;
        while (done < count) {
            char *at = base + done * stride;
            void *mapped = mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
            if (mapped != at) {
                if (mapped != MAP_FAILED)
                    munmap(mapped, bytes);
                break;
            }
            done++;
        }
        if (done == count)
            return base;
        int error = errno;
        while (done-- != 0)
            munmap(base + done * stride, bytes);
        errno = error;
        if (error == ENOMEM)
            return NULL;
    }
    errno = ENOMEM;
    return NULL;
}

/* ---- Huge pages ----------------------------------------------------------------------------------------------------- */

/* Returns the bytes of a huge page; 0: there are none, or they are so large that segments would be mostly unused. */
static size_t huge_page(void)
{
    static size_t known = SIZE_MAX;
    const size_t most = (size_t)32 << 20;
    FILE *file = known != SIZE_MAX ? NULL : fopen("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "re");
    if (known == SIZE_MAX)
        known = 0;
    if (file != NULL) {
        if (fscanf(file, "%zu", &known) != 1 || known > most || (known & (known - 1)) != 0)
            known = 0;
        fclose(file);
    }
    return known;
}

static size_t round_to_huge_pages(size_t bytes)
{
    size_t huge = huge_page();
    return huge == 0 ? bytes : (bytes + huge - 1) & ~(huge - 1);
}

size_t host_file_start(size_t bytes)
{
    return round_to_huge_pages(host_round_to_pages(bytes));
}

size_t host_file_stride(size_t bytes, size_t stride)
{
    size_t huge = huge_page();
    return huge == 0 ? bytes : round_to_huge_pages(bytes) + stride % huge;
}

void host_map_segment(char *base, size_t bytes, int file, size_t offset)
{
    size_t mapped = bytes - UPCR_STATIC_START;
    char *at = base + UPCR_STATIC_START;
    if (mmap(at, mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file, (off_t)(offset + UPCR_STATIC_START)) == MAP_FAILED)
        host_fatal_memory("map a segment", bytes);
    /* The system may have none: then pages are small. */
    if (huge_page() != 0)
        (void)madvise(at, mapped, upcr_options.no_huge_pages != 0 ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
}

/* ---- Addresses ------------------------------------------------------------------------------------------------------ */

char *host_reserve_segments(size_t count, size_t bytes, size_t stride)
{
    size_t before = HOST_GUARD_BYTES + huge_page();
    char *base = mmap(NULL, before + count * stride, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base != MAP_FAILED) {
        base = (char *)round_to_huge_pages((uintptr_t)(base + HOST_GUARD_BYTES));
        if (host_job->guard_end == 0)
            host_job->guard_end = (uintptr_t)base;
    }
    if (base == MAP_FAILED)
        base = reserve_segments_alone(count, bytes, stride);
    if (base == NULL)
        host_fatal_memory("reserve the addresses", count * bytes);
    return base;
}

static uint64_t addresses_in_use(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%llu", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t upcr_tp_memory_limit(void)
{
    const uint64_t part = 2;
    uint64_t addresses = limit_of(RLIMIT_AS), file = limit_of(RLIMIT_FSIZE), used = addresses_in_use(), most = UINT64_MAX;
    if (addresses != RLIM_INFINITY)
        most = addresses > used ? (addresses - used) / part : 0;
    if (file != RLIM_INFINITY && file / part < most)
        most = file / part;
    return most;
}

size_t host_choose_stride(size_t segment_bytes, int threads)
{
#ifdef UPCR_PTS_STRUCT
    (void)threads;
    upcr_segment_stride = ((upcr_u64)1 << (64 - __builtin_clzll(segment_bytes - 1))) + UPCR_SEGMENT_SKEW;
#else
    char have[32], want[32];
    upcr_segment_stride = UPCR_SEGMENT_STRIDE;
    if (segment_bytes > UPCR_SEGMENT_LIMIT(threads))
        upcr_fatal("%s of shared memory per thread do not fit packed pointers-to-shared, which can address %s: ask for a smaller shared heap, "
                   "or compile with -fupc-pts=struct",
                   upcr_print_size(want, sizeof want, segment_bytes), upcr_print_size(have, sizeof have, UPCR_SEGMENT_LIMIT(threads)));
#endif
    return upcr_segment_stride;
}

size_t upcr_tp_segment_bytes(void)
{
    return host_job->segment_bytes;
}

int host_create_memory(size_t bytes)
{
    /* A file that is too long (ulimit -f) must be reported as an error and not end the process by a signal. */
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    int file = memfd_create("upc shared memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0 || ftruncate(file, (off_t)bytes) != 0)
        host_fatal_memory("create a memory file", bytes);
    signal(SIGXFSZ, before);
    fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    return file;
}
