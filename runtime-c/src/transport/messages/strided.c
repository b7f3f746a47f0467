/* Iovecs: many short places of one thread, read or written by as few messages as possible. Iovecs of equal length at
   equal distances are described once, as a run, so the elements of a stride cost their bytes and sixteen more. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include "transport/host/copy.h"
#include "transport/messages/net.h"

/* A run in a message. In a message of puts the bytes of its iovecs follow, all together padded to 8. */
struct record {
    uint64_t offset : 48;
    uint64_t bytes : 16; /* of an iovec */
    int32_t stride;      /* from one iovec to the next */
    uint32_t count;
};

/* Returns how many iovecs from the first on form a run, as far as a message of so many bytes of data holds them, and its
   stride. count > 0. */
static size_t run_length(const struct upcr_iov *iov, size_t count, size_t bytes, int32_t *stride)
{
    size_t length = 1, most = bytes / (iov[0].n == 0 ? 1 : iov[0].n);
    *stride = 0;
    if (count > most)
        count = most == 0 ? 1 : most;
    if (count == 1 || iov[1].n != iov[0].n)
        return 1;
    int64_t distance = (int64_t)(iov[1].offset - iov[0].offset);
    if (distance != (int32_t)distance)
        return 1;
    while (length < count && iov[length].n == iov[0].n && (int64_t)(iov[length].offset - iov[length - 1].offset) == distance)
        length++;
    *stride = (int32_t)distance;
    return length;
}

static upcr_pts_t place_of(int thread, const struct upcr_iov *iovec)
{
    return upcr_make((size_t)thread, 0, iovec->offset);
}

static void check_places(int thread, const struct upcr_iov *iov, size_t count)
{
    for (size_t i = 0; i < count; i++)
        net_check_place(place_of(thread, &iov[i]), iov[i].n);
}

/* A message that is being filled. */
struct filling {
    struct net_message *message; /* NULL: none */
    size_t data, most;           /* bytes */
    bool get, later;             /* later: it may not be sent yet, and is no buffer of the engine */
};

static struct net_message *new_message(enum net_kind kind, size_t most)
{
    struct net_message *message = net_memory(sizeof *message + most);
    *message = (struct net_message){.kind = (uint16_t)kind};
    return message;
}

/* Waits until a message may be sent, unless the batch is unordered, and counts it. True: it may not be sent yet. */
static bool is_later(bool get, int to, const struct upcr_batch *batch)
{
    if (!batch->unordered) {
        (get ? net_get_begins : net_put_begins)(to);
        return false;
    }
    net_enter();
    bool later = net_is_queued(to) || (get ? !net_may_get(to, 1) : !net_may_put(to));
    if (!later)
        (get ? net_get_counts : net_put_counts)(to);
    net_leave();
    return later;
}

static void begin(struct filling *filling, bool get, int to, const struct upcr_batch *batch)
{
    enum net_kind kind = get ? NET_get_iov : NET_iov;
    *filling = (struct filling){.most = net_data_most(to), .get = get, .later = is_later(get, to, batch)};
    if (filling->later) {
        filling->message = new_message(kind, filling->most);
        return;
    }
    net_enter();
    filling->message = net_begin(kind);
    net_leave();
}

static void send_filled(struct filling *filling, int to, struct upcr_batch *batch)
{
    if (filling->message == NULL)
        return;
    if (filling->later) {
        net_start(to, (struct net_start){.kind = filling->get ? NET_START_GET_IOV : NET_START_PUT_IOV, .at = (char *)filling->message, .n = filling->data},
                  &batch->left);
    } else {
        net_enter();
        net_flush(to);
        net_send(filling->message, to, filling->data);
        net_leave();
    }
    filling->message = NULL;
}

/* ---- Puts ----------------------------------------------------------------------------------------------------------- */

/* Writes a record and the bytes of as many of its iovecs as there is space for; returns their number. */
static size_t write_run(struct filling *filling, const struct upcr_iov *iov, size_t count, int32_t stride)
{
    size_t n = iov->n, capacity = filling->most - filling->data;
    if (capacity < sizeof(struct record) + net_padded(n))
        return 0;
    size_t fit = ((capacity - sizeof(struct record)) & ~(size_t)7) / n;
    if (fit < count)
        count = fit;
    struct record record = {.offset = iov->offset, .bytes = n, .stride = stride, .count = (uint32_t)count};
    unsigned char *at = filling->message->data + filling->data;
    memcpy(at, &record, sizeof record);
    at += sizeof record;
    for (size_t i = 0; i < count; i++)
        memcpy(at + i * n, iov[i].bytes, n);
    filling->data += sizeof record + net_padded(count * n);
    filling->message->count++;
    return count;
}

void upcr_tp_start_put_iov(int thread, const struct upcr_iov *iov, size_t count, struct upcr_batch *batch)
{
    struct filling filling = {0};
    check_places(thread, iov, count);
    for (size_t done = 0; done < count;) {
        const struct upcr_iov *iovec = &iov[done];
        int32_t stride;
        if (iovec->n > UPCR_IOV_MOST) {
            upcr_tp_start_put(place_of(thread, iovec), iovec->bytes, iovec->n, batch);
            done++;
            continue;
        }
        if (filling.message == NULL)
            begin(&filling, false, thread, batch);
        size_t length = run_length(iovec, count - done, filling.most, &stride), written = write_run(&filling, iovec, length, stride);
        done += written;
        if (written == 0)
            send_filled(&filling, thread, batch);
    }
    send_filled(&filling, thread, batch);
}

