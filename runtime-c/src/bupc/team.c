/* Teams (bupc_team_... of <upc_collective.h>): some threads of the job, numbered from 0, that synchronize and move data
   without the others. bupc_team_t, BUPC_TEAM_ALL, split, broadcast and exchange are Berkeley's.

   All operations consist of steps of one kind: in step k a member sends to the one 2^k ranks ahead, or 2^k ranks behind.
   Each member has a mailbox with a semaphore for each step and direction. So only one member posts a semaphore, in the
   order of the operations, and no message can be taken for that of another operation. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "collective/collective.h"
#include "races/races.h"
#include "transport/transport.h"

/* What arrives at a member in one step. */
struct step {
    char ahead[UPCR_SEM_BYTES], behind[UPCR_SEM_BYTES]; /* semaphores: posted by the member 2^k ranks behind, ahead of it */
    char from_behind[32], from_ahead[32];               /* a value that came with the post */
};

struct member {
    int thread;
    uint64_t mailbox; /* offset of its steps in its segment */
};

struct upcr_team {
    int size, rank, steps; /* steps: 2 to their power is at least size */
    bool is_job;           /* all threads, by their numbers, with mailboxes at one offset */
    struct member *member; /* by rank */
};

upcr_pts_t upc_alloc(size_t nbytes);
void upc_free(upcr_pts_t ptr);
upcr_pts_t upc_all_alloc(size_t nblocks, size_t nbytes);
void bupc_sem_post(upcr_pts_t s);
void bupc_sem_wait(upcr_pts_t s);

#pragma GCC visibility push(default)
struct upcr_team *bupc_team_split(struct upcr_team *parent, int color, int relrank);
void bupc_team_free(struct upcr_team *team);
int bupc_team_size(struct upcr_team *team);
int bupc_team_rank(struct upcr_team *team);
int bupc_team_thread(struct upcr_team *team, int rank);
void bupc_team_barrier(struct upcr_team *team);
void *bupc_team_broadcast(struct upcr_team *team, upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags);
void *bupc_team_gather_all(struct upcr_team *team, upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags);
void *bupc_team_exchange(struct upcr_team *team, upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags);
void bupc_coll_wait(void *handle);
void upcr_team_reduce_all(struct upcr_team *team, void *value, int type, upc_op_t op);
#pragma GCC visibility pop

/* ---- Members -------------------------------------------------------------------------------------------------------- */

static int steps_for(int size)
{
    int steps = 0;
    while ((int64_t)1 << steps < size)
        steps++;
    return steps;
}

static void *team_memory(size_t count, size_t bytes)
{
    void *memory = calloc(count, bytes);
    if (memory == NULL)
        upcr_die("out of private memory for a team");
    return memory;
}

static upcr_pts_t step_field(upcr_pts_t mailbox, int step, size_t offset)
{
    return upcr_field(mailbox, (size_t)step * sizeof(struct step) + offset);
}

static void start_mailbox(upcr_pts_t mailbox, int steps, const char *function)
{
    if (steps != 0 && upcr_is_null(mailbox))
        upcr_die("%s: out of shared memory for a team", function);
    for (int k = 0; k < steps; k++) {
        upcr_tp_sem_init(step_field(mailbox, k, offsetof(struct step, ahead)), false);
        upcr_tp_sem_init(step_field(mailbox, k, offsetof(struct step, behind)), false);
    }
}

/* Returns the team of all threads. Its first operation makes the mailboxes. */
static struct upcr_team *whole_job(const char *function)
{
    static struct upcr_team job;
    if (job.is_job)
        return &job;
    int steps = steps_for(upcr_threads);
    upcr_pts_t place = upc_all_alloc((size_t)upcr_threads, (size_t)(steps == 0 ? 1 : steps) * sizeof(struct step));
    struct member *member = team_memory((size_t)upcr_threads, sizeof *member);
    for (int t = 0; t < upcr_threads; t++)
        member[t] = (struct member){t, upcr_addrfield(place)};
    job = (struct upcr_team){upcr_threads, upcr_mythread, steps, true, member};
    start_mailbox(upcr_make((size_t)upcr_mythread, 0, upcr_addrfield(place)), upcr_is_null(place) ? 1 : steps, function);
    upcr_internal_barrier(function);
    return &job;
}

