/* Locks and semaphores. */
#include "conformance.h"

/* ---- Locks ---------------------------------------------------------------------------------------------------------- */

/* A lock at the same place of every thread. */
static uint64_t locks_everywhere(void)
{
    uint64_t offset = everywhere(UPCR_LOCK_BYTES);
    upcr_tp_lock_init(at(ME, offset), (const void *)locks_everywhere);
    meet();
    return offset;
}

static void destroy_locks(uint64_t offset)
{
    meet();
    upcr_tp_lock_destroy(at(NEXT, offset));
    forget(offset);
}

/* One at a time has a lock, and finds what the one before has written, wherever the lock and the data are. */
void case_lock_exclusion(void)
{
    uint64_t lock = locks_everywhere(), data = everywhere(64);
    long each = repeat(60);
    for (int home = 0; home < ALL; home++) {
        int where = (home + 1) % ALL;
        for (int i = 0; i < each; i++) {
            upcr_tp_lock(at(home, lock), i % 2 ? NULL : (const void *)case_lock_exclusion);
            long a = get_long(where, data), b = get_long(home, data + 8);
            CHECK(a == b);
            put_long(where, data, a + 1);
            put_long(home, data + 8, b + 1);
            upcr_tp_fence();
            upcr_tp_unlock(at(home, lock));
        }
        meet();
        CHECK(get_long(where, data) == each * ALL);
        meet();
        if (ME == 0)
            for (int t = 0; t < ALL; t++)
                put_long(t, data, 0), put_long(t, data + 8, 0);
        meet();
    }
    forget(data);
    destroy_locks(lock);
}

/* They get it in the order in which they have asked. Each asks some time after the one before it; a machine that is very busy may turn that
   round, so they have several tries, with more and more time. */
void case_lock_order(void)
{
    enum { APART_US = 20000, GOOD = 2, TRIES = 8 };
    uint64_t lock = locks_everywhere(), data = everywhere(64);
    int good = 0;
    for (int round = 0; round < TRIES && good < GOOD; round++) {
        int home = round % ALL, apart = APART_US << round / 2, holder = (round + 1) % ALL, turn = (ME - holder + ALL) % ALL;
        upcr_pts_t place = at(home, lock);
        if (ME == 0)
            put_long(0, data + 8, 0), put_long(0, data + 16, 0);
        meet();
        if (turn == 0)
            upcr_tp_lock(place, NULL);
        meet();
        if (turn != 0) {
            while (get_long(0, data + 8) != turn - 1)
                doze(500);
            doze(apart);
            put_long(0, data + 8, turn);
            upcr_tp_fence();
            upcr_tp_lock(place, NULL);
            long served = get_long(0, data + 16) + 1;
            put_long(0, data + 16, served);
            put_long(ME, data, served == turn);
            upcr_tp_fence();
        } else {
            put_long(ME, data, 1);
            while (get_long(0, data + 8) != ALL - 1)
                doze(500);
            doze(apart);
        }
        upcr_tp_unlock(place);
        meet();
        int right = 0;
        for (int t = 0; t < ALL; t++)
            right += get_long(t, data) == 1;
        good += right == ALL;
        meet();
    }
    CHECK(good == GOOD);
    forget(data);
    destroy_locks(lock);
}

void case_lock_attempt(void)
{
    uint64_t lock = locks_everywhere(), data = everywhere(64);
    for (int home = 0; home < ALL; home++) {
        upcr_pts_t place = at(home, lock);
        int holder = (home + 1) % ALL;
        if (ME == holder)
            CHECK(upcr_tp_lock_attempt(place, NULL));
        meet();
        if (ME != holder)
            CHECK(!upcr_tp_lock_attempt(place, NULL));
        meet();
        if (ME == holder)
            upcr_tp_unlock(place);
        meet();
        /* All try until they have had it. */
        for (int i = 0; i < repeat(15); i++) {
            while (!upcr_tp_lock_attempt(place, NULL))
                ;
            put_long(0, data, get_long(0, data) + 1);
            upcr_tp_fence();
            upcr_tp_unlock(place);
        }
        meet();
        CHECK(get_long(0, data) == (long)repeat(15) * ALL * (home + 1));
        meet();
    }
    forget(data);
    destroy_locks(lock);
}

