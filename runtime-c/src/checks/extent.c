#include "runtime.h"

#include <stdio.h>

#include "checks/extent.h"
#include "objects.h"

static bool static_before(int thread, uint64_t offset, struct upcr_extent *extent)
{
    const upcr_object *object = upcr_object_before(offset, &extent->low);
    if (object == NULL)
        return false;
    extent->high = extent->low + upcr_object_bytes(object, thread);
    extent->block = NULL;
    extent->object = object;
    return true;
}

static void consider(const struct upcr_block *block, struct upcr_extent *extent, bool *found)
{
    if (block == NULL || (*found && block->offset < extent->low))
        return;
    *found = true;
    extent->low = block->offset;
    extent->high = block->offset + upcr_block_bytes(block, extent->thread);
    extent->block = block;
    extent->object = NULL;
}

bool upcr_extent_before(int thread, uint64_t offset, struct upcr_extent *extent)
{
    extent->thread = thread;
    if (offset < upcr_static_bytes())
        return static_before(thread, offset, extent);
    bool found = false;
    consider(upcr_block_before(UPCR_SYMMETRIC_ARENA, offset), extent, &found);
    consider(upcr_block_before(1 + thread, offset), extent, &found);
    return found;
}

const char *upcr_block_name(const struct upcr_block *block, char *text, size_t capacity)
{
    switch ((enum upcr_block_kind)block->kind) {
    case UPCR_BLOCK_NONE:
        snprintf(text, capacity, "freed space");
        break;
    case UPCR_BLOCK_LOCAL:
        snprintf(text, capacity, "an allocated block of %llu bytes", (unsigned long long)block->nbytes);
        break;
    case UPCR_BLOCK_SHARED:
        snprintf(text, capacity, "an allocated block of %llu * %llu bytes", (unsigned long long)block->nblocks, (unsigned long long)block->nbytes);
        break;
    case UPCR_BLOCK_LOCK:
        snprintf(text, capacity, "a lock");
        break;
    }
    return text;
}

const char *upcr_extent_name(const struct upcr_extent *extent, char *text, size_t capacity)
{
    if (extent->block != NULL)
        return upcr_block_name(extent->block, text, capacity);
    snprintf(text, capacity, "`%s` (%s)", extent->object->name, extent->object->type);
    return text;
}

bool upcr_extent_is_dealt_out(const struct upcr_extent *extent)
{
    return extent->block != NULL ? extent->block->kind == UPCR_BLOCK_SHARED : extent->object->block != 0;
}
