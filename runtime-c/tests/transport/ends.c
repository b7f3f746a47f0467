/* How jobs end. What each prints, and its status, is in table.txt. */
#include "conformance.h"

#include <signal.h>

static void compute(void) __attribute__((__noreturn__));
static void compute(void)
{
    for (volatile unsigned i = 0;; i++)
        ;
}

/* What stays in the buffer of standard output. */
static void leave_text(void)
{
    meet();
    printf("thread %d said;", ME);
}

/* As the contract wants it: flushed, by nobody else at the same time. */
static void flush_and_exit(int status) __attribute__((__noreturn__));
static void flush_and_exit(int status)
{
    sigset_t all, old;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &old);
    fflush(NULL);
    sigprocmask(SIG_SETMASK, &old, NULL);
    upcr_tp_global_exit(status);
}

static uint64_t all_locks, all_semaphores;

static void prepare(void)
{
    all_locks = everywhere(UPCR_LOCK_BYTES);
    all_semaphores = everywhere(UPCR_SEM_BYTES);
    upcr_tp_lock_init(at(ME, all_locks), NULL);
    upcr_tp_sem_init(at(ME, all_semaphores), false);
    leave_text();
    meet();
}

/* The largest status is the job's. */
int end_statuses(void)
{
    leave_text();
    return ME == ALL - 1 ? 41 : ME % 3;
}

/* One ends all, which compute. */
int end_exit_one(void)
{
    leave_text();
    meet();
    if (ME != ALL / 2)
        compute();
    doze(20000);
    flush_and_exit(42);
}

/* The others wait, each in its way. */
int end_exit_while_waiting(void)
{
    struct upcr_barrier_outcome outcome;
    char bytes[8];
    prepare();
    if (ME == 0) {
        upcr_tp_lock(at(0, all_locks), NULL);
        meet();
        doze(50000);
        flush_and_exit(43);
    }
    meet();
    switch (ME % 5) {
    case 0:
        upcr_tp_notify(UPCR_ARRIVAL_ANONYMOUS, 0);
        upcr_tp_wait(&outcome);
        break;
    case 1:
        upcr_tp_lock(at(0, all_locks), NULL);
        break;
    case 2:
        upcr_tp_sem_wait(at(0, all_semaphores), 1);
        break;
    case 3:
        for (;;)
            get(bytes, at(NEXT, all_locks), sizeof bytes);
    default:
        upcr_tp_broadcast(bytes, sizeof bytes, &outcome);
        break;
    }
    return 99;
}

/* All at once: one of them has been the first. */
int end_exit_all(void)
{
    leave_text();
    meet();
    flush_and_exit(44);
}

/* Two at nearly the same time, while others put and get. */
int end_exit_race(void)
{
    long value = 0;
    prepare();
    if (ME == 0 || ME == ALL - 1) {
        flush_and_exit(45);
    }
    for (;; value++) {
        put_long(NEXT, all_locks + 8 * 7, value);
        CHECK(get_long(NEXT, all_locks + 8 * 7) == value);
    }
}

/* One may say why the job ends. */
int end_claim(void)
{
    meet();
    if (upcr_tp_claim_report()) {
        fprintf(stderr, "one thread says why\n");
        upcr_tp_report_done();
    }
    upcr_tp_abort(9);
}

/* The one that refuses to go on says why. */
int end_refuse(void)
{
    meet();
    if (ME != 0) {
        meet();
        return 99;
    }
    upcr_tp_refuse();
    fprintf(stderr, "one thread refuses\n");
    upcr_tp_abort(1);
}

int end_crash(void)
{
    const struct upcr_crash crash = {.signal = SIGSEGV, .code = SEGV_MAPERR, .address = 0x1234};
    leave_text();
    meet();
    if (ME != ALL - 1)
        compute();
    signal(SIGSEGV, SIG_DFL);
    upcr_tp_note_crash(&crash);
    raise(SIGSEGV);
    return 99;
}

static void save(void)
{
    static const char text[] = "saved said;";
    if (write(STDOUT_FILENO, text, sizeof text - 1) < 0)
        _exit(98);
}

/* Another thread dies; this one saves. The last has no wish to. */
int end_saves(void)
{
    if (ME != ALL - 1)
        upcr_tp_before_end(save);
    meet();
    if (ME == ALL - 1) {
        doze(20000);
        raise(SIGKILL);
    }
    if (ME % 2 == 0)
        compute();
    meet();
    return 99;
}

int end_saves_on_exit(void)
{
    if (ME != 0)
        upcr_tp_before_end(save);
    meet();
    if (ME == 0) {
        doze(20000);
        flush_and_exit(46);
    }
    if (ME % 2 == 0)
        compute();
    meet();
    return 99;
}

