/* The barrier and what is made of it. */
#include "conformance.h"

/* ---- Phases --------------------------------------------------------------------------------------------------------- */

static void wait_plain(void)
{
    struct upcr_barrier_outcome outcome;
    upcr_tp_wait(&outcome);
    CHECK(outcome.leavers == 0);
}

/* Nobody passes before all have come, and upcr_tp_try_wait knows it; it also comes to know that all are there. */
void case_barrier_phases(void)
{
    uint64_t offset = everywhere(64);
    for (long round = 1; round <= repeat(40); round++) {
        int late = (int)(round % ALL);
        if (ME == late) {
            if (round % 4 == 0)
                doze(3000);
            for (int t = 0; t < ALL; t++)
                put_long(t, offset, round);
            upcr_tp_fence();
        }
        upcr_tp_notify(UPCR_ARRIVAL_ANONYMOUS, 0);
        for (int i = 0; i < 50; i++)
            CHECK(!upcr_tp_try_wait() || look(offset) == round);
        while (round % 3 == 0 && !upcr_tp_try_wait())
            ;
        wait_plain();
        CHECK(look(offset) == round);
        meet();
    }
    /* Many in a row, without anything between them. */
    for (int i = 0; i < repeat(500); i++) {
        upcr_tp_notify(UPCR_ARRIVAL_ANONYMOUS, 0);
        wait_plain();
    }
    forget(offset);
}

/* In one call: nobody passes before all have come, whichever form each of them uses. */
void case_barrier_at_once(void)
{
    struct upcr_barrier_outcome outcome;
    uint64_t offset = everywhere(64);
    for (long round = 1; round <= repeat(200); round++) {
        if (ME == round % ALL) {
            if (round % 16 == 0)
                doze(3000);
            for (int t = 0; t < ALL; t++)
                put_long(t, offset, round);
            upcr_tp_fence();
        }
        if (round % 3 == 0 || (round % 3 == 1 && ME % 2 == 0)) {
            upcr_tp_notify(UPCR_ARRIVAL_ANONYMOUS, 0);
            wait_plain();
        } else {
            upcr_tp_barrier(UPCR_ARRIVAL_ANONYMOUS, 0, &outcome);
            CHECK(outcome.leavers == 0 && !outcome.named);
        }
        CHECK(look(offset) == round);
        meet();
    }
    for (int i = 0; i < repeat(500); i++)
        upcr_tp_barrier(UPCR_ARRIVAL_ANONYMOUS, 0, &outcome);
    forget(offset);
}

/* ---- Values --------------------------------------------------------------------------------------------------------- */

/* What thread t brings in a round. */
static bool brings(int t, int round, int *value)
{
    switch (round % 6) {
    case 0:
        return *value = round, true; /* all the same */
    case 1:
        return *value = -round, t == round % ALL; /* one */
    case 2:
        return *value = 0, t % 2 == 0; /* some, of a value like none */
    case 3:
        return *value = t == round % ALL ? 7 : 8, true; /* all but one the same */
    case 4:
        return *value = t, true; /* all different */
    default:
        return *value = t % 3, (t + round) % 2 == 0;
    }
}

static void check_outcome(const struct upcr_barrier_outcome *outcome, int round)
{
    bool named = false, dissent = false;
    int first = 0, value, other;
    for (int t = 0; t < ALL; t++) {
        if (!brings(t, round, &value))
            continue;
        dissent = dissent || (named && value != first);
        first = value;
        named = true;
    }
    CHECK(outcome->leavers == 0 && outcome->named == named && outcome->dissent == dissent);
    if (named)
        CHECK(outcome->value_thread >= 0 && outcome->value_thread < ALL && brings(outcome->value_thread, round, &value) && value == outcome->value);
    if (dissent)
        CHECK(outcome->other_thread >= 0 && outcome->other_thread < ALL && brings(outcome->other_thread, round, &other) && other == outcome->other_value &&
              other != outcome->value);
}

