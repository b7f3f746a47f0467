/* Pages of freed blocks that go back to the system. What handlers free goes in pieces, between which others are served:
   the pages of a gigabyte take a tenth of a second. */
#include "transport/messages/heap.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The bytes of a piece. A page that was touched takes one to two microseconds, and a request waits for the piece. */
enum { DISCARD_PIECE = 1 << 15 };

/* The memory of some threads of this group, at the same offset in the segment of each. */
struct discard {
    struct discard *next;
    int thread, left; /* the thread whose turn it is, and how many there are with it */
    uint64_t from, to, at;
    void (*done)(void *of);
    void *of;
};

static struct discard *first_discard, *last_discard;

/* Narrows a range to whole pages. */
static void to_pages(uint64_t *from, uint64_t *to)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    *from = (*from + page - 1) & ~(page - 1);
    *to &= ~(page - 1);
}

static void discard_pages(int thread, uint64_t from, uint64_t to)
{
    /* A failure costs memory, not correctness. */
    if (from < to)
        (void)madvise(net_at(thread, from), to - from, MADV_REMOVE);
}

void net_discard(int thread, uint64_t offset, uint64_t bytes)
{
    uint64_t from = offset, to = offset + bytes;
    to_pages(&from, &to);
    discard_pages(thread, from, to);
}

void net_discard_later(int first, int count, uint64_t offset, uint64_t bytes, void (*done)(void *of), void *of)
{
    struct discard *discard = net_memory(sizeof *discard);
    *discard = (struct discard){.thread = first, .left = count, .from = offset, .to = offset + bytes, .done = done, .of = of};
    to_pages(&discard->from, &discard->to);
    discard->at = discard->from;
    if (first_discard == NULL)
        first_discard = discard;
    else
        last_discard->next = discard;
    last_discard = discard;
}

bool net_is_discarding(void)
{
    return first_discard != NULL;
}

bool net_discard_some(void)
{
    struct discard *discard = first_discard;
    if (discard == NULL)
        return false;
    uint64_t to = discard->to < discard->at + DISCARD_PIECE ? discard->to : discard->at + DISCARD_PIECE;
    discard_pages(discard->thread, discard->at, to);
    discard->at = to;
    if (to < discard->to)
        return true;
    discard->at = discard->from;
    discard->thread++;
    if (--discard->left > 0)
        return true;
    first_discard = discard->next;
    discard->done(discard->of);
    free(discard);
    return true;
}
