/* Gathers (upcr_gather): elements that a loop reads in an order that only its data knows. Those that the cache has, or whose lines
   are worth a fetch, are read there. All others are read together, with as few messages as possible to each thread. */
#include "cache/access.h"
#include "iov.h"

_Thread_local upcr_pts_t upcr_gather_list[UPCR_GATHER_MOST];
static _Thread_local const void *tables[UPCR_GATHERS][UPCR_GATHER_MOST];
static _Thread_local struct upcr_iov_list missing;

void *upcr_gather(int number, void *buffer, const upcr_pts_t *places, upcr_size count, upcr_size size)
{
    const void **table = tables[number];
    unsigned char *to = buffer;
    struct upcr_batch batch = {0};
    missing.batch = &batch;
    for (size_t i = 0; i < count; i++, to += size) {
        upcr_pts_t place = places[i];
        if (upcr_mapped(upcr_threadof(place))) {
            table[i] = upcr_addr(place);
            continue;
        }
        table[i] = to;
        if (!upcr_access_read_by_lines(to, place, size))
            upcr_iov_add(&missing, place, to, size);
    }
    upcr_iov_start(&missing);
    upcr_tp_batch_wait(&batch);
    return table;
}
