/* The launchers of a job and the connections between them. These do not use MPI, because frames must arrive when MPI
   or a thread is dead. Launchers form the tree in which a thread's parent is its number without its lowest bit; each
   edge is a TCP connection. A launcher and its thread communicate over a pair of sockets. */
#ifndef UPCR_MPI_LINK_H
#define UPCR_MPI_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The frames that launchers send one another. X(name, direction, what it carries) */
#define LINK_FRAMES(X)                                                          \
    X(hello, "up", "the first on a connection; struct link_hello")              \
    X(beat, "both", "I am there; between machines")                             \
    X(bye, "both", "my thread has left; the connection ends")                   \
    X(claim, "up", "thread: may it, or its launcher, report why the job ends?") \
    X(outcome, "down", "value 1: thread may, 0: another does")                  \
    X(end, "both", "the job ends with status value")                            \
    X(ask_places, "up", "the user wants to know where the threads are")         \
    X(look, "down", "value: number of the look; answer with seen")              \
    X(seen, "up", "of thread, in look value; struct host_seen")                 \
    X(still, "up", "value 1: all threads from the sender down wait, 0: not any more")

enum link_kind {
#define LINK_KIND_(name, direction, what) LINK_##name,
    LINK_FRAMES(LINK_KIND_)
#undef LINK_KIND_
};

struct link_frame {
    uint32_t kind;
    uint32_t bytes; /* that follow */
    int32_t thread;
    int32_t value;
};

enum { LAUNCHER_HOST_CAPACITY = 64, LINK_ADDRESSES = 8 };

/* The addresses at which a launcher can be reached. */
struct link_address {
    uint64_t cookie;                  /* the job's cookie: a connection without it is rejected */
    uint32_t address[LINK_ADDRESSES]; /* IPv4, as in struct in_addr; 0: none */
    uint16_t port;
    char machine[LAUNCHER_HOST_CAPACITY];
};

struct link_hello {
    uint64_t cookie;
    char machine[LAUNCHER_HOST_CAPACITY];
};

/* ---- In the thread -------------------------------------------------------------------------------------------------- */

/* Connects this thread's launcher with the others. Collective; pre: thread numbers and net.host are known. */
void link_start(int me, int threads);

/* Returns whether this thread may report why the job ends. */
bool link_claim(void);

/* ---- In the launcher: launcher_network.c ------------------------------------------------------------------------- */

/* Called before the fork, and after it in either process. */
void link_prepare(void);
void link_in_thread(void);
void link_in_launcher(void);

/* Answers the thread's first request and connects. */
void link_serve_thread(void);

extern int link_talk; /* this process's end of the pair */

/* This launcher in the tree. */
struct link_peer {
    int thread; /* -1: none */
    int fd;     /* -1: not connected */
    bool left;  /* a bye frame has come */
    bool still; /* for a child: its whole subtree waits */
    int64_t last_message;
    char machine[LAUNCHER_HOST_CAPACITY];
};

enum { LINK_CHILDREN = 32 };

extern struct link_tree {
    int me, threads;
    bool joined; /* the connections exist, as far as they could be made */
    bool speaks; /* reports that the root is lost, when it is */
    struct link_peer parent, child[LINK_CHILDREN];
    char machine[LAUNCHER_HOST_CAPACITY];
} link_tree;

/* Sends a frame; if the peer is gone, that is ignored. */
void link_send(struct link_peer *peer, enum link_kind kind, int thread, int value, const void *data, size_t bytes);
void link_send_down(enum link_kind kind, int thread, int value);

/* Returns the child that `thread` descends from; NULL: none. */
struct link_peer *link_towards(int thread);

/* Waits for data from any connection or for a signal of the descriptor, at most for the given time, and handles it. */
void link_poll(int signals, int ms);

/* ---- failure_detector.c, for launcher_network.c ------------------------------------------------------------------ */

void link_on_frame(struct link_peer *from, const struct link_frame *frame, const void *data);
void link_on_lost(struct link_peer *peer, bool closed);
void link_on_claim_of_thread(void);

#endif