/* Begins an operation on a team. */
static struct upcr_team *team_of(struct upcr_team *team, const char *function)
{
    upcr_thread_only(function);
    return team == NULL ? whole_job(function) : team;
}

static int wrap_rank(const struct upcr_team *team, int64_t rank)
{
    return (int)((rank % team->size + team->size) % team->size);
}

static int rank_of(const struct upcr_team *team, size_t thread, const char *function)
{
    for (int rank = 0; rank < team->size; rank++)
        if ((size_t)team->member[rank].thread == thread)
            return rank;
    upcr_die("%s: thread %zu, which has the source, is not in the team", function, thread);
}

/* ---- Steps ---------------------------------------------------------------------------------------------------------- */

enum direction { AHEAD, BEHIND };

/* Returns the member that this one sends to in a step. */
static int peer_rank(const struct upcr_team *team, int step, enum direction direction)
{
    int64_t distance = (int64_t)1 << step;
    return wrap_rank(team, team->rank + (direction == AHEAD ? distance : -distance));
}

static upcr_pts_t mailbox_of(const struct upcr_team *team, int rank)
{
    return upcr_make((size_t)team->member[rank].thread, 0, team->member[rank].mailbox);
}

/* Sends a value, and posts the semaphore: everything that this thread has written before is there then. */
static void send_step(const struct upcr_team *team, int step, enum direction direction, const void *value, size_t n)
{
    upcr_pts_t mailbox = mailbox_of(team, peer_rank(team, step, direction));
    if (n != 0)
        upcr_put(step_field(mailbox, step, direction == AHEAD ? offsetof(struct step, from_behind) : offsetof(struct step, from_ahead)), value, n);
    bupc_sem_post(step_field(mailbox, step, direction == AHEAD ? offsetof(struct step, ahead) : offsetof(struct step, behind)));
}

/* Waits for what was sent in this direction; returns the value. */
static const void *await_step(const struct upcr_team *team, int step, enum direction direction)
{
    upcr_pts_t mailbox = mailbox_of(team, team->rank);
    bupc_sem_wait(step_field(mailbox, step, direction == AHEAD ? offsetof(struct step, ahead) : offsetof(struct step, behind)));
    return upcr_addr(step_field(mailbox, step, direction == AHEAD ? offsetof(struct step, from_behind) : offsetof(struct step, from_ahead)));
}

static void barrier_of(const struct upcr_team *team)
{
    for (int k = 0; k < team->steps; k++) {
        send_step(team, k, AHEAD, NULL, 0);
        await_step(team, k, AHEAD);
    }
    upcr_fence();
}

static void enter_team(const struct upcr_team *team, upc_flag_t flags)
{
    if ((flags & UPC_IN_NOSYNC) == 0)
        barrier_of(team);
}

static void leave_team(const struct upcr_team *team, upc_flag_t flags)
{
    if ((flags & (UPC_OUT_NOSYNC | UPC_OUT_MYSYNC)) == 0)
        barrier_of(team);
}

/* ---- Data ----------------------------------------------------------------------------------------------------------- */

static void note_access(upcr_pts_t place, size_t n, enum upcr_touch how, const char *function)
{
    if (upcr_is_racing() && n != 0)
        upcr_races.touch(place, n, how, function, NULL);
}

/* Shared memory of this thread that others write to during an operation. */
static upcr_pts_t new_stage(size_t bytes, const char *function)
{
    upcr_pts_t stage = upc_alloc(bytes == 0 ? 1 : bytes);
    if (upcr_is_null(stage))
        upcr_die("%s: out of shared memory: it needs %zu bytes for the time of the call", function, bytes);
    return stage;
}