/* ---- Some leave where others stay ------------------------------------------------------------------------------------ */

/* The last thread leaves with status 5. Every other one learns it at once, and the first ends the job. */
static int reported(const struct upcr_barrier_outcome *outcome)
{
    CHECK(outcome->leavers > 0 && outcome->leavers < ALL);
    CHECK(outcome->a_leaver == ALL - 1 && outcome->leaver_status == 5);
    if (ME != 0)
        compute();
    flush_and_exit(47);
}

static bool leaves(void)
{
    struct upcr_barrier_outcome outcome;
    leave_text();
    meet();
    if (ME != ALL - 1)
        return false;
    upcr_tp_notify(UPCR_ARRIVAL_LEAVE, 5);
    upcr_tp_wait(&outcome);
    CHECK(outcome.leavers > 0 && (ALL == 1 || outcome.leavers < ALL));
    if (ALL == 1) {
        flush_and_exit(47);
    }
    compute();
}

int end_leaver_barrier(void)
{
    struct upcr_barrier_outcome outcome;
    if (!leaves()) {
        upcr_tp_notify(UPCR_ARRIVAL_NAMED, 3);
        upcr_tp_wait(&outcome);
        return reported(&outcome);
    }
    return 99;
}

int end_leaver_broadcast(void)
{
    struct upcr_barrier_outcome outcome;
    long value = ME;
    if (!leaves()) {
        upcr_tp_broadcast(&value, sizeof value, &outcome);
        return reported(&outcome);
    }
    return 99;
}

static void no_work(void *argument)
{
    (void)argument;
}

int end_leaver_rendezvous(void)
{
    struct upcr_barrier_outcome outcome;
    if (!leaves()) {
        upcr_tp_rendezvous(no_work, NULL, &outcome);
        return reported(&outcome);
    }
    return 99;
}

/* The others wait for what thread 0 does not send, or look whether it has left. */
int end_leaver_exchange(void)
{
    struct upcr_barrier_outcome outcome;
    long value;
    meet();
    if (ME == 0)
        upcr_tp_notify(UPCR_ARRIVAL_LEAVE, 48);
    if (ME == 0 && ALL > 1) {
        upcr_tp_wait(&outcome);
        compute();
    }
    if (is_remote(0)) {
        upcr_tp_exchange(0, NULL, 0, 0, &value, sizeof value);
        return 99;
    }
    while (upcr_tp_has_left(0) == 0)
        doze(1000);
    upcr_partner_left(0, upcr_tp_has_left(0));
}

/* ---- Misuse --------------------------------------------------------------------------------------------------------- */

/* The last thread is wrong about an object of the first one's, the others wait. */
static void others_wait(void)
{
    prepare();
    meet();
    if (ME != ALL - 1)
        compute();
}

int end_relock(void)
{
    others_wait();
    upcr_tp_lock(at(0, all_locks), (const void *)end_relock);
    upcr_tp_lock(at(0, all_locks), (const void *)end_relock);
    return 99;
}

int end_unlock_other(void)
{
    others_wait();
    upcr_tp_unlock(at(0, all_locks));
    return 99;
}

int end_no_lock(void)
{
    others_wait();
    upcr_tp_lock(at(0, all_semaphores), NULL);
    return 99;
}

int end_dead_lock(void)
{
    others_wait();
    upcr_tp_lock_destroy(at(0, all_locks));
    upcr_tp_lock_attempt(at(0, all_locks), NULL);
    return 99;
}

int end_overflow(void)
{
    others_wait();
    upcr_tp_sem_post(at(0, all_semaphores), UPCR_SEM_MAX);
    upcr_tp_sem_post(at(0, all_semaphores), 1);
    return 99;
}

int end_dead_semaphore(void)
{
    others_wait();
    upcr_tp_sem_destroy(at(0, all_semaphores));
    upcr_tp_sem_post(at(0, all_semaphores), 1);
    return 99;
}

/* A get of a place that does not exist ends the thread that asks for it, and not the thread that the place names. */
int end_stray_get(void)
{
    char byte;
    others_wait();
    get(&byte, at(0, 0), 1);
    return 99;
}

int end_stray_put(void)
{
    others_wait();
    put(at(0, upcr_tp_segment_bytes()), "", 1);
    return 99;
}

int end_stray_iov(void)
{
    char bytes[2];
    const struct upcr_iov iov[] = {{all_locks, &bytes[0], 1}, {upcr_tp_segment_bytes(), &bytes[1], 1}};
    others_wait();
    get_iov(0, iov, 2);
    return 99;
}
