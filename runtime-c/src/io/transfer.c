/* Reading and writing (library section, "Reading Data", "Writing Data", "List I/O", "Asynchronous I/O"). Every
   function describes its transfer as lists of regions of memory and segments of the file, which one loop walks side
   by side. Asynchronous functions run that loop in another system thread. */
#include "io/io.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "iov.h"

/* Most bytes, and most steps, that pass through private memory at once, where bytes are not contiguous in memory. */
enum { CHUNK = 1 << 20, STEPS = 512 };

#pragma GCC visibility push(default)
int64_t upc_all_fwait_async(upcr_pts_t handle);
int64_t upc_all_ftest_async(upcr_pts_t handle, int *flag);
#pragma GCC visibility pop

/* ---- The loop ------------------------------------------------------------------------------------------------------- */

/* Performs one read or write that is not cut short: returns the bytes moved, fewer at the end of the file. Sets
   errno on -1. */
static int64_t move_all(int descriptor, bool write, char *buffer, size_t n, int64_t offset)
{
    size_t done = 0;
    while (done < n) {
        ssize_t moved =
            write ? pwrite(descriptor, buffer + done, n - done, offset + (int64_t)done) : pread(descriptor, buffer + done, n - done, offset + (int64_t)done);
        if (moved < 0 && errno == EINTR)
            continue;
        if (moved < 0)
            return -1;
        if (moved == 0)
            break;
        done += (size_t)moved;
    }
    return (int64_t)done;
}

