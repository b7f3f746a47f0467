/* The memory of an smp job: one sparse memory file that contains all threads' segments. All processes map it at the
   same addresses. It has no name in any file system, so nothing can be left behind. */
#include "runtime.h"

#include <sys/mman.h>
#include <unistd.h>

#include "seat.h"
#include "transport/smp/job.h"

struct smp_job *smp_job;
void *smp_seats;

static void map_job(int threads)
{
    size_t before = sizeof(struct smp_job) + (size_t)threads * sizeof(struct smp_thread);
    size_t bytes = before + upcr_seats_bytes(threads);
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        host_fatal_memory("map a control block", bytes);
    smp_job = at;
    smp_seats = (char *)at + before;
}

/* Maps all segments at the right distance from one another; returns the address of the first. Addresses between
   them, and those of null pointers at the start of each, stay without access. */
static char *map_segments(int file, size_t threads, size_t bytes, size_t stride)
{
    char *base = host_reserve_segments(threads, bytes, stride);
    for (size_t t = 0; t < threads; t++)
        host_map_segment(base + t * stride, bytes, file, t * host_file_stride(bytes, stride));
    return base;
}

#ifdef UPCR_REMOTE

char *smp_view;
static int width; /* groups of this many threads, beginning at multiples of it, count as mapped for one another */

static void separate(const struct upcr_plan *plan, int file, size_t bytes, size_t stride)
{
    size_t threads = (size_t)plan->threads;
    width = plan->width != 0 && plan->width < plan->threads ? plan->width : plan->threads;
    smp_view = width == plan->threads ? upcr_segment_base : map_segments(file, threads, bytes, stride);
}

void smp_segments_choose(int thread)
{
    size_t threads = (size_t)upcr_threads, first = (size_t)(thread - thread % width), behind = first + (size_t)width;
    if (behind > threads)
        behind = threads;
    upcr_mapped_first = first;
    upcr_mapped_count = behind - first;
    if (smp_view == upcr_segment_base)
        return;
    /* An access that treats remote memory as mapped must fault. */
    for (size_t t = 0; t < threads; t++)
        if ((t < first || t >= behind) && mprotect(upcr_segment_base + t * UPCR_SEGMENT_STRIDE, host_job->segment_bytes, PROT_NONE) != 0)
            host_fatal_memory("close the segment", host_job->segment_bytes);
}

bool upcr_tp_together(int a, int b)
{
    return a / width == b / width;
}

int upcr_tp_groups(void)
{
    return (upcr_threads + width - 1) / width;
}

int upcr_tp_group_of(int thread)
{
    return thread / width;
}

int upcr_tp_group_first(int group)
{
    return group < upcr_tp_groups() ? group * width : upcr_threads;
}

#else

static void separate(const struct upcr_plan *plan, int file, size_t bytes, size_t stride)
{
    (void)plan, (void)file, (void)bytes, (void)stride;
}

void smp_segments_choose(int thread)
{
    (void)thread;
}

bool upcr_tp_together(int a, int b)
{
    (void)a, (void)b;
    return true;
}

int upcr_tp_groups(void)
{
    return 1;
}

int upcr_tp_group_of(int thread)
{
    (void)thread;
    return 0;
}

int upcr_tp_group_first(int group)
{
    return group == 0 ? 0 : upcr_threads;
}

#endif

static char *side;
static size_t side_bytes;

/* Maps the side memory of all threads. All threads inherit the mapping, so each has that of every other. */
static void map_side(const struct upcr_plan *plan, size_t segment_bytes)
{
    if (plan->side == NULL)
        return;
    side_bytes = host_round_to_pages(plan->side(segment_bytes));
    size_t bytes = (size_t)plan->threads * side_bytes;
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        host_fatal_memory("reserve memory for checks", bytes);
    side = at;
}

void *upcr_tp_side(int thread)
{
    return side + (size_t)thread * side_bytes;
}

void upcr_tp_call(int thread, void (*work)(void *), void *data, size_t n)
{
    (void)thread, (void)n;
    work(data);
}

void smp_segments_create(const struct upcr_plan *plan)
{
    size_t bytes = host_round_to_pages(plan->static_bytes + plan->heap_bytes);
    size_t threads = (size_t)plan->threads;
    map_job(plan->threads);
    size_t stride = host_choose_stride(bytes, plan->threads);
    if (threads > ((uint64_t)1 << 46) / stride)
        upcr_fatal("%zu threads with this much shared memory each do not fit the address space: ask for a smaller shared heap", threads);

    int file = host_create_memory(threads * host_file_stride(bytes, stride));
    upcr_segment_base = map_segments(file, threads, bytes, stride);
    separate(plan, file, bytes, stride);
    smp_linear_map(file, plan->static_bytes, host_file_stride(bytes, stride));
    smp_touched_note(file, host_file_stride(bytes, stride));
    map_side(plan, bytes);
    host_job->segment_base = upcr_segment_base;
    host_job->segment_stride = stride;
    host_job->segment_bytes = bytes;
    host_job->heap_bytes = plan->heap_bytes;
    host_job->heap_start = plan->static_bytes;
}

void smp_segment_discard(int thread, uint64_t offset, uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t from = (offset + page - 1) & ~(page - 1), to = (offset + bytes) & ~(page - 1);
    /* A failure costs memory, not correctness. */
    if (from < to)
        (void)madvise(smp_segment(thread) + from, to - from, MADV_REMOVE);
}
