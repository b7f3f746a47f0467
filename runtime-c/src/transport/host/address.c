/* Describes addresses in the user's terms. */
#include "runtime.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "objects.h"
#include "transport/host/host.h"

static bool is_array(const upcr_object *object)
{
    size_t length = strlen(object->type);
    return length > 0 && object->type[length - 1] == ']';
}

static void describe_static(int thread, uint64_t offset, char *text, size_t capacity)
{
    uint64_t element;
    const upcr_object *object = upcr_object_at(thread, offset, &element);
    if (object == NULL)
        snprintf(text, capacity, "static shared data of thread %d that belongs to no object", thread);
    else if (is_array(object))
        snprintf(text, capacity, "element %llu of shared array `%s`, on thread %d", (unsigned long long)element, object->name, thread);
    else
        snprintf(text, capacity, "shared variable `%s`", object->name);
}

/* Describes an address below all objects of a thread. */
static void describe_below(int thread, uint64_t offset, char *text, size_t capacity)
{
    uint64_t first;
    const upcr_object *object = upcr_object_from(UPCR_STATIC_START, &first);
    if (offset == 0 && thread == 0)
        snprintf(text, capacity, "a null pointer-to-shared");
    else if (upcr_is_mapped_null(offset))
        snprintf(text, capacity, "a null pointer-to-shared plus an index or member: thread %d, address 0x%llx", thread, (unsigned long long)offset);
    else if (object != NULL)
        snprintf(text, capacity, "%llu bytes before shared `%s`, on thread %d", (unsigned long long)(first - offset), object->name, thread);
    else
        snprintf(text, capacity, "before the shared memory of thread %d", thread);
}

/* Describes an address in some thread's segment or after it. */
static void describe_shared(int thread, uint64_t offset, char *text, size_t capacity)
{
    uint64_t below = host_job->segment_stride - offset;
    if (below < UPCR_BELOW_NULL) /* The address lies in front of the next segment. */
        snprintf(text, capacity, "a null pointer-to-shared plus a negative index: thread %d, address -0x%llx", thread + 1, (unsigned long long)below);
    else if (offset < UPCR_STATIC_START)
        describe_below(thread, offset, text, capacity);
    else if (offset >= host_job->segment_bytes)
        snprintf(text, capacity, "beyond the shared memory of thread %d", thread);
    else if (offset < host_job->heap_start)
        describe_static(thread, offset, text, capacity);
    else
        host_describe_heap(thread, offset, text, capacity);
}

/* Returns the shared array in front of which an address lies: element -1 is on a thread that would be in front of all threads. NULL: it
   is elsewhere. */
static const upcr_object *array_behind(uintptr_t address, uintptr_t base)
{
    uint64_t element, segment = host_job->segment_stride;
    if (address >= base || base - address > segment)
        return NULL;
    const upcr_object *object = upcr_object_at(0, segment - (base - address), &element);
    return object != NULL && is_array(object) && object->block != 0 ? object : NULL;
}

/* Describes an address between the linear images of arrays, where the segment of thread 0 would have `offset`. */
static void describe_linear(uint64_t offset, char *text, size_t capacity)
{
    uint64_t start;
    const upcr_object *object = upcr_object_before(offset, &start);
    if (object != NULL && is_array(object))
        snprintf(text, capacity, "past the end of shared array `%s`", object->name);
    else
        snprintf(text, capacity, "static shared data that belongs to no object");
}

void host_describe_fault(const struct upcr_crash *crash, char *text, size_t capacity)
{
    uintptr_t base = (uintptr_t)host_job->segment_base, distance = crash->address - base;
    const upcr_object *behind = array_behind(crash->address, base);
    if (crash->stack)
        snprintf(text, capacity, "stack overflow");
    else if (crash->signal == SIGSEGV && crash->code == SI_KERNEL)
        snprintf(text, capacity, "an address that no memory can have, or that is not aligned as the instruction needs");
    else if (crash->address < UPCR_STATIC_START)
        snprintf(text, capacity, "a null pointer");
    else if (host_job->guard_end != 0 && host_job->guard_end - crash->address - 1 < HOST_GUARD_BYTES)
        snprintf(text, capacity, "past private memory that lies before the shared memory");
    else if (crash->address >= base && distance / host_job->segment_stride < (uintptr_t)host_job->threads)
        describe_shared((int)(distance / host_job->segment_stride), distance % host_job->segment_stride, text, capacity);
    else if (crash->address - (uintptr_t)host_job->linear < host_job->linear_bytes)
        describe_linear(UPCR_STATIC_START + (crash->address - (uintptr_t)host_job->linear) / (uintptr_t)host_job->threads, text, capacity);
    else if (crash->signal == SIGSEGV && crash->code == SEGV_ACCERR)
        snprintf(text, capacity, "private memory that does not allow this access, for example a string literal");
    else if (crash->signal == SIGSEGV && crash->code == SEGV_MAPERR && behind != NULL)
        snprintf(text, capacity, "in front of shared array `%s`, where a negative index leads", behind->name);
    else if (crash->signal == SIGSEGV && crash->code == SEGV_MAPERR)
        snprintf(text, capacity, "there is no memory");
    else
        snprintf(text, capacity, "private memory");
}
