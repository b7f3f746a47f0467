#include "pieces.h"

#include <stdlib.h>
#include <string.h>

#include "far.h"

enum {
    FIRST_ROOM = 64,
    PIECES_MOST = 1 << 15, /* collected at a time: some hundred for each of a hundred threads */
    LONG = 2048,           /* bytes from which a piece gains nothing by company */
};

static void *bigger(void *old, size_t count, size_t bytes)
{
    void *memory = realloc(old, count * bytes);
    if (memory == NULL)
        upcr_die("out of private memory for a transfer of many pieces");
    return memory;
}

/* Makes the last piece longer if this one is what follows on both sides. */
static bool lengthen(struct upcr_pieces *pieces, int thread, const struct upcr_piece *piece)
{
    if (pieces->count == 0)
        return false;
    struct upcr_piece *last = &pieces->list[pieces->count - 1];
    if (pieces->thread[pieces->count - 1] != thread || last->offset + last->n != piece->offset ||
        (char *)last->bytes + last->n != (char *)piece->bytes || last->n + piece->n >= LONG)
        return false;
    last->n += piece->n;
    return true;
}

static void append(struct upcr_pieces *pieces, int thread, struct upcr_piece piece)
{
    if (lengthen(pieces, thread, &piece))
        return;
    if (pieces->count == PIECES_MOST)
        upcr_pieces_go(pieces);
    if (pieces->count == pieces->room) {
        pieces->room = pieces->room == 0 ? FIRST_ROOM : 2 * pieces->room;
        pieces->list = bigger(pieces->list, pieces->room, sizeof *pieces->list);
        pieces->thread = bigger(pieces->thread, pieces->room, sizeof *pieces->thread);
    }
    pieces->several = pieces->several || (pieces->count != 0 && pieces->thread[0] != thread);
    pieces->list[pieces->count] = piece;
    pieces->thread[pieces->count++] = thread;
}

void upcr_pieces_add(struct upcr_pieces *pieces, upcr_pts_t place, void *bytes, size_t n)
{
    size_t thread = upcr_threadof(place);
    if (n == 0)
        return;
    if (upcr_mapped(thread))
        memcpy(pieces->put ? upcr_addr(place) : bytes, pieces->put ? bytes : upcr_addr(place), n);
    else if (n < LONG)
        append(pieces, (int)thread, (struct upcr_piece){upcr_addrfield(place), bytes, n});
    else if (pieces->put)
        upcr_start_put(place, bytes, n, pieces->batch);
    else
        upcr_start_get(bytes, place, n, pieces->batch);
}

/* One pass of a radix sort, by eight bits of the thread. Keeps the order of pieces of one thread. */
static void sort_pass(const struct upcr_piece *from, const int *from_thread, struct upcr_piece *to, int *to_thread, size_t count, int shift)
{
    size_t at[257] = {0};
    for (size_t i = 0; i < count; i++)
        at[(from_thread[i] >> shift & 255) + 1]++;
    for (int digit = 0; digit < 256; digit++)
        at[digit + 1] += at[digit];
    for (size_t i = 0; i < count; i++) {
        size_t place = at[from_thread[i] >> shift & 255]++;
        to[place] = from[i];
        to_thread[place] = from_thread[i];
    }
}

static void sort_by_thread(struct upcr_pieces *pieces)
{
    struct upcr_piece *other = bigger(NULL, pieces->room, sizeof *other);
    int *other_thread = bigger(NULL, pieces->room, sizeof *other_thread);
    for (int shift = 0; shift < 31 && (upcr_threads - 1) >> shift != 0; shift += 8) {
        sort_pass(pieces->list, pieces->thread, other, other_thread, pieces->count, shift);
        struct upcr_piece *list = pieces->list;
        int *thread = pieces->thread;
        pieces->list = other;
        pieces->thread = other_thread;
        other = list;
        other_thread = thread;
    }
    free(other);
    free(other_thread);
}

void upcr_pieces_go(struct upcr_pieces *pieces)
{
    if (upcr_all_mapped())
        return;
    if (pieces->several)
        sort_by_thread(pieces);
    for (size_t first = 0, behind; first < pieces->count; first = behind) {
        for (behind = first; behind < pieces->count && pieces->thread[behind] == pieces->thread[first];)
            behind++;
        if (pieces->put)
            upcr_far_start_put_pieces(pieces->thread[first], pieces->list + first, behind - first, pieces->batch);
        else
            upcr_far_start_get_pieces(pieces->thread[first], pieces->list + first, behind - first, pieces->batch);
    }
    pieces->count = 0;
    pieces->several = false;
}

void upcr_pieces_end(struct upcr_pieces *pieces)
{
    upcr_pieces_go(pieces);
    free(pieces->list);
    free(pieces->thread);
    pieces->list = NULL;
    pieces->thread = NULL;
    pieces->room = 0;
}
