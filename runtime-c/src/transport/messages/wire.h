/* The contract of wires. A wire carries messages and long transfers between the processes of a job, and starts and ends
   them: MPI (transport/mpi/) or UCX (transport/ucx/). Each folder defines every function here; a program has one of them,
   so calls are direct.

   Unless stated otherwise a function is called within net_enter, or while the process has one thread of execution. It
   does not return on failure: it reports through net_fail. */
#ifndef UPCR_MESSAGES_WIRE_H
#define UPCR_MESSAGES_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct net_message;

/* ---- Start and end ------------------------------------------------------------------------------------------------- */

/* Who has started the processes, for reports: "MPI". */
extern const char wire_starter[];

/* The wire's library and its version, for upcrun -v. Called after wire_start. */
void wire_describe(char *text, size_t capacity);

/* Ends the program, with a report, if its launcher cannot connect the processes that it has started. Called first, in
   every process of the launcher's. */
void wire_check_launcher(void);

/* Starts the wire in the process that becomes a thread; returns how many processes there are. It ends the program, with
   a report, if this process is alone and `threads` is not 1. */
int wire_start(int threads);

/* Returns the number of this process among those that the launcher has started. */
int wire_number(void);

/* Gives processes the numbers of their threads, by which the functions below name them. Collective. */
void wire_name_threads(int me, int threads);

/* Ends the wire, when wire_close has returned. Collective. */
void wire_end(void);

/* Ends all processes of the job with this status, 0 to 255. May return. */
void wire_abort(int status);

/* ---- Sets of processes, at the start -------------------------------------------------------------------------------- */

/* Some processes in an order, this one among them. The functions are collective in the set. */
struct wire_set;

/* All processes, by wire_number; those of this machine, in the same order; those of the threads from `first`, by thread,
   where each process is in one such set, and all make theirs at once. */
struct wire_set *wire_all(void);
struct wire_set *wire_machine(void);
struct wire_set *wire_range(int first, int count);
void wire_free(struct wire_set *set);

/* Returns the place of this process in the set. */
int wire_place(const struct wire_set *set);

/* Sends every process what the first one has. */
void wire_broadcast(struct wire_set *set, void *data, size_t bytes);

/* Collects the parts of all processes: of_all[place * bytes]. */
void wire_gather(struct wire_set *set, void *of_all, size_t bytes);

/* Returns the least value. */
uint64_t wire_least(struct wire_set *set, uint64_t value);

/* Returns when all processes have called it. */
void wire_meet(struct wire_set *set);

/* Sends bytes to a thread, and receives them. Both wait. In the order of the calls. */
void wire_tell(int to, const void *data, size_t bytes);
void wire_hear(int from, void *data, size_t bytes);

/* ---- Messages ------------------------------------------------------------------------------------------------------- */

/* Starts to receive messages, of at most NET_BYTES. Collective among all threads. */
void wire_open(void);

/* Stops. Every message to this process has been received, and what it has sent need not be reaped. */
void wire_close(void);

/* What to do when something has been sent or received. Called by wire_reap_sends or wire_reap_longs. */
typedef void wire_done(uint64_t argument, int peer);

/* Bytes in front of a message that is sent, aligned as the message, into which the wire may write what it needs. */
enum { WIRE_HEAD = 8 };

/* Sends a message. Returns true if its bytes are free again; else they are when `done` is called. Messages to one
   process keep their order. */
bool wire_send(void *message, size_t bytes, int to, wire_done *done, uint64_t argument);

/* The number of messages whose bytes are not free, and what calls `done` for those that are now; returns how many. */
int wire_sends(void);
int wire_reap_sends(void);

/* A message that has come. */
struct wire_arrival {
    struct net_message *message;
    int from;
    unsigned place; /* the wire's own */
};

/* Takes the next message, if one has come: messages of one process in the order in which it sent them. Its bytes stay
   until wire_handled, but a process may end without that. */
bool wire_take(struct wire_arrival *arrival);
void wire_handled(const struct wire_arrival *arrival);

/* ---- Parcels -------------------------------------------------------------------------------------------------------- */

/* A parcel is short, at most NET_AT_ONCE bytes, and its receiver names its sender: the wire keeps it until then. Parcels
   of one process to another keep their order. */

/* Sends a parcel if the wire takes its bytes before it returns; otherwise returns false, and nothing has been sent. */
bool wire_send_parcel_at_once(const void *parcel, size_t bytes, int to);

/* As wire_send; wire_sends and wire_reap_sends know of parcels, too. */
bool wire_send_parcel(const void *parcel, size_t bytes, int to, wire_done *done, uint64_t argument);

/* Starts to receive the next parcel of a process, of so many bytes. One at a time. Returns whether it has come, and
   then is over. */
bool wire_receive_parcel(void *dst, size_t bytes, int from);

/* Returns whether the parcel that had not come then has come now, and then is over. Called until it has. */
bool wire_take_parcel(void);

/* ---- Wakeups -------------------------------------------------------------------------------------------------------- */

/* Whether the wire can say without polling that something has come. */
extern const bool wire_wakes;

enum { WIRE_HAS_COME = -1 };

/* Returns a file descriptor that becomes readable when something comes, or WIRE_HAS_COME. Only if wire_wakes. */
int wire_alarm(void);

/* ---- Long transfers ------------------------------------------------------------------------------------------------- */

/* A transfer is known by its two processes, its way and its tag, 0 to WIRE_TAG_MOST. */
enum wire_way { WIRE_GET, WIRE_PUT };
enum { WIRE_TAG_MOST = 32766 };

/* Start one side of a transfer, of at most INT_MAX bytes. `done` is called when this side is over. Two transfers that
   are alike keep their order. */
void wire_send_long(const void *src, size_t bytes, int to, enum wire_way way, int tag, wire_done *done, uint64_t argument);
void wire_receive_long(void *dst, size_t bytes, int from, enum wire_way way, int tag, wire_done *done, uint64_t argument);

/* As for messages. */
int wire_longs(void);
int wire_reap_longs(void);

#endif