void case_barrier_values(void)
{
    struct upcr_barrier_outcome outcome, of_other;
    uint64_t offset = everywhere(sizeof outcome);
    for (int round = 0; round < repeat(60); round++) {
        int value;
        bool named = brings(ME, round, &value);
        enum upcr_arrival arrival = named ? UPCR_ARRIVAL_NAMED : UPCR_ARRIVAL_ANONYMOUS;
        if ((round + ME) % 2 == 0) {
            upcr_tp_notify(arrival, named ? value : 12345);
            upcr_tp_wait(&outcome);
        } else {
            upcr_tp_barrier(arrival, named ? value : 12345, &outcome);
        }
        check_outcome(&outcome, round);
        /* All get the same. */
        memcpy(mine(offset), &outcome, sizeof outcome);
        meet();
        get(&of_other, at(NEXT, offset), sizeof outcome);
        CHECK(of_other.named == outcome.named && of_other.dissent == outcome.dissent);
        meet();
    }
    forget(offset);
}

/* ---- Between notify and wait ---------------------------------------------------------------------------------------- */

/* Everything but another barrier goes on there. */
void case_barrier_work_between(void)
{
    uint64_t offset = everywhere(4096), lock = everywhere(UPCR_LOCK_BYTES);
    long bytes[64];
    if (ME == 0)
        upcr_tp_lock_init(at(0, lock), NULL);
    meet();
    for (long round = 1; round <= repeat(40); round++) {
        upcr_tp_notify(UPCR_ARRIVAL_ANONYMOUS, 0);
        put_long((ME + (int)round) % ALL, offset + (uint64_t)ME * 8, round);
        CHECK(get_long((ME + (int)round) % ALL, offset + (uint64_t)ME * 8) == round);
        get(bytes, at((int)round % ALL, offset + 2048), sizeof bytes);
        upcr_tp_lock(at(0, lock), NULL);
        put_long(0, offset + 1024, get_long(0, offset + 1024) + 1);
        upcr_tp_fence();
        upcr_tp_unlock(at(0, lock));
        wait_plain();
    }
    meet();
    CHECK(get_long(0, offset + 1024) == (long)repeat(40) * ALL);
    meet();
    if (ME == 0)
        upcr_tp_lock_destroy(at(0, lock));
    forget(lock);
    forget(offset);
}

/* ---- Broadcast ------------------------------------------------------------------------------------------------------ */

void case_broadcast(void)
{
    unsigned char bytes[UPCR_BROADCAST_MAX + 1], sent[UPCR_BROADCAST_MAX];
    struct upcr_barrier_outcome outcome;
    uint64_t state = 11;
    for (int round = 0; round < repeat(200); round++) {
        size_t n = round <= UPCR_BROADCAST_MAX ? (size_t)round : test_random(&state) % (UPCR_BROADCAST_MAX + 1);
        scribble(sent, sizeof sent, (uint64_t)round);
        memset(bytes, 0xee, sizeof bytes);
        if (ME == 0)
            memcpy(bytes, sent, n);
        if (round % 50 == ME)
            doze(2000);
        upcr_tp_broadcast(bytes, n, &outcome);
        CHECK(outcome.leavers == 0 && !outcome.named && !outcome.dissent);
        CHECK(memcmp(bytes, sent, n) == 0 && bytes[n] == 0xee);
    }
}

/* ---- Rendezvous ----------------------------------------------------------------------------------------------------- */

struct task {
    uint64_t offset;
    long round;
};

/* Finds what all have brought, and leaves the sum and how often it ran with all. */
static void add_up(void *argument)
{
    const struct task *task = argument;
    long sum = 0;
    for (int t = 0; t < ALL; t++)
        sum += get_long(t, task->offset);
    for (int t = 0; t < ALL; t++) {
        put_long(t, task->offset + 8, sum);
        put_long(t, task->offset + 16, get_long(t, task->offset + 16) + 1);
    }
    upcr_tp_fence();
}

void case_rendezvous(void)
{
    uint64_t offset = everywhere(64);
    for (long round = 1; round <= repeat(80); round++) {
        struct task task = {offset, round};
        struct upcr_barrier_outcome outcome;
        /* Somebody else brings it there. */
        put_long(NEXT, offset, round * (NEXT + 1));
        upcr_tp_fence();
        upcr_tp_rendezvous(add_up, &task, &outcome);
        CHECK(outcome.leavers == 0 && !outcome.named && !outcome.dissent);
        CHECK(look(offset + 8) == round * ALL * (ALL + 1) / 2 && look(offset + 16) == round);
        meet();
    }
    forget(offset);
}
