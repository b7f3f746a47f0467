/* How launchers connect. Both sides of a connection prove that they know the job's key, which does not travel over it:
   the parent sends a random number, the child answers with a number of its own and a code over both, and the parent
   with another one. */
#include "runtime.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "transport/messages/launcher_network.h"
#include "transport/messages/sha256.h"

enum {
    CONNECT_MS = 1250, /* for one address */
    ANSWER_MS = 5000,  /* the parent may be joining its own parent */
    AGAIN_MS = 50,     /* between attempts of a child */
    PENDING = 64,      /* connections that have not yet shown where they come from */
    LATE_MS = 500,     /* after this time another connection may take the place of one of these */
    NONCE = 16
};

struct launcher_hello {
    uint8_t nonce[NONCE];
    int32_t thread;
    char machine[LAUNCHER_HOST_CAPACITY];
    uint8_t code[SHA256_BYTES];
};

/* A connection whose hello has not arrived. */
struct pending {
    int fd; /* -1: none */
    size_t got;
    int64_t since;
    uint8_t nonce[NONCE];
    struct launcher_hello hello;
};

static struct pending pending[PENDING];

static int64_t join_ms(void)
{
    return upcr_clock_now_ns() / 1000000;
}

/* Computes the code by which a side ('c': child, 'p': parent) proves that it knows the key. */
static void prove(const uint8_t *key, char side, const uint8_t *nonce, const struct launcher_hello *hello, uint8_t *code)
{
    struct {
        char side;
        uint8_t parent[NONCE], child[NONCE];
        int32_t thread;
        char machine[LAUNCHER_HOST_CAPACITY];
    } text;
    memset(&text, 0, sizeof text);
    text.side = side;
    memcpy(text.parent, nonce, NONCE);
    memcpy(text.child, hello->nonce, NONCE);
    text.thread = hello->thread;
    memcpy(text.machine, hello->machine, sizeof text.machine);
    sha256_hmac(key, LAUNCHER_KEY, &text, sizeof text, code);
}

/* Takes the same time wherever the codes differ. */
static bool is_same_code(const uint8_t *one, const uint8_t *other)
{
    uint8_t different = 0;
    for (int i = 0; i < SHA256_BYTES; i++)
        different |= one[i] ^ other[i];
    return different == 0;
}

static void start_peer(struct launcher_peer *peer, int thread, int fd, const char *machine)
{
    int on = 1;
    *peer = (struct launcher_peer){.thread = thread, .fd = fd, .last_message = upcr_clock_now_ns()};
    snprintf(peer->machine, sizeof peer->machine, "%s", machine);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/* ---- The child ------------------------------------------------------------------------------------------------------ */

/* Another machine may have the same address on a network of its own, but only the right one answers. */
static bool shake_hands(int fd, const uint8_t *key, struct launcher_hello *hello)
{
    uint8_t nonce[NONCE], welcome[SHA256_BYTES], expected[SHA256_BYTES];
    if (getrandom(hello->nonce, NONCE, 0) != NONCE || !launcher_read(fd, nonce, sizeof nonce, ANSWER_MS))
        return false;
    prove(key, 'c', nonce, hello, hello->code);
    if (!launcher_write(fd, hello, sizeof *hello) || !launcher_read(fd, welcome, sizeof welcome, ANSWER_MS))
        return false;
    prove(key, 'p', nonce, hello, expected);
    return is_same_code(welcome, expected);
}

static bool join_at(const struct launcher_address *address, const struct launcher_offer *offer, struct launcher_hello *hello)
{
    int fd = address->port != 0 ? launcher_connect(address, CONNECT_MS) : -1;
    if (fd < 0)
        return false;
    if (shake_hands(fd, offer->key, hello)) {
        start_peer(&launcher_tree.parent, hello->thread & (hello->thread - 1), fd, offer->place.machine);
        return true;
    }
    close(fd);
    return false;
}

bool launcher_join_parent(const struct launcher_offer *offer, int64_t deadline_ms)
{
    const struct timespec again = {0, AGAIN_MS * 1000 * 1000};
    struct launcher_hello hello;
    memset(&hello, 0, sizeof hello);
    hello.thread = launcher_tree.me;
    memcpy(hello.machine, launcher_tree.machine, sizeof hello.machine);
    for (;; nanosleep(&again, NULL)) {
        for (int i = 0; i < LAUNCHER_ADDRESSES; i++)
            if (join_at(&offer->place.address[i], offer, &hello))
                return true;
        if (join_ms() > deadline_ms)
            return false;
    }
}

/* ---- The parent ----------------------------------------------------------------------------------------------------- */

static void drop(struct pending *one)
{
    close(one->fd);
    one->fd = -1;
}

/* Returns a place for another connection; NULL: all that are there are recent. */
static struct pending *find_pending(void)
{
    struct pending *oldest = &pending[0];
    for (int i = 0; i < PENDING; i++) {
        if (pending[i].fd < 0)
            return &pending[i];
        if (pending[i].since < oldest->since)
            oldest = &pending[i];
    }
    if (join_ms() - oldest->since < LATE_MS)
        return NULL;
    drop(oldest);
    return oldest;
}

static void accept_one(int listener)
{
    struct pending *one = find_pending();
    int fd = one != NULL ? accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK) : -1;
    if (fd < 0)
        return;
    *one = (struct pending){.fd = fd, .since = join_ms()};
    if (getrandom(one->nonce, NONCE, 0) != NONCE || send(fd, one->nonce, NONCE, MSG_NOSIGNAL) != NONCE)
        drop(one);
}

