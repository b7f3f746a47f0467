#include "runtime.h"

#include "objects.h"

extern const upcr_object first_object[] __asm__("__start_upcr_objects") __attribute__((__weak__));
extern const upcr_object end_of_objects[] __asm__("__stop_upcr_objects") __attribute__((__weak__));

size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);

uint64_t upcr_object_start(const upcr_object *object)
{
    return (uint64_t)((uintptr_t)object->symbol - (uintptr_t)upcr_shared_begin) + UPCR_STATIC_START;
}

const upcr_object *upcr_object_after(const upcr_object *record)
{
    const upcr_object *next = record == NULL ? first_object : record + 1;
    return next < end_of_objects ? next : NULL;
}

/* Several records may describe one object, as in tentative definitions. The largest has the extent of an array, or the elements of a
   flexible array member. */
static bool is_larger(const upcr_object *a, const upcr_object *b)
{
    return a->elem * a->count > b->elem * b->count;
}

const upcr_object *upcr_object_before(uint64_t offset, uint64_t *start)
{
    const upcr_object *best = NULL;
    *start = 0;
    for (const upcr_object *object = first_object; object < end_of_objects; object++) {
        uint64_t at = upcr_object_start(object);
        bool better = at > *start || (best != NULL && at == *start && is_larger(object, best));
        if (at <= offset && better) {
            best = object;
            *start = at;
        }
    }
    return best;
}

const upcr_object *upcr_object_from(uint64_t offset, uint64_t *start)
{
    const upcr_object *best = NULL;
    for (const upcr_object *object = first_object; object < end_of_objects; object++) {
        uint64_t at = upcr_object_start(object);
        bool better = best == NULL || at < *start || (at == *start && is_larger(object, best));
        if (at >= offset && better) {
            best = object;
            *start = at;
        }
    }
    return best;
}

uint64_t upcr_object_bytes(const upcr_object *object, int thread)
{
    uint64_t total = object->elem * object->count * (object->per_thread ? (uint64_t)upcr_threads : 1);
    return upc_affinitysize(total, object->block * object->elem, (size_t)thread);
}

const upcr_object *upcr_object_at(int thread, uint64_t offset, uint64_t *element)
{
    uint64_t start;
    const upcr_object *object = upcr_object_before(offset, &start);
    if (object == NULL || offset - start >= upcr_object_bytes(object, thread))
        return NULL;
    uint64_t index = object->elem == 0 ? 0 : (offset - start) / object->elem;
    if (object->block == 0)
        *element = index;
    else
        *element = (index / object->block * (uint64_t)upcr_threads + (uint64_t)thread) * object->block + index % object->block;
    return object;
}
