/* Copies from one process to another that a third one has started. Their bytes pass through it, a piece at a time: a get,
   then a put. */
#include "runtime.h"

#include <stdlib.h>

#include "transport/messages/net.h"

enum {
    COPY_PIECE = 1 << 18,
    COPIES_MOST = 8, /* that have a buffer; others wait */
};

struct copy {
    struct copy *next;
    int from, to;
    uint64_t src, dst;
    size_t n, piece; /* what has not been copied, and what is under way of it */
    _Atomic int *left;
    char *buffer;
};

static struct copy *first_copy, **last_copy = &first_copy; /* those that wait for a buffer */
static int copying;

static void put_copied(void *of);
static void copied(void *of);

static void get_copied(struct copy *copy)
{
    copy->piece = copy->n < COPY_PIECE ? copy->n : COPY_PIECE;
    net_continue(copy->from,
                 (struct net_start){.kind = NET_START_GET_LONG, .at = copy->buffer, .offset = copy->src, .n = copy->piece, .then = put_copied, .of = copy});
}

static void put_copied(void *of)
{
    struct copy *copy = of;
    net_continue(copy->to,
                 (struct net_start){.kind = NET_START_PUT_LONG, .at = copy->buffer, .offset = copy->dst, .n = copy->piece, .then = copied, .of = copy});
}

static void begin_copies(void)
{
    while (first_copy != NULL && copying < COPIES_MOST) {
        struct copy *copy = first_copy;
        first_copy = copy->next;
        if (first_copy == NULL)
            last_copy = &first_copy;
        copying++;
        copy->buffer = net_memory(copy->n < COPY_PIECE ? copy->n : COPY_PIECE);
        get_copied(copy);
    }
}

static void copied(void *of)
{
    struct copy *copy = of;
    copy->src += copy->piece;
    copy->dst += copy->piece;
    copy->n -= copy->piece;
    if (copy->n != 0) {
        get_copied(copy);
        return;
    }
    net_count(&net_puts_left, -1);
    net_count(copy->left, -1);
    copying--;
    free(copy->buffer);
    free(copy);
    begin_copies();
}

void upcr_tp_start_copy(upcr_pts_t dst, upcr_pts_t src, size_t n, struct upcr_batch *batch)
{
    net_check_place(dst, n);
    net_check_place(src, n);
    if (n == 0)
        return;
    struct copy *copy = net_memory(sizeof *copy);
    *copy = (struct copy){.from = (int)upcr_threadof(src), .to = (int)upcr_threadof(dst), .n = n, .left = &batch->left};
    copy->src = upcr_addrfield(src);
    copy->dst = upcr_addrfield(dst);
    net_enter();
    net_flush(copy->from);
    net_flush(copy->to);
    net_count(&batch->left, 1);
    net_count(&net_puts_left, 1);
    *last_copy = copy;
    last_copy = &copy->next;
    begin_copies();
    net_leave();
}