void net_on_iov(struct net_message *message, int from, size_t data)
{
    const unsigned char *at = message->data;
    (void)data;
    for (uint32_t r = 0; r < message->count; r++) {
        struct record record;
        memcpy(&record, at, sizeof record);
        at += sizeof record;
        char *place = net_at(upcr_mythread, record.offset);
        for (uint32_t i = 0; i < record.count; i++)
            host_copy(place + (int64_t)i * record.stride, at + (size_t)i * record.bytes, record.bytes);
        at += net_padded((size_t)record.count * record.bytes);
    }
    upcr_full_fence();
    net_acknowledge(from);
}

/* ---- Gets ----------------------------------------------------------------------------------------------------------- */

/* Where the bytes of an answer go. */
struct destination {
    char *at;
    size_t n;
};

/* What a message of gets requests; it is kept until the answer has come. */
struct question {
    _Atomic int *left;
    size_t count, capacity, bytes;
    struct destination *to;
};

static struct question *new_question(_Atomic int *left)
{
    struct question *question = calloc(1, sizeof *question);
    if (question == NULL)
        upcr_die("out of private memory for a transfer");
    question->left = left;
    return question;
}

static void remember(struct question *question, const struct upcr_iov *iovec)
{
    if (question->count == question->capacity) {
        question->capacity = question->capacity == 0 ? 32 : 2 * question->capacity;
        struct destination *to = realloc(question->to, question->capacity * sizeof *to);
        if (to == NULL)
            upcr_die("out of private memory for a transfer");
        question->to = to;
    }
    question->to[question->count++] = (struct destination){iovec->bytes, iovec->n};
    question->bytes += iovec->n;
}

/* Requests as many iovecs of a run as the answer has space for; returns their number. */
static size_t ask_for_run(struct filling *filling, struct question *question, const struct upcr_iov *iov, size_t count, int32_t stride)
{
    size_t fit = (filling->most - question->bytes) / iov->n;
    if (fit == 0 || filling->data + sizeof(struct record) > filling->most)
        return 0;
    if (fit < count)
        count = fit;
    struct record record = {.offset = iov->offset, .bytes = iov->n, .stride = stride, .count = (uint32_t)count};
    memcpy(filling->message->data + filling->data, &record, sizeof record);
    filling->data += sizeof record;
    filling->message->count++;
    for (size_t i = 0; i < count; i++)
        remember(question, &iov[i]);
    return count;
}

static void send_question(struct filling *filling, struct question *question, int to, struct upcr_batch *batch)
{
    if (filling->message == NULL)
        return;
    filling->message->b = (uint64_t)(uintptr_t)question;
    net_enter();
    net_count(question->left, 1);
    send_filled(filling, to, batch);
    net_leave();
}

void upcr_tp_start_get_iov(int thread, const struct upcr_iov *iov, size_t count, struct upcr_batch *batch)
{
    struct filling filling = {0};
    struct question *question = NULL;
    check_places(thread, iov, count);
    for (size_t done = 0; done < count;) {
        const struct upcr_iov *iovec = &iov[done];
        int32_t stride;
        if (iovec->n > UPCR_IOV_MOST) {
            upcr_tp_start_get(iovec->bytes, place_of(thread, iovec), iovec->n, batch);
            done++;
            continue;
        }
        if (filling.message == NULL) {
            begin(&filling, true, thread, batch);
            question = new_question(&batch->left);
        }
        size_t length = run_length(iovec, count - done, filling.most, &stride), asked = ask_for_run(&filling, question, iovec, length, stride);
        done += asked;
        if (asked == 0)
            send_question(&filling, question, thread, batch);
    }
    send_question(&filling, question, thread, batch);
}

void net_on_get_iov(struct net_message *message, int from, size_t data)
{
    struct net_message *got = net_begin(NET_got_iov);
    const unsigned char *at = message->data;
    unsigned char *to = got->data;
    (void)data;
    got->b = message->b;
    for (uint32_t r = 0; r < message->count; r++, at += sizeof(struct record)) {
        struct record record;
        memcpy(&record, at, sizeof record);
        const char *place = net_at(upcr_mythread, record.offset);
        for (uint32_t i = 0; i < record.count; i++, to += record.bytes)
            host_copy(to, place + (int64_t)i * record.stride, record.bytes);
    }
    net_send(got, from, (size_t)(to - got->data));
}

void net_on_got_iov(struct net_message *message, int from, size_t data)
{
    struct question *question = (struct question *)(uintptr_t)message->b;
    const unsigned char *at = message->data;
    _Atomic int *left = question->left;
    (void)data;
    for (size_t i = 0; i < question->count; at += question->to[i].n, i++)
        host_copy(question->to[i].at, at, question->to[i].n);
    free(question->to);
    free(question);
    net_get_ends(from, left);
}

/* ---- Blocking ------------------------------------------------------------------------------------------------------- */

void upcr_tp_put_iov(int thread, const struct upcr_iov *iov, size_t count)
{
    struct upcr_batch batch = {0};
    upcr_tp_start_put_iov(thread, iov, count, &batch);
    upcr_tp_batch_wait(&batch);
}
