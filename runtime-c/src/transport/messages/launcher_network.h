/* The launchers of a job and the connections between them. These do not use the wire, because frames must arrive when it
   or a thread is dead. Launchers form the tree in which a thread's parent is its number without its lowest bit; each
   edge is a TCP connection. A launcher and its thread communicate over a pair of sockets. */
#ifndef UPCR_MESSAGES_LAUNCHER_NETWORK_H
#define UPCR_MESSAGES_LAUNCHER_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The frames that launchers send one another. X(name, direction, what it carries) */
#define LAUNCHER_FRAMES(X)                                                                                                                      \
    X(beat, "both", "I am there; between machines")                                                                                             \
    X(bye, "both", "my thread has left; the connection ends")                                                                                   \
    X(claim, "up", "thread: may it, or its launcher, report why the job ends?")                                                                 \
    X(outcome, "down", "value 1: thread may, 0: another does")                                                                                  \
    X(abandoned, "both", "what has started the sender's launchers on its machine is gone; between machines; value 1: it is thread 0's machine") \
    X(end, "both", "the job ends with status value")                                                                                            \
    X(ask_places, "up", "the user wants to know where the threads are")                                                                         \
    X(look, "down", "value: number of the look; answer with seen")                                                                              \
    X(seen, "up", "of thread, in look value; struct host_seen")                                                                                 \
    X(still, "up", "value 1: all threads from the sender down wait, 0: not any more")

enum launcher_kind {
#define LAUNCHER_KIND_(name, direction, what) LAUNCHER_##name,
    LAUNCHER_FRAMES(LAUNCHER_KIND_)
#undef LAUNCHER_KIND_
};

struct launcher_frame {
    uint32_t kind;
    uint32_t bytes; /* that follow */
    int32_t thread;
    int32_t value;
};

enum { LAUNCHER_HOST_CAPACITY = 64, LAUNCHER_ADDRESSES = 8, LAUNCHER_KEY = 32 };

/* A network address of a machine. */
struct launcher_address {
    uint8_t family; /* AF_INET or AF_INET6; 0: none, also behind it */
    uint8_t prefix; /* bits that the addresses of its network have in common */
    uint16_t port;  /* as in a socket's address; 0: nobody listens there */
    uint8_t bytes[16];
};

/* Where a launcher can be reached. */
struct launcher_place {
    struct launcher_address address[LAUNCHER_ADDRESSES];
    char machine[LAUNCHER_HOST_CAPACITY];
};

/* What a child needs to connect. It comes by the wire. */
struct launcher_offer {
    struct launcher_place place;
    uint8_t key[LAUNCHER_KEY]; /* of the job */
};

/* ---- In the thread -------------------------------------------------------------------------------------------------- */

/* Connects this thread's launcher with the others. Collective; pre: thread numbers and net.host are known. */
void launcher_start(int me, int threads);

/* Returns whether this thread may report why the job ends. */
bool launcher_claim(void);

/* ---- In the launcher: launcher_network.c ------------------------------------------------------------------------- */

/* Called before the fork, and after it in either process. */
void launcher_prepare(void);
void launcher_in_thread(void);
void launcher_in_launcher(void);

/* Answers the thread's first request and connects. */
void launcher_serve_thread(void);

extern int launcher_talk; /* this process's end of the pair */

/* This launcher in the tree. */
struct launcher_peer {
    int thread; /* -1: none */
    int fd;     /* -1: not connected */
    bool left;  /* a bye frame has come */
    bool still; /* for a child: its whole subtree waits */
    int64_t last_message;
    char machine[LAUNCHER_HOST_CAPACITY];
};

enum { LAUNCHER_CHILDREN = 32 };

extern struct launcher_tree {
    int me, threads;
    bool joined;    /* the connections exist, as far as they could be made */
    bool speaks;    /* reports that the root is lost, when it is */
    bool with_root; /* on thread 0's machine */
    struct launcher_peer parent, child[LAUNCHER_CHILDREN];
    char machine[LAUNCHER_HOST_CAPACITY];
} launcher_tree;

/* Sends a frame; if the peer is gone, that is ignored. */
void launcher_send(struct launcher_peer *peer, enum launcher_kind kind, int thread, int value, const void *data, size_t bytes);
void launcher_send_down(enum launcher_kind kind, int thread, int value);

void launcher_send_to_machines(enum launcher_kind kind, int value); /* to all neighbours on other machines */

/* Returns the child that `thread` descends from; NULL: none. */
struct launcher_peer *launcher_towards(int thread);

/* Waits for data from any connection, or until one of two other descriptors is readable (-1: none), at most for the given
   time, and handles the data. */
void launcher_poll(int signals, int starter, int ms);

/* ---- Connecting: launcher_join.c ------------------------------------------------------------------------------------ */

/* Connect with the parent and with all children, until then; return whether that succeeds. Connections that do not
   prove to be of this job are dropped and hold up none that does. */
bool launcher_join_parent(const struct launcher_offer *offer, int64_t deadline_ms);
bool launcher_join_children(const int *listeners, const uint8_t *key, int64_t deadline_ms);

/* Read and write all bytes, within a time. False: the other end is gone, or does not read or write. */
bool launcher_read(int fd, void *data, size_t bytes, int ms);
bool launcher_write(int fd, const void *data, size_t bytes);
bool launcher_wait_for(int fd, short events, int ms);

/* ---- Addresses: launcher_address.c ---------------------------------------------------------------------------------- */

/* Lists this machine's addresses for connections with other machines, those of the interfaces that the user allows MPI. */
void launcher_list_addresses(struct launcher_address *addresses);

/* Adds those of a launcher's addresses at which a child can reach it. here: the child is on the same machine. */
void launcher_choose_addresses(const struct launcher_place *mine, const struct launcher_place *child, bool here, struct launcher_address *chosen);

/* Return a socket, -1 on failure: listens at an address, whose port is filled in; connects to one. */
int launcher_listen(struct launcher_address *address);
int launcher_connect(const struct launcher_address *address, int ms);

/* ---- failure_detector.c, for launcher_network.c ------------------------------------------------------------------ */

void launcher_on_frame(struct launcher_peer *from, const struct launcher_frame *frame, const void *data);
void launcher_on_lost(struct launcher_peer *peer, bool closed);
void launcher_on_claim_of_thread(void);

#endif
