// question: are strict accesses in one order that all threads see, whatever the shape of the test?
// threads: 2 3 4
#include "litmus.h"

static strict shared [] int x[INSTANCES], y[INSTANCES], z[INSTANCES], w[INSTANCES];
static relaxed shared [] int rx[INSTANCES], ry[INSTANCES];

#define CLEAR x[i] = y[i] = z[i] = w[i] = 0
#define THREAD(t) if (MYTHREAD == t)
#define READ(n, place) mine[n][i] = (place)[i]

/* Store buffering: two writes cannot both come after the reads of the other thread. */
LITMUS(store_buffering, 2, CLEAR, THREAD(0) { x[i] = 1; READ(0, y); } THREAD(1) { y[i] = 1; READ(0, x); }, R(0, 0) == 0 && R(1, 0) == 0)

/* The same with relaxed accesses, which may: says that the test is sharp. */
LITMUS(store_buffering_relaxed, 2, rx[i] = ry[i] = 0, THREAD(0) { rx[i] = 1; READ(0, ry); } THREAD(1) { ry[i] = 1; READ(0, rx); },
       R(0, 0) == 0 && R(1, 0) == 0)

/* Message passing, all strict. */
LITMUS(message_passing, 2, CLEAR, THREAD(0) { x[i] = 1; y[i] = 1; } THREAD(1) { READ(0, y); READ(1, x); }, R(1, 0) == 1 && R(1, 1) == 0)

/* Load buffering: a read cannot see a write that depends on it in the order. */
LITMUS(load_buffering, 2, CLEAR, THREAD(0) { READ(0, x); y[i] = 1; } THREAD(1) { READ(0, y); x[i] = 1; }, R(0, 0) == 1 && R(1, 0) == 1)

/* 2+2W: both places cannot keep the first write. */
LITMUS(two_writes_each, 2, CLEAR, THREAD(0) { x[i] = 1; y[i] = 2; } THREAD(1) { y[i] = 1; x[i] = 2; }, x[i] == 1 && y[i] == 1)

/* R: write and write against write and read. */
LITMUS(write_and_read, 2, CLEAR, THREAD(0) { x[i] = 1; y[i] = 1; } THREAD(1) { y[i] = 2; READ(0, x); }, y[i] == 2 && R(1, 0) == 0)

/* S: a write overtaken by one that follows a message. */
LITMUS(overtaken_write, 2, CLEAR, THREAD(0) { x[i] = 2; y[i] = 1; } THREAD(1) { READ(0, y); x[i] = 1; }, R(1, 0) == 1 && x[i] == 2)

/* Coherence: reads of one place never go back. */
LITMUS(coherence, 2, CLEAR, THREAD(0) { x[i] = 1; x[i] = 2; } THREAD(1) { READ(0, x); READ(1, x); READ(2, x); },
       R(1, 0) > R(1, 1) || R(1, 1) > R(1, 2) || x[i] != 2)

/* Write to read causality. */
LITMUS(causality, 3, CLEAR, THREAD(0) { x[i] = 1; } THREAD(1) { READ(0, x); y[i] = 1; } THREAD(2) { READ(0, y); READ(1, x); },
       R(1, 0) == 1 && R(2, 0) == 1 && R(2, 1) == 0)

/* A thread that saw the write against one that wrote before it reads. */
LITMUS(read_write_causality, 3, CLEAR, THREAD(0) { x[i] = 1; } THREAD(1) { READ(0, x); READ(1, y); } THREAD(2) { y[i] = 1; READ(0, x); },
       R(1, 0) == 1 && R(1, 1) == 0 && R(2, 0) == 0)

/* A message handed on, and three writes in a ring. */
LITMUS(handed_on, 3, CLEAR, THREAD(0) { x[i] = 1; y[i] = 1; } THREAD(1) { READ(0, y); z[i] = 1; } THREAD(2) { READ(0, z); READ(1, x); },
       R(1, 0) == 1 && R(2, 0) == 1 && R(2, 1) == 0)
LITMUS(ring_of_writes, 3, CLEAR, THREAD(0) { x[i] = 1; y[i] = 1; } THREAD(1) { y[i] = 2; z[i] = 1; } THREAD(2) { z[i] = 2; READ(0, x); },
       y[i] == 2 && z[i] == 2 && R(2, 0) == 0)

/* Independent reads of independent writes: the readers agree on their order. */
LITMUS(independent_reads, 4, CLEAR, THREAD(0) { x[i] = 1; } THREAD(1) { y[i] = 1; } THREAD(2) { READ(0, x); READ(1, y); }
       THREAD(3) { READ(0, y); READ(1, x); }, R(2, 0) == 1 && R(2, 1) == 0 && R(3, 0) == 1 && R(3, 1) == 0)

/* Two orders of writes to one place, a read between: needs more than acquire and release from a read to a write after it. */
LITMUS(order_through_reads, 4, CLEAR, THREAD(0) { w[i] = 1; x[i] = 1; } THREAD(1) { x[i] = 2; } THREAD(2) { READ(0, x); z[i] = 1; }
       THREAD(3) { z[i] = 2; READ(0, w); }, x[i] == 2 && R(2, 0) == 2 && z[i] == 2 && R(3, 0) == 0)

int main(void)
{
    FORBID(store_buffering);
    FORBID(message_passing);
    FORBID(load_buffering);
    FORBID(two_writes_each);
    FORBID(write_and_read);
    FORBID(overtaken_write);
    FORBID(coherence);
    FORBID(causality);
    FORBID(read_write_causality);
    FORBID(handed_on);
    FORBID(ring_of_writes);
    FORBID(independent_reads);
    FORBID(order_through_reads);
    allowed("store buffering by relaxed accesses", store_buffering_relaxed());
    return verdict();
}
