/* The linear images of static arrays (upcr/base.h): a second mapping of the blocks of all threads, one after another. Emitted code decides by
   the type of an array that it has an image, so either all arrays of this kind have one, or none has. */
#include "runtime.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "objects.h"
#include "transport/smp/job.h"

#ifndef UPCR_REMOTE

/* Each thread that is started copies the mappings, which takes it about 0.3 us each. */
enum { MOST_MAPPINGS = 1024 };

/* Returns the bytes of a block, if emitted code goes by the linear image of the array; otherwise 0. */
static uint64_t image_block(const upcr_object *object, uint64_t threads)
{
    uint64_t block = object->elem * object->block, all = object->elem * object->count * (object->per_thread ? threads : 1);
    return block % UPCR_LINEAR_PAGE == 0 && all == block * threads ? block : 0;
}

struct images {
    int file;
    uint64_t threads, file_stride, page, mappings;
    char *first; /* NULL: the arrays are only counted */
};

/* Returns where the image of an array at this offset begins; first: where that of the first place of static data does. */
static char *image_at(char *first, uint64_t offset, uint64_t threads)
{
    return first + (offset - UPCR_STATIC_START) * threads;
}

/* Maps the blocks of an array at this offset. */
static bool map_image(struct images *images, uint64_t offset, uint64_t block)
{
    char *image = image_at(images->first, offset, images->threads);
    for (uint64_t t = 0; t < images->threads; t++) {
        void *at = image + t * block;
        if (mmap(at, block, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, images->file, (off_t)(t * images->file_stride + offset)) != at)
            return false;
    }
    return true;
}

/* Returns the next object with an image; NULL: there is no more. Of several records of one object, it takes one. */
static const upcr_object *image_after(const upcr_object *object, uint64_t threads)
{
    uint64_t same;
    do
        object = upcr_object_after(object);
    while (object != NULL && (image_block(object, threads) == 0 || upcr_object_before(upcr_object_start(object), &same) != object));
    return object;
}

/* Counts or maps all images. False: there is none, or an array cannot have one. */
static bool each_image(struct images *images)
{
    for (const upcr_object *object = NULL; (object = image_after(object, images->threads)) != NULL;) {
        uint64_t block = image_block(object, images->threads), start = upcr_object_start(object);
        if (start % images->page != 0 || block % images->page != 0)
            return false;
        images->mappings += images->threads;
        if (images->mappings > MOST_MAPPINGS || (images->first != NULL && !map_image(images, start, block)))
            return false;
    }
    return images->mappings != 0;
}

void smp_linear_map(int file, uint64_t static_bytes, uint64_t file_stride)
{
    struct rlimit addresses;
    if (getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur != RLIM_INFINITY)
        return;
    struct images images = {.file = file, .threads = (uint64_t)upcr_threads, .file_stride = file_stride, .page = (uint64_t)sysconf(_SC_PAGESIZE)};
    uint64_t bytes = (static_bytes - UPCR_STATIC_START) * images.threads;
    if (!each_image(&images))
        return; /* no array has one, or not all can have one */
    char *first = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (first == MAP_FAILED)
        return;
    images.first = first;
    images.mappings = 0;
    if (!each_image(&images)) {
        munmap(first, bytes);
        return;
    }
    /* A core file has the segments. */
    (void)madvise(first, bytes, MADV_DONTDUMP);
    host_job->linear = first;
    host_job->linear_bytes = bytes;
    upcr_linear = (uint64_t)(first - upcr_segment_base) - UPCR_STATIC_START * images.threads;
}

/* Maps the part of an object's image that has pages [from, to) of a thread's segment. */
static bool populate_image(const upcr_object *object, uint64_t thread, uint64_t from, uint64_t to)
{
    uint64_t threads = (uint64_t)upcr_threads, block = image_block(object, threads), start = upcr_object_start(object);
    uint64_t first = from > start ? from : start, behind = to < start + block ? to : start + block;
    char *image = image_at(host_job->linear, start, threads) + thread * block;
    return first >= behind || smp_populate(image + (first - start), behind - first);
}

bool smp_linear_populate(int thread, uint64_t from, uint64_t to)
{
    if (upcr_linear == 0 || from >= host_job->heap_start)
        return true;
    for (const upcr_object *object = NULL; (object = image_after(object, (uint64_t)upcr_threads)) != NULL;)
        if (!populate_image(object, (uint64_t)thread, from, to))
            return false;
    return true;
}

#else

bool smp_linear_populate(int thread, uint64_t from, uint64_t to)
{
    (void)thread, (void)from, (void)to;
    return true;
}

void smp_linear_map(int file, uint64_t static_bytes, uint64_t file_stride)
{
    (void)file, (void)static_bytes, (void)file_stride;
}

#endif
