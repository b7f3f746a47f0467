/* GASP_BUPC_STATIC_SHARED: the static shared objects, reported once at the start. */
#include "gasp/gasp_runtime.h"

#include <stdlib.h>

#include "objects.h"

static void report(const upcr_object *object, uint64_t offset)
{
    /* Never freed, because a tool may keep the address. */
    upcr_site *site = calloc(1, sizeof *site);
    if (site == NULL)
        upcr_die("out of memory");
    upcr_pts_t place = upcr_make(0, 0, offset);
    uint64_t elements = object->count * (object->per_thread ? (uint64_t)upcr_threads : 1);
    uint64_t in_block = object->block != 0 ? object->block : elements;
    uint64_t blocks = in_block == 0 ? 0 : (elements + in_block - 1) / in_block;
    site->file = object->file;
    site->line = (upcr_u32)object->line;
    site->type = object->type;
    site->name = object->name;
    upcr_inst_once(site, UPCR_EVENT_BUPC_STATIC_SHARED, (size_t)blocks, (size_t)(in_block * object->elem), &place, (void *)object->symbol, (size_t)object->elem,
                   object->name, object->type);
}

void upcr_inst_report_objects(void)
{
    uint64_t offset = 0;
    const upcr_object *object;
    while ((object = upcr_object_from(offset, &offset)) != NULL)
        report(object, offset++);
}
