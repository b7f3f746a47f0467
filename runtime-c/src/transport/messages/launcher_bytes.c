/* Bytes on connections of launchers. */
#include "runtime.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "transport/messages/launcher_network.h"

enum { SEND_MS = 2000 };

struct launcher_tree launcher_tree = {.me = -1, .parent = {.thread = -1, .fd = -1}};

bool launcher_wait_for(int fd, short events, int ms)
{
    struct pollfd ready = {.fd = fd, .events = events};
    int n;
    while ((n = poll(&ready, 1, ms)) < 0 && errno == EINTR)
        continue;
    return n > 0;
}

bool launcher_write(int fd, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        ssize_t n = send(fd, at, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            at += n;
            bytes -= (size_t)n;
        } else if (errno == EAGAIN ? !launcher_wait_for(fd, POLLOUT, SEND_MS) : errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool launcher_read(int fd, void *data, size_t bytes, int ms)
{
    char *at = data;
    while (bytes > 0) {
        if (!launcher_wait_for(fd, POLLIN, ms))
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