/* Tells each member that sends to this one ahead where its stage is. */
static void announce_stage(const struct upcr_team *team, upcr_pts_t stage)
{
    uint64_t offset = upcr_addrfield(stage);
    for (int k = 0; k < team->steps; k++)
        send_step(team, k, BEHIND, &offset, sizeof offset);
}

/* Returns the stage of the member ahead in a step. */
static upcr_pts_t stage_ahead(const struct upcr_team *team, int step)
{
    uint64_t offset;
    memcpy(&offset, await_step(team, step, BEHIND), sizeof offset);
    return upcr_make((size_t)team->member[peer_rank(team, step, AHEAD)].thread, 0, offset);
}

/* Collects n bytes of each member in a stage: those of the member i ranks behind this one are number i. */
static upcr_pts_t gather_stage(const struct upcr_team *team, const void *mine, size_t n, const char *function)
{
    upcr_pts_t stage = new_stage((size_t)team->size * n, function);
    memcpy(upcr_addr(stage), mine, n);
    announce_stage(team, stage);
    for (int k = 0; k < team->steps; k++) {
        size_t have = (size_t)1 << k, left = (size_t)team->size - have;
        upcr_put(upcr_field(stage_ahead(team, k), have * n), upcr_addr(stage), (have < left ? have : left) * n);
        send_step(team, k, AHEAD, NULL, 0);
        await_step(team, k, AHEAD);
    }
    return stage;
}

static const char *gathered(const struct upcr_team *team, upcr_pts_t stage, int rank, size_t n)
{
    return (const char *)upcr_addr(stage) + (size_t)wrap_rank(team, (int64_t)team->rank - rank) * n;
}

/* ---- Teams ---------------------------------------------------------------------------------------------------------- */

/* What a member of the parent says of itself. */
struct applicant {
    int color, relrank, rank, thread;
    uint64_t mailbox;
};

static int compare_applicants(const void *one, const void *other)
{
    const struct applicant *a = one, *b = other;
    return a->relrank != b->relrank ? (a->relrank < b->relrank ? -1 : 1) : a->rank - b->rank;
}

struct upcr_team *bupc_team_split(struct upcr_team *parent, int color, int relrank)
{
    static const char function[] = "bupc_team_split";
    struct upcr_team *from = team_of(parent, function), *team = team_memory(1, sizeof *team);
    upcr_pts_t mailbox = upc_alloc((size_t)from->steps * sizeof(struct step));
    start_mailbox(mailbox, from->steps, function);
    struct applicant mine = {color, relrank, from->rank, upcr_mythread, upcr_addrfield(mailbox)};
    upcr_pts_t stage = gather_stage(from, &mine, sizeof mine, function);
    struct applicant *chosen = team_memory((size_t)from->size, sizeof *chosen);
    for (int rank = 0; rank < from->size; rank++) {
        memcpy(&chosen[team->size], gathered(from, stage, rank, sizeof mine), sizeof mine);
        team->size += chosen[team->size].color == color;
    }
    upc_free(stage);
    qsort(chosen, (size_t)team->size, sizeof *chosen, compare_applicants);
    team->member = team_memory((size_t)team->size, sizeof *team->member);
    for (int rank = 0; rank < team->size; rank++) {
        team->member[rank] = (struct member){chosen[rank].thread, chosen[rank].mailbox};
        if (chosen[rank].thread == upcr_mythread)
            team->rank = rank;
    }
    team->steps = steps_for(team->size);
    free(chosen);
    return team;
}

void bupc_team_free(struct upcr_team *team)
{
    if (team == NULL)
        return;
    upcr_thread_only("bupc_team_free");
    /* Afterwards nothing is under way to a mailbox of the team. */
    barrier_of(team);
    if (team->member[team->rank].mailbox != 0)
        upc_free(mailbox_of(team, team->rank));
    free(team->member);
    free(team);
}

int bupc_team_size(struct upcr_team *team)
{
    return team == NULL ? upcr_threads : team->size;
}

int bupc_team_rank(struct upcr_team *team)
{
    return team == NULL ? upcr_mythread : team->rank;
}

