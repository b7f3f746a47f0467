/* Messages between processes. */
#ifndef UPCR_MESSAGES_MESSAGE_H
#define UPCR_MESSAGES_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

/* X(name, what it carries). Each message has a handler net_on_NAME, which runs within net_enter and neither waits
   nor blocks. */
#define NET_MESSAGES(X)                                                                                                  \
    X(puts, "count entries of struct net_put and their bytes")                                                           \
    X(iov, "count runs of equal segments and their bytes")                                                               \
    X(get_iov, "count runs of equal segments, b where they go")                                                          \
    X(got_iov, "b where they go; the bytes")                                                                             \
    X(ask_left, "has the receiver left the program? A head alone")                                                       \
    X(left, "count as upcr_tp_has_left returns it for the sender. A head alone")                                         \
    X(set, "a offset, b bytes, count value, c who counts")                                                               \
    X(ack, "a message of puts or segments or an unlock is performed. A head alone")                                      \
    X(get, "a offset, count bytes, b where they go, c who counts answers")                                               \
    X(got, "b where they go, c who counts; the bytes")                                                                   \
    X(get_long, "a offset, b bytes, count tag")                                                                          \
    X(put_long, "a offset, b bytes, count tag, c who counts")                                                            \
    X(put_done, "c who counts")                                                                                          \
    X(atomic, "a offset, b where the old value goes, c who counts; struct net_atomic")                                   \
    X(lock, "a offset, b return address of the call, c op: wait for it, or 0 to try")                                    \
    X(unlock, "a offset")                                                                                                \
    X(not_unlocked, "a offset, count why not")                                                                           \
    X(sem_post, "a offset, b number, c op")                                                                              \
    X(sem_take, "a offset, b number, c op, count 1: wait for it")                                                        \
    X(queue_end, "a offset, count 1: a semaphore: it is about to be freed")                                              \
    X(grant, "what the receiver waits for is its own. A head alone")                                                     \
    X(answer, "a result, c op")                                                                                          \
    X(call, "a function, by its distance from upcr_tp_call; c op; its data")                                             \
    X(called, "c op; the data")                                                                                          \
    X(alloc, "a bytes, c op: symmetric")                                                                                 \
    X(allocated, "a offset, b bytes in use, c op")                                                                       \
    X(free, "a offset, c op")                                                                                            \
    X(border_ask, "a border: may the symmetric heap reach up to here?")                                                  \
    X(border_reported, "count 1: it may; b most bytes in use of a local heap")                                           \
    X(discard, "a offset, b bytes: nobody uses these pages")                                                             \
    X(discarded, "the sender and all below it have given them back")                                                     \
    X(border_back, "a border: it is there after all")                                                                    \
    X(round, "count round of barrier a; struct net_arrivals, or b named, c value and value_thread if that is all")       \
    X(step, "as round, where all stay and none has a value: count twice the round and the epoch's parity. A head alone") \
    X(late, "count 1: thread c leaves, 0: it stays, at barrier a, with status b; it has waited for some time")           \
    X(over, "barrier a is over: thread count leaves, with status b")                                                     \
    X(exit, "a thread that ends the job: the root of the tree; b net_group.ender")                                       \
    X(flushed, "the sender and all below it have flushed their output; b net_group.ender")

enum net_kind {
#define NET_KIND_(name, what) NET_##name,
    NET_MESSAGES(NET_KIND_)
#undef NET_KIND_
};

struct net_message {
    /* The head. Alone it fits one cache line together with everything that a wire puts in front of it. */
    uint16_t kind;
    uint16_t bytes; /* of data */
    uint32_t count;
    uint64_t a, b, c;
    unsigned char data[];
};

enum {
    NET_BYTES = 8192, /* largest message */
    NET_DATA_MOST = NET_BYTES - (int)sizeof(struct net_message),
};

/* A write of `bytes` bytes at `offset`, or an update of an object of that size (enum upcr_update); the bytes follow, padded to 8. */
struct net_put {
    uint64_t offset : 48;
    uint64_t bytes : 12;
    uint64_t update : 4;
};

struct net_atomic {
    uint8_t cell, has1, has2, has_fetch;
    int32_t op;
    unsigned char operand1[16], operand2[16];
};

#define NET_HANDLER_(name, what) void net_on_##name(struct net_message *message, int from, size_t data);
NET_MESSAGES(NET_HANDLER_)
#undef NET_HANDLER_

/* Bytes that a handler sets at once: those of pages that nobody has touched take 25 us. */
enum { NET_SET_MOST = 1 << 16 };

/* Largest message data that is sent at once on one machine: Open MPI takes five times as long for longer messages. */
enum { NET_AT_ONCE = 3968 };

/* Rounds up, so that what follows in a message stays aligned. */
static inline size_t net_padded(size_t n)
{
    return (n + 7) & ~(size_t)7;
}

#endif
