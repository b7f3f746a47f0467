// question: do semaphores count, wait, give no more than was posted, and carry the data that was put before the post?
// counts: UPC_MEMPUT=150*THREADS, UPC_NB_PUT_INIT=150*THREADS, UPC_MEMGET=300*THREADS, UPC_ALLOC=THREADS, UPC_BARRIER=5*THREADS
#include "../../programs/check.h"
#include <string.h>

#define ITEMS 300
static bupc_sem_t *shared filled[THREADS], *shared emptied[THREADS];
static shared [] char *shared mailbox[THREADS];
static bupc_sem_t *shared common;
static shared int taken[THREADS];

static void serial(void)
{
    bupc_sem_t *s = bupc_sem_alloc(0), *b = bupc_sem_alloc(BUPC_SEM_BOOLEAN | BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    CHECK(upc_threadof(s) == (size_t)MYTHREAD);
    CHECK(!bupc_sem_try(s));
    bupc_sem_post(s);
    CHECK(bupc_sem_try(s) && !bupc_sem_try(s));
    bupc_sem_postN(s, 5);
    CHECK(!bupc_sem_tryN(s, 6) && bupc_sem_tryN(s, 4));
    bupc_sem_wait(s);
    CHECK(!bupc_sem_try(s));
    bupc_sem_postN(s, BUPC_SEM_MAXVALUE);
    bupc_sem_waitN(s, BUPC_SEM_MAXVALUE);
    bupc_sem_post(b);
    bupc_sem_post(b);
    CHECK(bupc_sem_try(b) && !bupc_sem_try(b));
    bupc_sem_free(s);
    bupc_sem_free(b);
}

/* Each thread fills the mailbox of its neighbour. */
static void ring(void)
{
    int i, next = (MYTHREAD + 1) % THREADS, from = (MYTHREAD + THREADS - 1) % THREADS;
    char out[64], in[64], expected[64];
    filled[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_MPRODUCER);
    emptied[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER);
    mailbox[MYTHREAD] = upc_alloc(64);
    upc_barrier;
    bupc_sem_post(emptied[from]);
    for (i = 0; i < ITEMS; i++) {
        memset(out, (char)(MYTHREAD + i), sizeof out);
        bupc_sem_wait(emptied[MYTHREAD]);
        if (i % 2)
            bupc_memput_signal(mailbox[next], out, sizeof out, filled[next], 2);
        else
            bupc_memput_signal_async(mailbox[next], out, sizeof out, filled[next], 2);
        bupc_sem_waitN(filled[MYTHREAD], 2);
        upc_memget(in, mailbox[MYTHREAD], sizeof in);
        memset(expected, (char)(from + i), sizeof expected);
        CHECK(memcmp(in, expected, sizeof in) == 0);
        bupc_sem_post(emptied[from]);
    }
}

/* All take from one. */
static void crowd(void)
{
    int i, sum = 0;
    if (MYTHREAD == 0)
        common = bupc_sem_alloc(0);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        for (i = 0; i < ITEMS; i++)
            bupc_sem_postN(common, THREADS);
    for (i = 0; i < ITEMS; i++) {
        bupc_sem_wait(common);
        taken[MYTHREAD]++;
    }
    upc_barrier;
    CHECK(!bupc_sem_try(common));
    for (i = 0; i < THREADS; i++)
        sum += taken[i];
    CHECK(sum == ITEMS * THREADS);
}

int main(void)
{
    serial();
    ring();
    upc_barrier;
    crowd();
    return pass();
}
