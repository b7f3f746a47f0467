/* Sets of processes, which the start of a job uses: each operation takes steps of twice the distance. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include "transport/messages/net.h"
#include "transport/messages/wire.h"
#include "transport/ucx/ucx.h"

struct wire_set {
    int count, place;
    int *numbers; /* NULL: place and number are the same */
};

static int number_at(const struct wire_set *set, int place)
{
    return set->numbers == NULL ? place : set->numbers[place];
}

static struct wire_set *new_set(int count, const int *numbers)
{
    struct wire_set *set = net_memory(sizeof *set);
    *set = (struct wire_set){.count = count, .numbers = net_memory((size_t)count * sizeof *numbers)};
    memcpy(set->numbers, numbers, (size_t)count * sizeof *numbers);
    while (set->numbers[set->place] != ucx.number)
        set->place++;
    return set;
}

struct wire_set *wire_all(void)
{
    static struct wire_set all;
    all = (struct wire_set){.count = ucx.processes, .place = ucx.number};
    return &all;
}

struct wire_set *wire_machine(void)
{
    return new_set(ucx.neighbour_count, ucx.neighbours);
}

struct wire_set *wire_range(int first, int count)
{
    if (ucx.numbers != NULL)
        return new_set(count, ucx.numbers + first);
    int *numbers = net_memory((size_t)count * sizeof *numbers);
    for (int i = 0; i < count; i++)
        numbers[i] = first + i;
    struct wire_set *set = new_set(count, numbers);
    free(numbers);
    return set;
}

void wire_free(struct wire_set *set)
{
    free(set->numbers);
    free(set);
}

int wire_place(const struct wire_set *set)
{
    return set->place;
}

/* ---- Between two processes ------------------------------------------------------------------------------------------ */

static void *begin_to_send(enum ucx_kind kind, int number, const void *data, size_t bytes)
{
    static const ucp_request_param_t usual;
    return ucp_tag_send_nbx(ucx_endpoint(number), data, bytes, ucx_tag(kind, 0, ucx.number, 0), &usual);
}

static void *begin_to_receive(enum ucx_kind kind, int number, void *data, size_t bytes)
{
    static const ucp_request_param_t usual;
    return ucp_tag_recv_nbx(ucx.worker, data, bytes, ucx_tag(kind, 0, number, 0), ~(ucp_tag_t)0, &usual);
}

static void send_to(enum ucx_kind kind, int number, const void *data, size_t bytes)
{
    ucx_await(begin_to_send(kind, number, data, bytes), "ucp_tag_send_nbx");
}

static void receive_from(enum ucx_kind kind, int number, void *data, size_t bytes)
{
    ucx_await(begin_to_receive(kind, number, data, bytes), "ucp_tag_recv_nbx");
}

static int number_of(int thread)
{
    return ucx.numbers == NULL ? thread : ucx.numbers[thread];
}

void wire_tell(int to, const void *data, size_t bytes)
{
    send_to(UCX_TELL, number_of(to), data, bytes);
}

void wire_hear(int from, void *data, size_t bytes)
{
    receive_from(UCX_TELL, number_of(from), data, bytes);
}

/* ---- In a set ------------------------------------------------------------------------------------------------------- */

/* A binomial tree. */
void wire_broadcast(struct wire_set *set, void *data, size_t bytes)
{
    int step = 1;
    while (step < set->count && (set->place & step) == 0)
        step *= 2;
    if (set->place != 0)
        receive_from(UCX_START, number_at(set, set->place - step), data, bytes);
    for (step /= 2; step > 0; step /= 2)
        if (set->place + step < set->count)
            send_to(UCX_START, number_at(set, set->place + step), data, bytes);
}

/* Sends to the process `back` places before this one, and receives from that behind it. */
static void shift(const struct wire_set *set, int back, const void *out, void *in, size_t bytes)
{
    int to = (set->place - back + set->count) % set->count, from = (set->place + back) % set->count;
    void *sending = begin_to_send(UCX_START, number_at(set, to), out, bytes);
    receive_from(UCX_START, number_at(set, from), in, bytes);
    ucx_await(sending, "ucp_tag_send_nbx");
}

/* In each step a process has the parts of twice as many processes behind itself (Bruck et al., "Efficient Algorithms for
   All-to-All Communications", 1997). */
void wire_gather(struct wire_set *set, void *of_all, size_t bytes)
{
    size_t count = (size_t)set->count, place = (size_t)set->place;
    char *all = of_all, *parts = net_memory(count * bytes);
    memcpy(parts, all + place * bytes, bytes);
    for (size_t have = 1; have < count; have *= 2) {
        size_t more = have < count - have ? have : count - have;
        shift(set, (int)have, parts, parts + have * bytes, more * bytes);
    }
    memcpy(all + place * bytes, parts, (count - place) * bytes);
    memcpy(all, parts + (count - place) * bytes, place * bytes);
    free(parts);
}

/* The least value may be met twice. */
uint64_t wire_least(struct wire_set *set, uint64_t value)
{
    for (int back = 1; back < set->count; back *= 2) {
        uint64_t other;
        shift(set, back, &value, &other, sizeof other);
        value = other < value ? other : value;
    }
    return value;
}

void wire_meet(struct wire_set *set)
{
    wire_least(set, 0);
}

/* ---- Names for threads ---------------------------------------------------------------------------------------------- */

void wire_name_threads(int me, int threads)
{
    int *threads_of = net_memory((size_t)threads * sizeof *threads_of), *numbers = net_memory((size_t)threads * sizeof *numbers);
    bool same = true;
    threads_of[ucx.number] = ucx.me = me;
    wire_gather(wire_all(), threads_of, sizeof *threads_of);
    for (int number = 0; number < threads; number++) {
        numbers[threads_of[number]] = number;
        same = same && threads_of[number] == number;
    }
    free(threads_of);
    if (same)
        free(numbers);
    else
        ucx.numbers = numbers;
}