int bupc_team_thread(struct upcr_team *team, int rank)
{
    if (rank < 0 || rank >= bupc_team_size(team))
        upcr_die("bupc_team_thread: the team has no rank %d", rank);
    return team == NULL ? rank : team->member[rank].thread;
}

void bupc_team_barrier(struct upcr_team *team)
{
    barrier_of(team_of(team, "bupc_team_barrier"));
}

/* ---- Collective operations ------------------------------------------------------------------------------------------ */

/* Sends to the ranks 2^k ahead, k from `step` on, that are within the team as counted from the root. */
static void send_down(const struct upcr_team *team, int root, int step, void (*send)(const struct upcr_team *, int, void *), void *context)
{
    for (int k = step, rank = wrap_rank(team, (int64_t)team->rank - root); k < team->steps && rank + ((int64_t)1 << k) < team->size; k++)
        send(team, k, context);
}

/* Returns the step in which this member gets what the root sends; -1: it is the root. */
static int step_from_root(const struct upcr_team *team, int root)
{
    int rank = wrap_rank(team, (int64_t)team->rank - root);
    return rank == 0 ? -1 : 31 - __builtin_clz((unsigned)rank);
}

struct block {
    upcr_pts_t dst;
    const void *from;
    size_t n;
};

static upcr_pts_t place_on(const struct upcr_team *team, int rank, upcr_pts_t place)
{
    return upcr_make((size_t)team->member[rank].thread, 0, upcr_addrfield(place));
}

static void send_block(const struct upcr_team *team, int step, void *context)
{
    const struct block *block = context;
    upcr_put(place_on(team, peer_rank(team, step, AHEAD), block->dst), block->from, block->n);
    send_step(team, step, AHEAD, NULL, 0);
}

void *bupc_team_broadcast(struct upcr_team *team, upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags)
{
    static const char function[] = "bupc_team_broadcast";
    struct upcr_team *of = team_of(team, function);
    int root = rank_of(of, upcr_threadof(src), function), step = step_from_root(of, root);
    upcr_pts_t mine = place_on(of, of->rank, dst);
    enter_team(of, flags);
    if (step < 0) {
        note_access(src, nbytes, UPCR_TOUCH_READ, function);
        memmove(upcr_addr(mine), upcr_addr(src), nbytes);
    } else {
        await_step(of, step, AHEAD);
    }
    note_access(mine, nbytes, UPCR_TOUCH_WRITE, function);
    struct block block = {dst, upcr_addr(mine), nbytes};
    send_down(of, root, step + 1, send_block, &block);
    leave_team(of, flags);
    return NULL;
}

void *bupc_team_gather_all(struct upcr_team *team, upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags)
{
    static const char function[] = "bupc_team_gather_all";
    struct upcr_team *of = team_of(team, function);
    upcr_pts_t mine = place_on(of, of->rank, src), all = place_on(of, of->rank, dst);
    enter_team(of, flags);
    note_access(mine, nbytes, UPCR_TOUCH_READ, function);
    note_access(all, (size_t)of->size * nbytes, UPCR_TOUCH_WRITE, function);
    upcr_pts_t stage = gather_stage(of, upcr_addr(mine), nbytes, function);
    for (int rank = 0; rank < of->size; rank++)
        memcpy((char *)upcr_addr(all) + (size_t)rank * nbytes, gathered(of, stage, rank, nbytes), nbytes);
    upc_free(stage);
    leave_team(of, flags);
    return NULL;
}

/* Largest block of an exchange that travels with others, from member to member. */
enum { EXCHANGED_TOGETHER = 256 };

