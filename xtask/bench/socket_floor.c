/* Round trips of 8 bytes over a TCP socket that both ends poll: what the wire and the system take, without a library of messages. MPI starts the
   processes and carries the address. Argument: round trips of a measurement. The line printed: name, nanoseconds. */
#include <errno.h>
#include <ifaddrs.h>
#include <mpi.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include "bench.h"

/* TIMES as in mpi_shmem.upc. */
enum { SMALL = 8, TIMES = 7 };

static void must(int holds, const char *what)
{
    if (holds)
        return;
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Returns the address of the first interface that is not the loopback. */
static struct sockaddr_in own_address(void)
{
    struct sockaddr_in found = {.sin_family = AF_UNSPEC};
    struct ifaddrs *all;
    must(getifaddrs(&all) == 0, "getifaddrs");
    for (struct ifaddrs *it = all; it != NULL; it = it->ifa_next)
        if (found.sin_family == AF_UNSPEC && it->ifa_addr != NULL && it->ifa_addr->sa_family == AF_INET && !(it->ifa_flags & IFF_LOOPBACK))
            found = *(struct sockaddr_in *)(void *)it->ifa_addr;
    freeifaddrs(all);
    must(found.sin_family == AF_INET, "no interface");
    return found;
}

/* Connects the two processes; returns the socket. */
static int connection(int rank)
{
    int listener = -1, end = -1, on = 1;
    struct sockaddr_in address = {0};
    socklen_t bytes = sizeof address;
    if (rank == 0) {
        address = own_address();
        address.sin_port = 0;
        listener = socket(AF_INET, SOCK_STREAM, 0);
        must(bind(listener, (struct sockaddr *)&address, bytes) == 0 && listen(listener, 1) == 0, "listen");
        must(getsockname(listener, (struct sockaddr *)&address, &bytes) == 0, "getsockname");
    }
    MPI_Bcast(&address, sizeof address, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        end = accept(listener, NULL, NULL);
        must(end >= 0, "accept");
    } else {
        end = socket(AF_INET, SOCK_STREAM, 0);
        must(connect(end, (struct sockaddr *)&address, sizeof address) == 0, "connect");
    }
    must(setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0, "TCP_NODELAY");
    return end;
}

static void send_word(int end, const char *word)
{
    must(send(end, word, SMALL, 0) == SMALL, "send");
}

static void receive_word(int end, char *word)
{
    ssize_t got;
    do
        got = recv(end, word, SMALL, MSG_DONTWAIT);
    while (got < 0 && errno == EAGAIN);
    must(got == SMALL, "recv");
}

int main(int argc, char **argv)
{
    char word[SMALL] = {0};
    double times[TIMES];
    int rank, end;
    if (argc != 2)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    end = connection(rank);
    for (int t = -1; t < TIMES; t++) {
        double start = bench_now();
        int count = atoi(argv[1]);
        for (int i = 0; i < count; i++)
            if (rank == 0) {
                send_word(end, word);
                receive_word(end, word);
            } else {
                receive_word(end, word);
                send_word(end, word);
            }
        times[t < 0 ? 0 : t] = (bench_now() - start) / count;
    }
    if (rank == 0)
        bench_print("round_trip", bench_median(times, TIMES));
    MPI_Finalize();
    return 0;
}
