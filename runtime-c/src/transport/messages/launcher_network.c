/* The connections of a launcher: with its thread, which has them established, and frames between launchers. */
#include "runtime.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "options.h"
#include "transport/messages/launcher_network.h"
#include "transport/messages/net.h"

enum { REPLY_MS = 5000, FRAME_MS = 2000, CLAIM_REPLY_MS = 3000, JOIN_MS = 10000, MOST_BYTES = 4096 };

int launcher_talk = -1;

static int pair[2] = {-1, -1};
static int listening[LAUNCHER_ADDRESSES]; /* while the launcher joins; -1: none */

/* What a thread requests from its launcher, in this order. */
enum { TALK_PLACE, TALK_LISTEN, TALK_JOIN, TALK_CLAIM };

struct talk_join {
    int me, threads;
    bool speaks, with_root;
    struct launcher_offer parent; /* of the root only the key */
};

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
    for (int i = 0; i < LAUNCHER_ADDRESSES; i++)
        listening[i] = -1;
}

static bool ask_launcher(int what, const void *data, size_t bytes, void *reply, size_t capacity, int ms)
{
    return launcher_write(launcher_talk, &what, sizeof what) && launcher_write(launcher_talk, data, bytes) && launcher_read(launcher_talk, reply, capacity, ms);
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

/* Has the launcher listen where the children can reach it. */
static bool listen_for_children(int me, int threads, struct launcher_place *mine)
{
    struct launcher_place child, wanted = {.machine = ""};
    bool any = false;
    for (int bit = 1; (me & bit) == 0 && (me | bit) < threads && bit < threads; bit *= 2, any = true) {
        wire_hear(me | bit, &child, sizeof child);
        launcher_choose_addresses(mine, &child, net.host[me | bit] == net.host[me], wanted.address);
    }
    return !any || ask_launcher(TALK_LISTEN, &wanted, sizeof wanted, mine, sizeof *mine, REPLY_MS);
}

/* A launcher's place goes up and the offer of its parent comes down, both by the wire. */
void launcher_start(int me, int threads)
{
    struct launcher_place mine = {.machine = ""};
    struct talk_join join = {.me = me, .threads = threads, .speaks = speaks(me, threads), .with_root = net.host[me] == 0};
    char done = 0;
    if (threads == 1)
        return;
    bool works = ask_launcher(TALK_PLACE, NULL, 0, &mine, sizeof mine, REPLY_MS);
    if (me != 0)
        wire_tell(me & (me - 1), &mine, sizeof mine);
    works = listen_for_children(me, threads, &mine) && works;
    if (me != 0)
        wire_hear(me & (me - 1), &join.parent, sizeof join.parent);
    else if (getrandom(join.parent.key, LAUNCHER_KEY, 0) != LAUNCHER_KEY)
        upcr_fatal("the system has no random numbers: %s", strerror(errno));
    struct launcher_offer offer = {.place = mine};
    memcpy(offer.key, join.parent.key, LAUNCHER_KEY);
    for (int bit = 1; (me & bit) == 0 && (me | bit) < threads && bit < threads; bit *= 2)
        wire_tell(me | bit, &offer, sizeof offer);
    works = works && ask_launcher(TALK_JOIN, &join, sizeof join, &done, sizeof done, JOIN_MS + REPLY_MS) && done;
    if (!works && (me == 0 || !upcr_options.quiet))
        upcr_log_program("the launchers of thread %d and of some other thread cannot connect (TCP): the loss of a machine will not be detected", me);
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

static void report_place(void)
{
    struct launcher_place mine = {.machine = ""};
    gethostname(mine.machine, sizeof mine.machine - 1);
    memcpy(launcher_tree.machine, mine.machine, sizeof mine.machine);
    launcher_list_addresses(mine.address);
    launcher_write(launcher_talk, &mine, sizeof mine);
}

/* Listens where the thread wants, and reports the ports. */
static void start_listening(void)
{
    struct launcher_place place;
    if (!launcher_read(launcher_talk, &place, sizeof place, REPLY_MS))
        return;
    for (int i = 0; i < LAUNCHER_ADDRESSES; i++)
        listening[i] = place.address[i].family != 0 ? launcher_listen(&place.address[i]) : -1;
    memcpy(place.machine, launcher_tree.machine, sizeof place.machine);
    launcher_write(launcher_talk, &place, sizeof place);
}

static void join_tree(void)
{
    struct talk_join join;
    int64_t deadline_ms = upcr_clock_now_ns() / 1000000 + JOIN_MS;
    if (!launcher_read(launcher_talk, &join, sizeof join, REPLY_MS))
        return;
    launcher_tree.me = join.me;
    launcher_tree.threads = join.threads;
    launcher_tree.speaks = join.speaks;
    launcher_tree.with_root = join.with_root;
    char done = join.me == 0 || launcher_join_parent(&join.parent, deadline_ms);
    done = launcher_join_children(listening, join.parent.key, deadline_ms) && done;
    for (int i = 0; i < LAUNCHER_ADDRESSES; i++)
        if (listening[i] >= 0)
            close(listening[i]);
    launcher_tree.joined = true;
    launcher_write(launcher_talk, &done, sizeof done);
}

/* Handles data from the thread. */
static void receive_from_thread(void)
{
    int what;
    if (!launcher_read(launcher_talk, &what, sizeof what, 0)) {
        /* The thread has ended; the launcher notices that in another way. */
        close(launcher_talk);
        launcher_talk = -1;
        return;
    }
    switch (what) {
    case TALK_PLACE:
        report_place();
        break;
    case TALK_LISTEN:
        start_listening();
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
    if (peer->fd >= 0 && launcher_write(peer->fd, &frame, sizeof frame) && bytes != 0)
        launcher_write(peer->fd, data, bytes);
}

void launcher_send_down(enum launcher_kind kind, int thread, int value)
{
    for (int i = 0; i < LAUNCHER_CHILDREN; i++)
        launcher_send(&launcher_tree.child[i], kind, thread, value, NULL, 0);
}

static bool is_here(const struct launcher_peer *peer)
{
    return strcmp(peer->machine, launcher_tree.machine) == 0;
}

void launcher_send_to_machines(enum launcher_kind kind, int value)
{
    for (int i = -1; i < LAUNCHER_CHILDREN; i++) {
        struct launcher_peer *peer = i < 0 ? &launcher_tree.parent : &launcher_tree.child[i];
        if (!is_here(peer))
            launcher_send(peer, kind, launcher_tree.me, value, NULL, 0);
    }
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
    if (!launcher_read(peer->fd, &frame, sizeof frame, FRAME_MS) || frame.bytes > sizeof data || !launcher_read(peer->fd, data, frame.bytes, FRAME_MS)) {
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
    if (peer->fd < 0 || peer->left || is_here(peer))
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

void launcher_poll(int signals, int starter, int ms)
{
    struct pollfd fds[LAUNCHER_CHILDREN + 4] = {{.fd = signals, .events = POLLIN}, {.fd = launcher_talk, .events = POLLIN}, {.fd = starter, .events = POLLIN}};
    struct launcher_peer *peers[LAUNCHER_CHILDREN + 4] = {0};
    nfds_t count = 3;
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
        for (nfds_t i = 3; i < count; i++)
            if (fds[i].revents != 0 && peers[i]->fd == fds[i].fd)
                receive_from(peers[i]);
    }
    if (launcher_tree.joined)
        beat_all();
}
