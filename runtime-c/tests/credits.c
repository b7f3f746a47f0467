/* Credits, as docs/scale.md says. Each line of the input is a row of its table: the least and the most senders, the credits
   of each, and the messages at one target. */
#include "test.h"

#include "transport/messages/credits.h"

enum { SENDERS_MOST = 200000, ROWS_LEAST = 5 };

static int check_rows(void)
{
    int first, last, credits, messages, rows = 0;
    while (scanf("%d %d %d %d", &first, &last, &credits, &messages) == 4) {
        for (int senders = first; senders <= last; senders++)
            CHECK(net_credits_of(senders) == credits);
        CHECK(last * credits == messages);
        rows++;
    }
    return rows;
}

/* Whatever the number of senders, each has enough, and all together do not flood the target before the least number of
   credits decides. */
static void check_bounds(void)
{
    for (int senders = 0; senders <= SENDERS_MOST; senders++) {
        int credits = net_credits_of(senders);
        CHECK(credits >= NET_CREDITS_LEAST && credits <= NET_UNACKNOWLEDGED_MOST);
        CHECK(senders * credits <= NET_AT_TARGET || credits == NET_CREDITS_LEAST);
        CHECK(senders == 0 || credits <= net_credits_of(senders - 1));
    }
}

int main(void)
{
    CHECK(check_rows() >= ROWS_LEAST);
    check_bounds();
    return 0;
}