/* Exchanges blocks in steps: block i travels to the member i ranks ahead, in the steps of the bits of i. */
static void exchange_in_steps(const struct upcr_team *team, char *to, const char *from, size_t n, const char *function)
{
    size_t size = (size_t)team->size, half = (size + 1) / 2 * n;
    upcr_pts_t stage = new_stage((size_t)team->steps * half, function);
    char *travels = team_memory(size, n), *packed = team_memory(1, half);
    for (size_t i = 0; i < size; i++)
        memcpy(travels + i * n, from + (size_t)wrap_rank(team, team->rank + (int64_t)i) * n, n);
    announce_stage(team, stage);
    for (int k = 0; k < team->steps; k++) {
        size_t count = 0;
        for (size_t i = 0; i < size; i++)
            if ((i >> k & 1) != 0)
                memcpy(packed + count++ * n, travels + i * n, n);
        upcr_put(upcr_field(stage_ahead(team, k), (size_t)k * half), packed, count * n);
        send_step(team, k, AHEAD, NULL, 0);
        await_step(team, k, AHEAD);
        const char *came = (const char *)upcr_addr(stage) + (size_t)k * half;
        for (size_t i = 0; i < size; i++)
            if ((i >> k & 1) != 0) {
                memcpy(travels + i * n, came, n);
                came += n;
            }
    }
    for (size_t i = 0; i < size; i++)
        memcpy(to + (size_t)wrap_rank(team, team->rank - (int64_t)i) * n, travels + i * n, n);
    free(travels);
    free(packed);
    upc_free(stage);
}

/* Exchanges blocks by a put for each. */
static void exchange_each(const struct upcr_team *team, upcr_pts_t to, const char *from, size_t n, const char *function)
{
    uint64_t offset = upcr_addrfield(to);
    upcr_pts_t stage = gather_stage(team, &offset, sizeof offset, function);
    for (int i = 0; i < team->size; i++) {
        int rank = wrap_rank(team, team->rank + (int64_t)i);
        memcpy(&offset, gathered(team, stage, rank, sizeof offset), sizeof offset);
        upcr_put(upcr_make((size_t)team->member[rank].thread, 0, offset + (uint64_t)team->rank * n), from + (size_t)rank * n, n);
    }
    upc_free(stage);
    /* This thread's own blocks are there when all members have sent theirs. */
    barrier_of(team);
}

void *bupc_team_exchange(struct upcr_team *team, upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags)
{
    static const char function[] = "bupc_team_exchange";
    struct upcr_team *of = team_of(team, function);
    upcr_pts_t to = place_on(of, of->rank, dst), from = place_on(of, of->rank, src);
    enter_team(of, flags);
    note_access(from, (size_t)of->size * nbytes, UPCR_TOUCH_READ, function);
    note_access(to, (size_t)of->size * nbytes, UPCR_TOUCH_WRITE, function);
    if (nbytes <= EXCHANGED_TOGETHER)
        exchange_in_steps(of, upcr_addr(to), upcr_addr(from), nbytes, function);
    else
        exchange_each(of, to, upcr_addr(from), nbytes, function);
    leave_team(of, flags);
    return NULL;
}

/* Operations are complete when they return. */
void bupc_coll_wait(void *handle)
{
    (void)handle;
}

static void send_value(const struct upcr_team *team, int step, void *context)
{
    const struct block *block = context;
    send_step(team, step, AHEAD, block->from, block->n);
}

/* Values go up a tree to rank 0, so that each member combines those of the ranks behind it in their order. The result goes down the tree. */
void upcr_team_reduce_all(struct upcr_team *team, void *value, int type, upc_op_t op)
{
    static const char function[] = "bupc_teamv_reduce_all";
    struct upcr_team *of = team_of(team, function);
    const struct upcr_element_type *element = upcr_element_types[type];
    const struct upcr_kernel *kernel = upcr_kernel_of(element, &(struct upcr_arguments){.function = function, .op = op});
    int up = of->rank == 0 ? of->steps : __builtin_ctz((unsigned)of->rank);
    for (int k = 0; k < up && of->rank + ((int64_t)1 << k) < of->size; k++)
        kernel->fold(value, await_step(of, k, BEHIND), 1, NULL);
    if (of->rank != 0) {
        send_step(of, up, BEHIND, value, element->size);
        memcpy(value, await_step(of, step_from_root(of, 0), AHEAD), element->size);
    }
    struct block block = {UPCR_NULL, value, element->size};
    send_down(of, 0, step_from_root(of, 0) + 1, send_value, &block);
}