/* Returns the place of a child, also if it has one: then its first connection was lost. */
static struct launcher_peer *child_place(int thread)
{
    struct launcher_peer *found = NULL;
    if (thread <= 0 || thread >= launcher_tree.threads || (thread & (thread - 1)) != launcher_tree.me)
        return NULL;
    for (int i = LAUNCHER_CHILDREN - 1; i >= 0; i--) {
        if (launcher_tree.child[i].thread == thread)
            return &launcher_tree.child[i];
        if (launcher_tree.child[i].thread < 0)
            found = &launcher_tree.child[i];
    }
    return found;
}

/* Takes a connection whose hello is there. */
static void welcome(struct pending *one, const uint8_t *key)
{
    uint8_t code[SHA256_BYTES];
    struct launcher_peer *place = child_place(one->hello.thread);
    one->hello.machine[LAUNCHER_HOST_CAPACITY - 1] = '\0';
    prove(key, 'c', one->nonce, &one->hello, code);
    if (place == NULL || !is_same_code(code, one->hello.code)) {
        drop(one);
        return;
    }
    prove(key, 'p', one->nonce, &one->hello, code);
    if (send(one->fd, code, sizeof code, MSG_NOSIGNAL) != sizeof code) {
        drop(one);
        return;
    }
    if (place->fd >= 0)
        close(place->fd);
    start_peer(place, one->hello.thread, one->fd, one->hello.machine);
    one->fd = -1;
}

static void read_hello(struct pending *one, const uint8_t *key)
{
    ssize_t n = recv(one->fd, (char *)&one->hello + one->got, sizeof one->hello - one->got, 0);
    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EINTR))
            drop(one);
        return;
    }
    one->got += (size_t)n;
    if (one->got == sizeof one->hello)
        welcome(one, key);
}

/* Waits for connections and for what they send, and handles it. */
static void serve(const int *listeners, const uint8_t *key, int ms)
{
    struct pollfd fds[LAUNCHER_ADDRESSES + PENDING];
    bool full = find_pending() == NULL;
    for (int i = 0; i < LAUNCHER_ADDRESSES; i++)
        fds[i] = (struct pollfd){.fd = full ? -1 : listeners[i], .events = POLLIN};
    for (int i = 0; i < PENDING; i++)
        fds[LAUNCHER_ADDRESSES + i] = (struct pollfd){.fd = pending[i].fd, .events = POLLIN};
    if (poll(fds, LAUNCHER_ADDRESSES + PENDING, ms) <= 0)
        return;
    for (int i = 0; i < PENDING; i++)
        if (fds[LAUNCHER_ADDRESSES + i].revents != 0 && pending[i].fd >= 0)
            read_hello(&pending[i], key);
    for (int i = 0; i < LAUNCHER_ADDRESSES; i++)
        if (fds[i].revents != 0)
            accept_one(listeners[i]);
}

static int children_missing(void)
{
    int missing = 0, me = launcher_tree.me, threads = launcher_tree.threads;
    for (int bit = 1; (me & bit) == 0 && (me | bit) < threads && bit < threads; bit *= 2)
        missing++;
    for (int i = 0; i < LAUNCHER_CHILDREN; i++)
        missing -= launcher_tree.child[i].thread >= 0;
    return missing;
}

bool launcher_join_children(const int *listeners, const uint8_t *key, int64_t deadline_ms)
{
    const int look_ms = 100;
    for (int i = 0; i < PENDING; i++)
        pending[i].fd = -1;
    while (children_missing() > 0 && join_ms() < deadline_ms)
        serve(listeners, key, look_ms);
    for (int i = 0; i < PENDING; i++)
        if (pending[i].fd >= 0)
            drop(&pending[i]);
    return children_missing() == 0;
}
