/* At which addresses launchers listen: on this machine's loopback for children that are here, and for others on the
   networks that their machines have in common with this one. */
#include "runtime.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "transport/messages/launcher_network.h"

enum { BITS_V4 = 32, BITS_V6 = 128 };

/* Variables by which the user restricts MPI to some interfaces: "eth0,10.1.0.0/16". Launchers keep to the first. */
static const char *const interface_variables[] = {"OMPI_MCA_btl_tcp_if_include", "OMPI_MCA_oob_tcp_if_include", "MPIR_CVAR_NETWORK_IFACE", "HYDRA_IFACE"};

union any_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static socklen_t to_socket_address(const struct launcher_address *from, union any_address *to)
{
    memset(to, 0, sizeof *to);
    to->any.sa_family = from->family;
    if (from->family == AF_INET) {
        to->v4.sin_port = from->port;
        memcpy(&to->v4.sin_addr, from->bytes, sizeof to->v4.sin_addr);
        return sizeof to->v4;
    }
    to->v6.sin6_port = from->port;
    memcpy(&to->v6.sin6_addr, from->bytes, sizeof to->v6.sin6_addr);
    return sizeof to->v6;
}

/* Returns the bytes of a socket address; NULL: it is of another family. */
static const uint8_t *bytes_of(const struct sockaddr *from, size_t *count)
{
    const union any_address *address = (const void *)from;
    bool v6 = from->sa_family == AF_INET6;
    *count = v6 ? sizeof address->v6.sin6_addr : sizeof address->v4.sin_addr;
    if (!v6 && from->sa_family != AF_INET)
        return NULL;
    return v6 ? (const uint8_t *)&address->v6.sin6_addr : (const uint8_t *)&address->v4.sin_addr;
}

/* False: the address is not for connections between machines. Link-local addresses of IPv6 mean something on one
   interface alone. */
static bool read_interface(const struct ifaddrs *it, struct launcher_address *address)
{
    size_t count, mask_count;
    if (it->ifa_addr == NULL || it->ifa_netmask == NULL || !(it->ifa_flags & IFF_UP) || (it->ifa_flags & IFF_LOOPBACK))
        return false;
    const uint8_t *bytes = bytes_of(it->ifa_addr, &count), *mask = bytes_of(it->ifa_netmask, &mask_count);
    if (bytes == NULL || mask == NULL || mask_count != count ||
        (count == sizeof(struct in6_addr) && IN6_IS_ADDR_LINKLOCAL((const struct in6_addr *)(const void *)bytes)))
        return false;
    *address = (struct launcher_address){.family = (uint8_t)it->ifa_addr->sa_family};
    memcpy(address->bytes, bytes, count);
    for (size_t i = 0; i < count; i++)
        address->prefix = (uint8_t)(address->prefix + __builtin_popcount(mask[i]));
    return true;
}

/* Returns whether two addresses are in one network, whose addresses have this number of bits in common. */
static bool are_in_network(const struct launcher_address *one, const struct launcher_address *other, int prefix)
{
    int whole = prefix / 8, rest = prefix % 8;
    if (one->family != other->family || memcmp(one->bytes, other->bytes, (size_t)whole) != 0)
        return false;
    return rest == 0 || ((one->bytes[whole] ^ other->bytes[whole]) >> (8 - rest)) == 0;
}

/* The user names the interfaces and networks that may be used. Returns whether `word`, one of these names, covers an address of `interface`. */
static bool is_named(const char *word, const char *interface, const struct launcher_address *address)
{
    struct launcher_address network = {0};
    char text[INET6_ADDRSTRLEN];
    const char *slash = strchr(word, '/');
    if (slash == NULL)
        return strcmp(word, interface) == 0;
    snprintf(text, sizeof text, "%.*s", (int)(slash - word), word);
    network.family = strchr(text, ':') != NULL ? AF_INET6 : AF_INET;
    int prefix = atoi(slash + 1), most = network.family == AF_INET ? BITS_V4 : BITS_V6;
    return inet_pton(network.family, text, network.bytes) == 1 && prefix >= 0 && prefix <= most && are_in_network(&network, address, prefix);
}

