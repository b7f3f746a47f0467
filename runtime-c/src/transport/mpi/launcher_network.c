/* Connections between launchers: how they are established, and frames on them. */
#include "runtime.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "options.h"
#include "transport/mpi/launcher_network.h"
#include "transport/mpi/mpi.h"

enum { CONNECT_MS = 5000, SEND_MS = 2000, CLAIM_REPLY_MS = 3000, JOIN_MS = 10000, MOST_BYTES = 4096, LAUNCHER_TAG = 2 };

int launcher_talk = -1;
struct launcher_tree launcher_tree = {.me = -1, .parent = {.thread = -1, .fd = -1}};

static int pair[2] = {-1, -1};
static int listening = -1;

/* What a thread requests from its launcher, in this order. */
enum { TALK_ADDRESS, TALK_JOIN, TALK_CLAIM };

struct talk_join {
    int me, threads;
    bool speaks, linked;
    struct launcher_address parent; /* port 0: this is the root */
    uint64_t cookie;
};

/* ---- Bytes ---------------------------------------------------------------------------------------------------------- */

static bool wait_for(int fd, short events, int ms)
{
    struct pollfd ready = {.fd = fd, .events = events};
    int n;
    while ((n = poll(&ready, 1, ms)) < 0 && errno == EINTR)
        continue;
    return n > 0;
}

/* Writes all bytes. False: the other end is gone, or does not read. */
static bool write_all(int fd, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        ssize_t n = send(fd, at, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            at += n;
            bytes -= (size_t)n;
        } else if (errno == EAGAIN ? !wait_for(fd, POLLOUT, SEND_MS) : errno != EINTR) {
            return false;
        }
    }
    return true;
}

static bool read_all(int fd, void *data, size_t bytes, int ms)
{
    char *at = data;
    while (bytes > 0) {
        if (!wait_for(fd, POLLIN, ms))
            return false;
        ssize_t n = recv(fd, at, bytes, 0);
        if (n > 0) {
            at += n;
            bytes -= (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* ---- The thread's side ---------------------------------------------------------------------------------------------- */

void launcher_prepare(void)
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        upcr_fatal("cannot connect a thread with its launcher: %s", strerror(errno));
}

void launcher_in_thread(void)
{
    close(pair[0]);
    launcher_talk = pair[1];
}

void launcher_in_launcher(void)
{
    close(pair[1]);
    launcher_talk = pair[0];
    for (int i = 0; i < LAUNCHER_CHILDREN; i++)
        launcher_tree.child[i] = (struct launcher_peer){.thread = -1, .fd = -1};
}

static bool ask_launcher(int what, const void *data, size_t bytes, void *reply, size_t capacity, int ms)
{
    return write_all(launcher_talk, &what, sizeof what) && write_all(launcher_talk, data, bytes) && read_all(launcher_talk, reply, capacity, ms);
}

/* Returns whether this thread's launcher reports the loss of thread 0's machine: it is that of the first of thread
   0's children on another machine. */
static bool speaks(int me, int threads)
{
    int child = 1;
    while (child < threads && net.host[child] == net.host[0])
        child *= 2;
    return me == child;
}

void launcher_start(int me, int threads)
{
    struct launcher_address mine = {0};
    struct talk_join join = {.me = me, .threads = threads, .speaks = speaks(me, threads), .linked = threads > 1};
    char done = 0;
    if (threads == 1 || !ask_launcher(TALK_ADDRESS, NULL, 0, &mine, sizeof mine, CONNECT_MS))
        return;
    if (me != 0)
        MPI_Recv(&join.parent, sizeof join.parent, MPI_BYTE, me & (me - 1), LAUNCHER_TAG, net.comm, MPI_STATUS_IGNORE);
    else if (getrandom(&join.cookie, sizeof join.cookie, 0) != sizeof join.cookie)
        join.cookie = (uint64_t)upcr_clock_now_ns();
    mine.cookie = join.cookie = me != 0 ? join.parent.cookie : join.cookie;
    for (int bit = 1; (me & bit) == 0 && (me | bit) < threads && bit < threads; bit *= 2)
        MPI_Send(&mine, sizeof mine, MPI_BYTE, me | bit, LAUNCHER_TAG, net.comm);
    if (!ask_launcher(TALK_JOIN, &join, sizeof join, &done, sizeof done, JOIN_MS + CONNECT_MS) || !done)
        if (me == 0 || !upcr_options.quiet)
            upcr_log_program("the launchers of thread %d and of some other thread cannot connect (TCP, IPv4): the loss of a machine will not be detected", me);
}

bool launcher_claim(void)
{
    char may = 1;
    /* If no answer comes in time, the report is made: it is the first, as far as this process knows. */
    if (launcher_talk < 0 || !ask_launcher(TALK_CLAIM, NULL, 0, &may, sizeof may, CLAIM_REPLY_MS))
        return true;
    return may != 0;
}

/* ---- The launcher's side -------------------------------------------------------------------------------------------- */

static void add_addresses(struct launcher_address *mine)
{
    struct ifaddrs *list;
    size_t count = 0;
    if (getifaddrs(&list) != 0)
        return;
    for (const struct ifaddrs *it = list; it != NULL && count < LAUNCHER_ADDRESSES; it = it->ifa_next)
        if (it->ifa_addr != NULL && it->ifa_addr->sa_family == AF_INET && (it->ifa_flags & IFF_UP) && !(it->ifa_flags & IFF_LOOPBACK))
            mine->address[count++] = ((const struct sockaddr_in *)(const void *)it->ifa_addr)->sin_addr.s_addr;
    freeifaddrs(list);
}

/* Listens, and sends the address to the thread. */
static void report_address(void)
{
    struct launcher_address mine = {0};
    struct sockaddr_in any = {.sin_family = AF_INET};
    socklen_t length = sizeof any;
    gethostname(mine.machine, sizeof mine.machine - 1);
    memcpy(launcher_tree.machine, mine.machine, sizeof mine.machine);
    listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listening >= 0 && bind(listening, (struct sockaddr *)&any, sizeof any) == 0 && listen(listening, LAUNCHER_CHILDREN) == 0 &&
        getsockname(listening, (struct sockaddr *)&any, &length) == 0)
        mine.port = any.sin_port;
    add_addresses(&mine);
    write_all(launcher_talk, &mine, sizeof mine);
}

static int connect_to(uint32_t address, uint16_t port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = port, .sin_addr = {address}};
    int error = 0, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    socklen_t length = sizeof error;
    if (fd < 0)
        return -1;
    if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0 ||
        (errno == EINPROGRESS && wait_for(fd, POLLOUT, CONNECT_MS / 4) && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0))
        return fd;
    close(fd);
    return -1;
}

