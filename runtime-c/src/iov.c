#include "iov.h"

#include <stdlib.h>
#include <string.h>

#include "remote/remote.h"

enum {
    FIRST_CAPACITY = 64,
    IOV_MOST = 1 << 15, /* collected at once: a few hundred for each of a hundred threads */
    LONG = 2048,        /* an iovec of this many bytes gains nothing from being combined */
};

static void *bigger(void *old, size_t count, size_t bytes)
{
    void *memory = realloc(old, count * bytes);
    if (memory == NULL)
        upcr_die("out of private memory for a transfer of many segments");
    return memory;
}

/* Extends the last iovec if the new one follows it on both sides. */
static bool lengthen(struct upcr_iov_list *iov, int thread, const struct upcr_iov *iovec)
{
    if (iov->count == 0)
        return false;
    struct upcr_iov *last = &iov->list[iov->count - 1];
    if (iov->thread[iov->count - 1] != thread || last->offset + last->n != iovec->offset || (char *)last->bytes + last->n != (char *)iovec->bytes ||
        last->n + iovec->n >= LONG)
        return false;
    last->n += iovec->n;
    return true;
}

static void append(struct upcr_iov_list *iov, int thread, struct upcr_iov iovec)
{
    if (lengthen(iov, thread, &iovec))
        return;
    if (iov->count == IOV_MOST)
        upcr_iov_start(iov);
    if (iov->count == iov->capacity) {
        iov->capacity = iov->capacity == 0 ? FIRST_CAPACITY : 2 * iov->capacity;
        iov->list = bigger(iov->list, iov->capacity, sizeof *iov->list);
        iov->thread = bigger(iov->thread, iov->capacity, sizeof *iov->thread);
    }
    iov->several = iov->several || (iov->count != 0 && iov->thread[0] != thread);
    iov->list[iov->count] = iovec;
    iov->thread[iov->count++] = thread;
}

void upcr_iov_add(struct upcr_iov_list *iov, upcr_pts_t place, void *bytes, size_t n)
{
    size_t thread = upcr_threadof(place);
    if (n == 0)
        return;
    if (upcr_mapped(thread))
        memcpy(iov->put ? upcr_addr(place) : bytes, iov->put ? bytes : upcr_addr(place), n);
    else if (n < LONG)
        append(iov, (int)thread, (struct upcr_iov){upcr_addrfield(place), bytes, n});
    else if (iov->put)
        upcr_start_put(place, bytes, n, iov->batch);
    else
        upcr_start_get(bytes, place, n, iov->batch);
}

/* Performs one pass of a radix sort, by eight bits of the thread. Keeps the order of the iovecs of one thread. */
static void sort_pass(const struct upcr_iov *from, const int *from_thread, struct upcr_iov *to, int *to_thread, size_t count, int shift)
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

static void sort_by_thread(struct upcr_iov_list *iov)
{
    struct upcr_iov *other = bigger(NULL, iov->capacity, sizeof *other);
    int *other_thread = bigger(NULL, iov->capacity, sizeof *other_thread);
    for (int shift = 0; shift < 31 && (upcr_threads - 1) >> shift != 0; shift += 8) {
        sort_pass(iov->list, iov->thread, other, other_thread, iov->count, shift);
        struct upcr_iov *list = iov->list;
        int *thread = iov->thread;
        iov->list = other;
        iov->thread = other_thread;
        other = list;
        other_thread = thread;
    }
    free(other);
    free(other_thread);
}

void upcr_iov_start(struct upcr_iov_list *iov)
{
    if (upcr_all_mapped())
        return;
    if (iov->several)
        sort_by_thread(iov);
    for (size_t first = 0, behind; first < iov->count; first = behind) {
        for (behind = first; behind < iov->count && iov->thread[behind] == iov->thread[first];)
            behind++;
        if (iov->put)
            upcr_remote_start_put_iov(iov->thread[first], iov->list + first, behind - first, iov->batch);
        else
            upcr_remote_start_get_iov(iov->thread[first], iov->list + first, behind - first, iov->batch);
    }
    iov->count = 0;
    iov->several = false;
}

void upcr_iov_end(struct upcr_iov_list *iov)
{
    upcr_iov_start(iov);
    free(iov->list);
    free(iov->thread);
    iov->list = NULL;
    iov->thread = NULL;
    iov->capacity = 0;
}
