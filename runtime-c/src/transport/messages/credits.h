/* Credits: how many messages of puts a process may have under way to one target. The senders of a target share them out,
   because all these messages wait at a target that serves none of them (docs/scale.md). */
#ifndef UPCR_MESSAGES_CREDITS_H
#define UPCR_MESSAGES_CREDITS_H

enum {
    NET_UNACKNOWLEDGED_MOST = 64, /* messages of puts of a process under way: more would flood a receiver, so the thread waits */
    NET_AT_TARGET = 2048,         /* messages that all senders together may have under way to one target */
    NET_CREDITS_LEAST = 2,
};

/* Returns the credits of each sender. senders: the processes that are not in the target's group; 0 or more. */
static inline int net_credits_of(int senders)
{
    int credits = NET_AT_TARGET / (senders == 0 ? 1 : senders);
    return credits > NET_UNACKNOWLEDGED_MOST ? NET_UNACKNOWLEDGED_MOST : credits < NET_CREDITS_LEAST ? NET_CREDITS_LEAST : credits;
}

#endif