static size_t smallest(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Bytes of a region, and the same number of bytes of the file, that pass through private memory. */
struct step {
    const struct upcr_region *region;
    size_t from, n;
    int64_t offset;
};

/* Several steps together: their bytes in the memory of one thread travel as iovecs of one transfer. */
struct passage {
    struct upcr_transfer_io *t;
    char *chunk;
    size_t used, count;
    struct step step[STEPS];
};

/* Copies between the chunk and the memory of `count` steps, the last of which has moved only `last` bytes. */
static void move_memory(const struct passage *passage, size_t count, size_t last)
{
    struct upcr_batch batch = {0};
    struct upcr_iov_list iov = {.put = !passage->t->write, .batch = &batch};
    char *at = passage->chunk;
    for (const struct step *step = passage->step; step < passage->step + count; at += step->n, step++) {
        size_t n = step + 1 == passage->step + count ? last : step->n;
        upcr_layout_add(&iov, &step->region->shared, step->from, step->from + n, at);
    }
    upcr_iov_end(&iov);
    upcr_finish(&batch);
}

/* Counts the bytes, of n, that one system call has moved. False: the transfer ends, by an error or at the end of the
   file, beyond which everything else lies. */
static bool account(struct upcr_transfer_io *t, int64_t moved, size_t n)
{
    if (moved < 0) {
        t->error = errno;
        return false;
    }
    t->done += moved;
    return (size_t)moved == n;
}

static bool pass(struct passage *passage)
{
    struct upcr_transfer_io *t = passage->t;
    size_t count = passage->count, i = 0, last = 0;
    char *at = passage->chunk;
    bool goes_on = true;
    if (count == 0)
        return true;
    if (t->write)
        move_memory(passage, count, passage->step[count - 1].n);
    for (; goes_on && i < count; i++) {
        const struct step *step = &passage->step[i];
        int64_t moved = move_all(t->file->descriptor, t->write, at, step->n, step->offset);
        goes_on = account(t, moved, step->n);
        last = moved < 0 ? 0 : (size_t)moved;
        at += step->n;
    }
    if (!t->write)
        move_memory(passage, i, last);
    passage->count = passage->used = 0;
    return goes_on;
}

/* Returns where n bytes of a region can be read and written in place; NULL: they are not contiguous, or not mapped. */
static char *directly(const struct upcr_region *region, size_t from, size_t n)
{
    if (region->private != NULL)
        return (char *)region->private + from;
    struct upcr_cursor cursor = upcr_cursor_at(&region->shared, from, from + n);
    struct upcr_run run = upcr_cursor_next(&cursor, &region->shared, n);
    return run.count == n && upcr_mapped(upcr_threadof(run.start)) ? upcr_addr(run.start) : NULL;
}

/* Moves n bytes of a region; n is at most CHUNK if they cannot be accessed in place. False: the transfer ends. */
static bool move_part(struct passage *passage, const struct upcr_region *region, size_t from, size_t n, int64_t offset)
{
    struct upcr_transfer_io *t = passage->t;
    char *place = directly(region, from, n);
    if ((place != NULL || passage->used + n > CHUNK || passage->count == STEPS) && !pass(passage))
        return false;
    if (place != NULL)
        return account(t, move_all(t->file->descriptor, t->write, place, n, offset), n);
    passage->step[passage->count++] = (struct step){region, from, n, offset};
    passage->used += n;
    return true;
}

static void move_segments(struct passage *passage)
{
    struct upcr_transfer_io *t = passage->t;
    size_t region = 0, in_region = t->skipped;
    for (size_t s = 0; s < t->segment_count; s++) {
        for (size_t in_segment = 0; in_segment < t->segments[s].len;) {
            while (region < t->region_count && in_region == t->regions[region].len) {
                region++;
                in_region = 0;
            }
            size_t left = smallest(t->segments[s].len - in_segment, t->regions[region].len - in_region);
            size_t n = t->regions[region].private != NULL ? left : smallest(left, CHUNK);
            if (!move_part(passage, &t->regions[region], in_region, n, t->segments[s].offset + (int64_t)in_segment))
                return;
            in_region += n;
            in_segment += n;
        }
    }
    (void)pass(passage);
}

static void move(struct upcr_transfer_io *t)
{
    struct passage *passage = t->error == 0 ? malloc(sizeof *passage) : NULL;
    char *chunk = malloc(CHUNK);
    if ((chunk == NULL || passage == NULL) && t->error == 0)
        t->error = ENOMEM;
    if (t->error == 0) {
        *passage = (struct passage){.t = t, .chunk = chunk};
        move_segments(passage);
    }
    free(passage);
    free(chunk);
}

/* ---- From call to result -------------------------------------------------------------------------------------------- */

static void discard_transfer(struct upcr_transfer_io *t)
{
    free(t->regions);
    free(t->segments);
    free(t);
}

/* Moves the bytes. Under strong atomicity the functions of different threads take turns. A function that all threads
   perform together under the common pointer is a single function anyway. */
static void move_in_turn(struct upcr_transfer_io *t)
{
    bool alone = (t->file->flags & UPC_STRONG_CA) != 0 && !t->common;
    if (alone)
        upcr_tp_lock(t->file->lock, NULL);
    move(t);
    if (alone)
        upcr_tp_unlock(t->file->lock);
    /* Publishes the result of the transfer to upc_all_ftest_async. */
    atomic_store_explicit(&t->finished, true, memory_order_release);
}

static void *worker(void *transfer)
{
    move_in_turn(transfer);
    return NULL;
}

/* Rejects wrong arguments of this thread: it takes part in the call, which the other threads have entered, but moves
   nothing. */
static struct upcr_transfer_io *reject(struct upcr_transfer_io *t)
{
    t->error = EINVAL;
    t->segment_count = 0;
    return t;
}

/* Begins a transfer. Returns NULL with errno set, on all threads, if the file does not allow it. */
static struct upcr_transfer_io *begin(upcr_pts_t handle, bool write, bool own, bool list, size_t regions, size_t segments, upc_flag_t flags,
                                      const char *function)
{
    struct upcr_file *file = upcr_file_at(handle, false, function);
    int error = file == NULL ? errno : file->flags & (write ? UPC_RDONLY : UPC_WRONLY) ? EBADF : 0;
    /* Memory of one thread makes no sense with a file pointer that all threads share. */
    if (error == 0 && own && !list && (file->flags & UPC_COMMON_FP) != 0)
        error = EINVAL;
    struct upcr_transfer_io *t = error == 0 ? calloc(1, sizeof *t) : NULL;
    if (t != NULL) {
        t->regions = calloc(regions + 1, sizeof *t->regions);
        t->segments = calloc(segments + 1, sizeof *t->segments);
    }
    if (t == NULL || t->regions == NULL || t->segments == NULL) {
        if (t != NULL)
            discard_transfer(t);
        errno = error != 0 ? error : ENOMEM;
        return NULL;
    }
    t->file = file;
    t->call = upcr_call_begin(function, upcr_io_sync_flags(file->flags, flags));
    t->write = write;
    t->own = own;
    t->common = !list && (file->flags & UPC_COMMON_FP) != 0;
    t->moves = !list && !t->common;
    return t;
}

static int64_t finish(struct upcr_transfer_io *t)
{
    int64_t done = t->done;
    int error = t->error;
    struct upcr_file *file = t->file;
    upcr_call_leave(&t->call, t->own);
    if (t->common) {
        error = upcr_io_largest(error);
        done = upcr_io_sum(done);
    }
    if (error == 0 && (t->moves || t->common))
        file->position += done;
    discard_transfer(t);
    if (error != 0) {
        errno = error;
        return -1;
    }
    return done;
}

static int64_t run(struct upcr_transfer_io *t)
{
    if (t == NULL)
        return -1;
    upcr_call_enter(&t->call, t->own);
    move_in_turn(t);
    return finish(t);
}

/* Starts a system thread that moves the bytes. If none can be created, or the memory of others is not mapped, moves
   them at once. An error that shows before there is anything to wait for ends the job, because it cannot be reported
   in any other way. */
static void start(struct upcr_transfer_io *t, const char *function)
{
    if (t == NULL)
        upcr_die("%s: %s", function,
                 errno == EBUSY ? "another asynchronous operation on the file is not completed" : "not a file, or not open for this operation");
    upcr_call_enter(&t->call, t->own);
    t->file->pending = t;
    /* A lock belongs to this UPC thread, whichever system thread takes it. But while a worker holds it, this thread
       must not take another lock. */
    bool alone = (t->file->flags & UPC_STRONG_CA) != 0;
    bool reaches = t->own || upcr_all_mapped();
    t->threaded = !alone && reaches && pthread_create(&t->worker, NULL, worker, t) == 0;
    if (!t->threaded)
        move_in_turn(t);
}

static int64_t complete(struct upcr_file *file)
{
    struct upcr_transfer_io *t = file->pending;
    if (t->threaded)
        pthread_join(t->worker, NULL);
    file->pending = NULL;
    return finish(t);
}

static struct upcr_file *with_pending(upcr_pts_t handle, const char *function)
{
    struct upcr_file *file = upcr_file_at(handle, true, function);
    if (file != NULL && file->pending == NULL) {
        errno = EINVAL;
        return NULL;
    }
    return file;
}

int64_t upc_all_fwait_async(upcr_pts_t handle)
{
    struct upcr_file *file = with_pending(handle, "upc_all_fwait_async");
    return file == NULL ? -1 : complete(file);
}

int64_t upc_all_ftest_async(upcr_pts_t handle, int *flag)
{
    struct upcr_file *file = with_pending(handle, "upc_all_ftest_async");
    *flag = 1;
    if (file == NULL)
        return -1;
    *flag = upcr_io_smallest(atomic_load_explicit(&file->pending->finished, memory_order_acquire));
    return *flag ? complete(file) : 0;
}

/* ---- What the functions describe ------------------------------------------------------------------------------------ */

/* Builds a region of shared memory. The memory of shared transfers has no phase; block in bytes. */
static struct upcr_region shared_region(upcr_pts_t start, size_t block, size_t bytes)
{
    return (struct upcr_region){.shared = upcr_layout_make(upcr_resetphase(start), bytes, block, 1), .len = bytes};
}

static bool product(size_t a, size_t b, size_t *result)
{
    return !__builtin_mul_overflow(a, b, result) && *result <= INT64_MAX;
}

static struct upcr_transfer_io *local_transfer(upcr_pts_t handle, bool write, void *buffer, size_t size, size_t count, upc_flag_t flags, const char *function)
{
    size_t bytes;
    struct upcr_transfer_io *t = begin(handle, write, true, false, 1, 1, flags, function);
    if (t == NULL)
        return NULL;
    if (!product(size, count, &bytes))
        return reject(t);
    if (bytes != 0) {
        t->regions[t->region_count++] = (struct upcr_region){.private = buffer, .len = bytes};
        t->segments[t->segment_count++] = (struct upcr_filevec){t->file->position, bytes};
    }
    return t;
}

/* Builds a shared transfer. Under the common pointer each thread moves an equal part of the bytes. */
static struct upcr_transfer_io *shared_transfer(upcr_pts_t handle, bool write, upcr_pts_t buffer, size_t block, size_t size, size_t count, upc_flag_t flags,
                                                const char *function)
{
    size_t bytes, block_bytes;
    struct upcr_transfer_io *t = begin(handle, write, false, false, 2, 1, flags, function);
    if (t == NULL)
        return NULL;
    if (!product(size, count, &bytes) || !product(block, size, &block_bytes))
        return reject(t);
    size_t from = 0, to = bytes;
    if (t->common) {
        from = upcr_part_begin(bytes, (size_t)upcr_mythread, (size_t)upcr_threads);
        to = upcr_part_begin(bytes, (size_t)upcr_mythread + 1, (size_t)upcr_threads);
    }
    if (from != to) {
        t->regions[t->region_count++] = shared_region(buffer, block_bytes, bytes);
        t->segments[t->segment_count++] = (struct upcr_filevec){t->file->position + (int64_t)from, to - from};
        t->skipped = from;
    }
    return t;
}

/* Adds a copy of the list of segments to a transfer that already has its regions. Checks that the list is in order
   and as long as that of regions. */
static struct upcr_transfer_io *with_segments(struct upcr_transfer_io *t, size_t count, const struct upcr_filevec *segments)
{
    size_t memory = 0, file = 0;
    int64_t last = 0;
    bool valid = true;
    for (size_t i = 0; i < t->region_count; i++)
        valid = !__builtin_add_overflow(memory, t->regions[i].len, &memory) && valid;
    for (size_t i = 0; i < count; i++) {
        if (segments[i].len == 0)
            continue;
        valid = !__builtin_add_overflow(file, segments[i].len, &file) && segments[i].offset >= last && valid;
        last = segments[i].offset;
        t->segments[t->segment_count++] = segments[i];
    }
    return valid && memory == file ? t : reject(t);
}

static struct upcr_transfer_io *local_list(upcr_pts_t handle, bool write, size_t regions, const struct upcr_local_memvec *memory, size_t segments,
                                           const struct upcr_filevec *file, upc_flag_t flags, const char *function)
{
    struct upcr_transfer_io *t = begin(handle, write, true, true, regions, segments, flags, function);
    for (size_t i = 0; t != NULL && i < regions; i++)
        if (memory[i].len != 0)
            t->regions[t->region_count++] = (struct upcr_region){.private = memory[i].baseaddr, .len = memory[i].len};
    return t == NULL ? NULL : with_segments(t, segments, file);
}

static struct upcr_transfer_io *shared_list(upcr_pts_t handle, bool write, size_t regions, const struct upcr_shared_memvec *memory, size_t segments,
                                            const struct upcr_filevec *file, upc_flag_t flags, const char *function)
{
    struct upcr_transfer_io *t = begin(handle, write, false, true, regions, segments, flags, function);
    for (size_t i = 0; t != NULL && i < regions; i++)
        if (memory[i].len != 0)
            t->regions[t->region_count++] = shared_region(memory[i].baseaddr, memory[i].blocksize, memory[i].len);
    return t == NULL ? NULL : with_segments(t, segments, file);
}

/* ---- The functions -------------------------------------------------------------------------------------------------- */

#define FUNCTION(name, make, write, parameters, arguments)            \
    int64_t name parameters;                                          \
    void name##_async parameters;                                     \
    int64_t name parameters                                           \
    {                                                                 \
        return run(make arguments(write, #name));                     \
    }                                                                 \
    void name##_async parameters                                      \
    {                                                                 \
        start(make arguments(write, #name "_async"), #name "_async"); \
    }

#define LOCAL_PARAMETERS        (upcr_pts_t fd, void *buffer, size_t size, size_t nmemb, upc_flag_t flags)
#define LOCAL(write, function)  (fd, write, buffer, size, nmemb, flags, function)
#define SHARED_PARAMETERS       (upcr_pts_t fd, upcr_pts_t buffer, size_t blocksize, size_t size, size_t nmemb, upc_flag_t flags)
#define SHARED(write, function) (fd, write, buffer, blocksize, size, nmemb, flags, function)
#define LIST_PARAMETERS(memvec) (upcr_pts_t fd, size_t regions, const struct memvec *memory, size_t segments, const struct upcr_filevec *file, upc_flag_t flags)
#define LIST(write, function)   (fd, write, regions, memory, segments, file, flags, function)

#pragma GCC visibility push(default)
FUNCTION(upc_all_fread_local, local_transfer, false, LOCAL_PARAMETERS, LOCAL)
FUNCTION(upc_all_fwrite_local, local_transfer, true, LOCAL_PARAMETERS, LOCAL)
FUNCTION(upc_all_fread_shared, shared_transfer, false, SHARED_PARAMETERS, SHARED)
FUNCTION(upc_all_fwrite_shared, shared_transfer, true, SHARED_PARAMETERS, SHARED)
FUNCTION(upc_all_fread_list_local, local_list, false, LIST_PARAMETERS(upcr_local_memvec), LIST)
FUNCTION(upc_all_fwrite_list_local, local_list, true, LIST_PARAMETERS(upcr_local_memvec), LIST)
FUNCTION(upc_all_fread_list_shared, shared_list, false, LIST_PARAMETERS(upcr_shared_memvec), LIST)
FUNCTION(upc_all_fwrite_list_shared, shared_list, true, LIST_PARAMETERS(upcr_shared_memvec), LIST)
#pragma GCC visibility pop