/* Many locks, held two at a time, some waiting and some trying. */
void case_lock_many(void)
{
    enum { LOCKS = 16 };
    uint64_t locks = everywhere((size_t)LOCKS * UPCR_LOCK_BYTES), data = everywhere(LOCKS * 8), state = (uint64_t)ME + 61;
    for (int i = 0; i < LOCKS; i++)
        upcr_tp_lock_init(at(ME, locks + (uint64_t)i * UPCR_LOCK_BYTES), NULL);
    meet();
    long done[LOCKS] = {0};
    for (int i = 0; i < repeat(300); i++) {
        int first = (int)(test_random(&state) % (LOCKS - 1)), second = first + 1 + (int)(test_random(&state) % (unsigned)(LOCKS - 1 - first));
        upcr_pts_t one = at(first % ALL, locks + (uint64_t)first * UPCR_LOCK_BYTES), two = at(second % ALL, locks + (uint64_t)second * UPCR_LOCK_BYTES);
        upcr_tp_lock(one, NULL);
        bool both = i % 3 != 0;
        if (both)
            upcr_tp_lock(two, NULL);
        else
            both = upcr_tp_lock_attempt(two, NULL);
        put_long(first % ALL, data + (uint64_t)first * 8, get_long(first % ALL, data + (uint64_t)first * 8) + 1);
        done[first]++;
        upcr_tp_fence();
        if (both)
            upcr_tp_unlock(two);
        upcr_tp_unlock(one);
    }
    meet();
    uint64_t mine_done = everywhere(sizeof done);
    memcpy(mine(mine_done), done, sizeof done);
    meet();
    for (int i = 0; i < LOCKS; i++) {
        long sum = 0;
        for (int t = 0; t < ALL; t++)
            sum += get_long(t, mine_done + (uint64_t)i * 8);
        CHECK(get_long(i % ALL, data + (uint64_t)i * 8) == sum);
    }
    forget(mine_done);
    for (int i = 0; i < LOCKS; i++)
        upcr_tp_lock_destroy(at(ME, locks + (uint64_t)i * UPCR_LOCK_BYTES));
    forget(data);
    forget(locks);
}

/* ---- Semaphores ----------------------------------------------------------------------------------------------------- */

static uint64_t semaphores_everywhere(bool boolean)
{
    uint64_t offset = everywhere(UPCR_SEM_BYTES);
    upcr_tp_sem_init(at(ME, offset), boolean);
    meet();
    return offset;
}

static void destroy_semaphores(uint64_t offset)
{
    meet();
    upcr_tp_sem_destroy(at(NEXT, offset));
    forget(offset);
}

/* Nothing is taken that was not posted, and all of it is. */
void case_semaphore_counts(void)
{
    uint64_t semaphore = semaphores_everywhere(false);
    upcr_pts_t own = at(ME, semaphore), next = at(NEXT, semaphore);
    CHECK(!upcr_tp_sem_try(own, 1));
    meet();
    upcr_tp_sem_post(next, 5);
    upcr_tp_sem_wait(own, 3);
    CHECK(!upcr_tp_sem_try(own, 3) && upcr_tp_sem_try(own, 2) && !upcr_tp_sem_try(own, 1));
    meet();
    upcr_tp_sem_post(next, UPCR_SEM_MAX);
    meet();
    upcr_tp_sem_wait(own, UPCR_SEM_MAX);
    CHECK(!upcr_tp_sem_try(own, 1));
    meet();
    /* All produce, all consume, in different portions. */
    int rounds = repeat(60), units = 12;
    upcr_pts_t common = at(ALL - 1, semaphore);
    for (int i = 0; i < rounds; i++) {
        uint32_t portion = (uint32_t)(1 + (i + ME) % 3);
        for (int n = 0; n < units; n += 2)
            upcr_tp_sem_post(common, 2);
        if (i % 5 == 0)
            for (int n = 0; n < units; n++)
                while (!upcr_tp_sem_try(common, 1))
                    ;
        else
            for (int n = 0; n < units; n += (int)portion)
                upcr_tp_sem_wait(common, portion);
    }
    meet();
    CHECK(!upcr_tp_sem_try(common, 1));
    destroy_semaphores(semaphore);
}

/* Never above one. */
void case_semaphore_boolean(void)
{
    uint64_t semaphore = semaphores_everywhere(true);
    upcr_pts_t own = at(ME, semaphore), next = at(NEXT, semaphore);
    for (int i = 0; i < repeat(30); i++) {
        for (int n = 0; n <= i % 3; n++)
            upcr_tp_sem_post(next, 1);
        meet();
        if (i % 2 == 0)
            upcr_tp_sem_wait(own, 1);
        else
            CHECK(upcr_tp_sem_try(own, 1));
        CHECK(!upcr_tp_sem_try(own, 1));
        meet();
    }
    destroy_semaphores(semaphore);
}

/* What was done before a post is there for the one that takes, without a call that looks for it. */
void case_semaphore_order(void)
{
    enum { MOST = 9000 };
    static unsigned char bytes[MOST];
    uint64_t full = semaphores_everywhere(false), empty = semaphores_everywhere(true), data = everywhere(MOST);
    int before = (ME + ALL - 1) % ALL;
    for (int i = 0; i < repeat(60); i++) {
        size_t n = i % 5 == 0 ? MOST : (size_t)(1 + i * 13 % 700);
        scribble(bytes, n, (uint64_t)(i * 31 + ME));
        put(at(NEXT, data), bytes, n);
        upcr_tp_fence();
        upcr_tp_sem_post(at(NEXT, full), 1);
        upcr_tp_sem_wait(at(ME, full), 1);
        scribble(bytes, n, (uint64_t)(i * 31 + before));
        CHECK(memcmp(mine(data), bytes, n) == 0);
        upcr_tp_fence();
        upcr_tp_sem_post(at(before, empty), 1);
        upcr_tp_sem_wait(at(ME, empty), 1);
    }
    forget(data);
    destroy_semaphores(empty);
    destroy_semaphores(full);
}