static void start_peer(struct launcher_peer *peer, int thread, int fd, const char *machine)
{
    int on = 1;
    *peer = (struct launcher_peer){.thread = thread, .fd = fd, .last_message = upcr_clock_now_ns()};
    snprintf(peer->machine, sizeof peer->machine, "%s", machine);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/* Connects to the parent; returns whether that succeeds. The parent may be on this machine, or have several
   addresses of which only some are reachable. */
static bool join_parent(const struct talk_join *join)
{
    struct launcher_hello hello = {.cookie = join->cookie};
    bool here = strcmp(join->parent.machine, launcher_tree.machine) == 0;
    memcpy(hello.machine, launcher_tree.machine, sizeof hello.machine);
    for (int i = here ? -1 : 0; i < LAUNCHER_ADDRESSES; i++) {
        char welcome = 0;
        uint32_t address = i < 0 ? htonl(INADDR_LOOPBACK) : join->parent.address[i];
        int fd = address != 0 ? connect_to(address, join->parent.port) : -1;
        if (fd < 0)
            continue;
        struct launcher_frame frame = {LAUNCHER_hello, sizeof hello, join->me, 0};
        /* Another machine may have the same address on a network of its own, but only the right one answers. */
        if (write_all(fd, &frame, sizeof frame) && write_all(fd, &hello, sizeof hello) && read_all(fd, &welcome, 1, CONNECT_MS)) {
            start_peer(&launcher_tree.parent, join->me & (join->me - 1), fd, join->parent.machine);
            return true;
        }
        close(fd);
    }
    return false;
}

/* Accepts a connection; returns whether it comes from a child. */
static bool accept_child(int fd, uint64_t cookie)
{
    struct launcher_frame frame;
    struct launcher_hello hello;
    int count = 0;
    while (count < LAUNCHER_CHILDREN && launcher_tree.child[count].thread >= 0)
        count++;
    if (!read_all(fd, &frame, sizeof frame, CONNECT_MS) || frame.kind != LAUNCHER_hello || frame.bytes != sizeof hello ||
        !read_all(fd, &hello, sizeof hello, CONNECT_MS) || hello.cookie != cookie || count == LAUNCHER_CHILDREN || !write_all(fd, "w", 1))
        return false;
    hello.machine[LAUNCHER_HOST_CAPACITY - 1] = '\0';
    start_peer(&launcher_tree.child[count], frame.thread, fd, hello.machine);
    return true;
}

static int children_of(int me, int threads)
{
    int count = 0;
    for (int bit = 1; (me & bit) == 0 && (me | bit) < threads && bit < threads; bit *= 2)
        count++;
    return count;
}

static void join_tree(void)
{
    struct talk_join join;
    if (!read_all(launcher_talk, &join, sizeof join, CONNECT_MS))
        return;
    launcher_tree.me = join.me;
    launcher_tree.threads = join.threads;
    launcher_tree.speaks = join.speaks;
    char done = join.me == 0 || join_parent(&join);
    int missing = children_of(join.me, join.threads);
    for (int64_t deadline = upcr_clock_now_ns() + (int64_t)JOIN_MS * 1000000; missing > 0 && upcr_clock_now_ns() < deadline;) {
        int fd = wait_for(listening, POLLIN, 100) ? accept4(listening, NULL, NULL, SOCK_CLOEXEC) : -1;
        if (fd >= 0 && accept_child(fd, join.cookie))
            missing--;
        else if (fd >= 0)
            close(fd);
    }
    close(listening);
    listening = -1;
    launcher_tree.joined = true;
    done = done && missing == 0;
    write_all(launcher_talk, &done, sizeof done);
}

/* Handles data from the thread. */
static void receive_from_thread(void)
{
    int what;
    if (!read_all(launcher_talk, &what, sizeof what, 0)) {
        /* The thread has ended; the launcher notices that in another way. */
        close(launcher_talk);
        launcher_talk = -1;
        return;
    }
    switch (what) {
    case TALK_ADDRESS:
        report_address();
        break;
    case TALK_JOIN:
        join_tree();
        break;
    case TALK_CLAIM:
        launcher_on_claim_of_thread();
        break;
    }
}

/* ---- Frames --------------------------------------------------------------------------------------------------------- */

static void lose(struct launcher_peer *peer, bool closed)
{
    close(peer->fd);
    peer->fd = -1;
    if (!peer->left)
        launcher_on_lost(peer, closed);
}

void launcher_send(struct launcher_peer *peer, enum launcher_kind kind, int thread, int value, const void *data, size_t bytes)
{
    struct launcher_frame frame = {kind, (uint32_t)bytes, thread, value};
    if (peer->fd >= 0 && write_all(peer->fd, &frame, sizeof frame) && bytes != 0)
        write_all(peer->fd, data, bytes);
}

void launcher_send_down(enum launcher_kind kind, int thread, int value)
{
    for (int i = 0; i < LAUNCHER_CHILDREN; i++)
        launcher_send(&launcher_tree.child[i], kind, thread, value, NULL, 0);
}

struct launcher_peer *launcher_towards(int thread)
{
    while (thread > 0 && (thread & (thread - 1)) != launcher_tree.me)
        thread &= thread - 1;
    for (int i = 0; i < LAUNCHER_CHILDREN && thread > 0; i++)
        if (launcher_tree.child[i].thread == thread)
            return &launcher_tree.child[i];
    return NULL;
}

static void receive_from(struct launcher_peer *peer)
{
    static _Alignas(16) char data[MOST_BYTES];
    struct launcher_frame frame;
    if (!read_all(peer->fd, &frame, sizeof frame, SEND_MS) || frame.bytes > sizeof data || !read_all(peer->fd, data, frame.bytes, SEND_MS)) {
        lose(peer, true);
        return;
    }
    peer->last_message = upcr_clock_now_ns();
    if (frame.kind == LAUNCHER_bye)
        peer->left = true;
    else
        launcher_on_frame(peer, &frame, data);
}

/* Sends a heartbeat. Between machines a cut connection is not reported, so each side sends one regularly. */
static void beat(struct launcher_peer *peer, int64_t now, bool paused)
{
    const int64_t lost_ns = 6ll * 1000000000; /* upcrun makes MPI's daemons take longer */
    if (peer->fd < 0 || peer->left || strcmp(peer->machine, launcher_tree.machine) == 0)
        return;
    /* A launcher that was itself stopped has received nothing. */
    if (paused)
        peer->last_message = now;
    launcher_send(peer, LAUNCHER_beat, launcher_tree.me, 0, NULL, 0);
    if (now - peer->last_message > lost_ns)
        lose(peer, false);
}

static void beat_all(void)
{
    static int64_t last;
    const int64_t beat_ns = 1000000000, pause_ns = 4ll * beat_ns;
    int64_t now = upcr_clock_now_ns();
    if (last != 0 && now - last < beat_ns)
        return;
    bool paused = now - last > pause_ns;
    last = now;
    beat(&launcher_tree.parent, now, paused);
    for (int i = 0; i < LAUNCHER_CHILDREN; i++)
        beat(&launcher_tree.child[i], now, paused);
}

void launcher_poll(int signals, int ms)
{
    struct pollfd fds[LAUNCHER_CHILDREN + 3] = {{.fd = signals, .events = POLLIN}, {.fd = launcher_talk, .events = POLLIN}};
    struct launcher_peer *peers[LAUNCHER_CHILDREN + 3] = {0};
    nfds_t count = 2;
    for (int i = -1; launcher_tree.joined && i < LAUNCHER_CHILDREN; i++) {
        struct launcher_peer *peer = i < 0 ? &launcher_tree.parent : &launcher_tree.child[i];
        if (peer->fd < 0)
            continue;
        fds[count] = (struct pollfd){.fd = peer->fd, .events = POLLIN};
        peers[count++] = peer;
    }
    if (poll(fds, count, ms) > 0) {
        if (fds[1].revents != 0)
            receive_from_thread();
        for (nfds_t i = 2; i < count; i++)
            if (fds[i].revents != 0 && peers[i]->fd == fds[i].fd)
                receive_from(peers[i]);
    }
    if (launcher_tree.joined)
        beat_all();
}