static bool is_allowed(const char *restriction, const char *interface, const struct launcher_address *address)
{
    char words[256], *rest = NULL;
    snprintf(words, sizeof words, "%s", restriction);
    for (char *word = strtok_r(words, ", ", &rest); word != NULL; word = strtok_r(NULL, ", ", &rest))
        if (is_named(word, interface, address))
            return true;
    return false;
}

static size_t list_allowed(const struct ifaddrs *list, const char *restriction, struct launcher_address *addresses)
{
    size_t count = 0;
    for (const struct ifaddrs *it = list; it != NULL && count < LAUNCHER_ADDRESSES; it = it->ifa_next)
        if (read_interface(it, &addresses[count]) && (restriction == NULL || is_allowed(restriction, it->ifa_name, &addresses[count])))
            count++;
    if (count < LAUNCHER_ADDRESSES)
        addresses[count] = (struct launcher_address){.family = 0};
    return count;
}

void launcher_list_addresses(struct launcher_address *addresses)
{
    struct ifaddrs *list;
    const char *restriction = NULL;
    for (size_t i = 0; restriction == NULL && i < sizeof interface_variables / sizeof *interface_variables; i++)
        restriction = getenv(interface_variables[i]);
    if (getifaddrs(&list) != 0)
        return;
    /* A restriction in a form that is not known here leaves nothing. */
    if (list_allowed(list, restriction, addresses) == 0 && restriction != NULL)
        list_allowed(list, NULL, addresses);
    freeifaddrs(list);
}

static void add_address(struct launcher_address *list, const struct launcher_address *address)
{
    for (int i = 0; i < LAUNCHER_ADDRESSES; i++) {
        if (list[i].family == 0)
            list[i] = *address;
        if (list[i].family == address->family && memcmp(list[i].bytes, address->bytes, sizeof address->bytes) == 0)
            return;
    }
}

void launcher_choose_addresses(const struct launcher_place *mine, const struct launcher_place *child, bool here, struct launcher_address *chosen)
{
    static const struct launcher_address loopback = {.family = AF_INET, .bytes = {127, 0, 0, 1}};
    bool common = false;
    if (here)
        add_address(chosen, &loopback);
    for (int i = 0; !here && i < LAUNCHER_ADDRESSES && mine->address[i].family != 0; i++)
        for (int j = 0; j < LAUNCHER_ADDRESSES && child->address[j].family != 0; j++)
            if (are_in_network(&mine->address[i], &child->address[j], mine->address[i].prefix)) {
                add_address(chosen, &mine->address[i]);
                common = true;
            }
    /* There are routers between the machines. */
    for (int i = 0; !here && !common && i < LAUNCHER_ADDRESSES && mine->address[i].family != 0; i++)
        add_address(chosen, &mine->address[i]);
}

int launcher_listen(struct launcher_address *address)
{
    union any_address at;
    socklen_t length = to_socket_address(address, &at);
    int fd = socket(address->family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && bind(fd, &at.any, length) == 0 && listen(fd, SOMAXCONN) == 0 && getsockname(fd, &at.any, &length) == 0) {
        address->port = address->family == AF_INET ? at.v4.sin_port : at.v6.sin6_port;
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

int launcher_connect(const struct launcher_address *address, int ms)
{
    union any_address to;
    int error = 0;
    socklen_t length = to_socket_address(address, &to), error_length = sizeof error;
    int fd = socket(address->family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    if (connect(fd, &to.any, length) == 0 ||
        (errno == EINPROGRESS && launcher_wait_for(fd, POLLOUT, ms) && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &error_length) == 0 && error == 0))
        return fd;
    close(fd);
    return -1;
}
