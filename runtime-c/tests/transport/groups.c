/* Groups, and what goes between them in collective functions. */
#include "conformance.h"

void case_groups(void)
{
    int groups = upcr_tp_groups();
    CHECK(groups >= 1 && groups <= ALL && upcr_tp_group_first(0) == 0 && upcr_tp_group_first(groups) == ALL);
    for (int group = 0; group < groups; group++) {
        CHECK(upcr_tp_group_first(group) < upcr_tp_group_first(group + 1));
        for (int thread = upcr_tp_group_first(group); thread < upcr_tp_group_first(group + 1); thread++) {
            CHECK(upcr_tp_group_of(thread) == group);
            CHECK(upcr_tp_together(thread, upcr_tp_group_first(group)));
        }
    }
    CHECK((upcr_tp_group_of(ME) == upcr_tp_group_of(NEXT)) == !is_remote(NEXT));
    meet();
}

enum { EXCHANGED = 300000 };

/* Spends an amount of time that differs between the threads. */
static void spend(size_t i)
{
    static volatile double x = 1;
    for (size_t turn = 0; turn < ((size_t)ME + i) % 3 * 50000; turn++)
        x = x * 0.999999;
}

/* So many short ones in a row that no wire holds all of them, to a thread that begins to receive late. */
static void exchange_in_a_row(int before)
{
    enum { IN_A_ROW = 3000 };
    for (int i = 0; ME % 2 == 0 && NEXT % 2 == 1 && i < IN_A_ROW; i++)
        upcr_tp_exchange(NEXT, &i, sizeof i, 0, NULL, 0);
    spend(1);
    for (int i = 0; ME % 2 == 1 && i < IN_A_ROW; i++) {
        int come = -1;
        upcr_tp_exchange(0, NULL, 0, before, &come, sizeof come);
        CHECK(come == i);
    }
}

/* From two threads, of which the receiver first asks the one whose data comes later. */
static void exchange_with_two(void)
{
    enum { OF_EACH = 10 };
    for (int i = 0; (ME == 0 || ME == 2) && i < OF_EACH; i++) {
        int going = ME * OF_EACH + i;
        upcr_tp_exchange(1, &going, sizeof going, 0, NULL, 0);
    }
    for (int i = 0; ME == 1 && i < 2 * OF_EACH; i++) {
        int come = -1, from = i < OF_EACH ? 2 : 0;
        upcr_tp_exchange(0, NULL, 0, from, &come, sizeof come);
        CHECK(come == from * OF_EACH + i % OF_EACH);
    }
    meet();
}

/* Requests are served while a thread receives what has come before, until they have been answered. */
static void exchange_beside_requests(void)
{
    enum { REQUESTS = 10 };
    uint64_t answered = everywhere(sizeof(long));
    bool more = true;
    while (ME == 0 && more) {
        more = look(answered) == 0;
        upcr_tp_exchange(1, &more, sizeof more, 0, NULL, 0);
    }
    while (ME == 1 && more)
        upcr_tp_exchange(0, NULL, 0, 0, &more, sizeof more);
    for (int i = 0; ME == 2 && i < REQUESTS; i++)
        CHECK(get_long(1, answered) == 0);
    if (ME == 2)
        put_long(0, answered, 1);
    forget(answered);
}

/* In a ring, of every size, and what one thread sends to another in its order. */
void case_exchange(void)
{
    static unsigned char going[EXCHANGED], come[EXCHANGED], expected[EXCHANGED];
    static const size_t sizes[] = {1, 8, 100, 3968, 3969, 5000, 70000, EXCHANGED};
    int before = (ME + ALL - 1) % ALL, groups = upcr_tp_groups();
    if (groups != ALL)
        return;
    for (size_t i = 0; ALL > 1 && i < sizeof sizes / sizeof *sizes; i++) {
        size_t n = sizes[i], m = sizes[sizeof sizes / sizeof *sizes - 1 - i];
        scribble(going, n, (uint64_t)ME + i);
        scribble(expected, n, (uint64_t)before + i);
        upcr_tp_exchange(NEXT, going, n, before, come, n);
        CHECK(memcmp(come, expected, n) == 0);
        memset(come, 0, n);
        upcr_tp_exchange_begin(NEXT, going, n, before, come, n);
        spend(i);
        upcr_tp_exchange_end();
        CHECK(memcmp(come, expected, n) == 0);
        /* Two that follow on one another, as one of them only receives. */
        if (ME % 2 == 0 && NEXT % 2 == 1) {
            upcr_tp_exchange(NEXT, going, n, 0, NULL, 0);
            upcr_tp_exchange(NEXT, going, m < n ? m : n, 0, NULL, 0);
        } else if (ME % 2 == 1) {
            upcr_tp_exchange(0, NULL, 0, before, come, n);
            CHECK(memcmp(come, expected, n) == 0);
            memset(come, 0, n);
            upcr_tp_exchange(0, NULL, 0, before, come, m < n ? m : n);
            CHECK(memcmp(come, expected, m < n ? m : n) == 0);
        }
    }
    exchange_in_a_row(before);
    meet();
    if (ALL < 3)
        return;
    exchange_with_two();
    exchange_beside_requests();
}
