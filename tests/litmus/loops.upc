// question: do loops whose accesses are moved, collected or gathered keep the order that strict accesses, fences and barriers ask for?
// threads: 2 3 4
#include "litmus.h"

#define LENGTH 200 /* more than the shortest run, on either side of a block's end */
#define TURNS 150

static relaxed shared [64] long blocked[64 * 4 * THREADS];
static relaxed shared long cyclic[LENGTH * THREADS];
static relaxed shared [] long whole[LENGTH];
static relaxed shared [] int order[LENGTH];
static strict shared [] int flag, answer;

static void count(const char *what, int turn, long wrong)
{
    if (wrong != 0) {
        printf("%s, turn %d: %ld old values on thread %d\n", what, turn, wrong, MYTHREAD);
        failures++;
    }
}

/* Waits until a strict word has a value. */
static void wait_for(strict shared [] int *word, int value)
{
    while (*word != value)
        continue;
}

/* Message passing: a strict word tells that all elements are written. */
static void writes_before_a_flag(void)
{
    for (int turn = 1; turn <= TURNS; turn++) {
        if (MYTHREAD == 0) {
            for (int i = 0; i < LENGTH; i++)
                blocked[i] = turn;
            for (int i = 0; i < LENGTH; i++)
                cyclic[i] = turn;
            for (int i = 0; i < LENGTH; i++)
                whole[LENGTH - 1 - i] = turn;
            flag = turn;
        } else {
            long old[4] = {0, 0, 0, 0};
            wait_for(&flag, turn);
            for (int i = 0; i < LENGTH; i++)
                old[0] += blocked[i] != turn;
            for (int i = 0; i < LENGTH; i++)
                old[1] += cyclic[i] != turn;
            for (int i = 0; i < LENGTH; i++)
                old[2] += whole[i] != turn;
            for (int i = 0; i < LENGTH; i++)
                old[3] += blocked[order[i]] != turn;
            count("blocked", turn, old[0]);
            count("cyclic", turn, old[1]);
            count("whole", turn, old[2]);
            count("gathered", turn, old[3]);
        }
        upc_barrier;
    }
}

/* Load buffering: what a loop reads before a strict write is older than what is written after the answer. */
static void reads_before_a_flag(void)
{
    for (int turn = 1; turn <= TURNS; turn++) {
        int expected = -turn;
        if (MYTHREAD == 1) {
            long changed = 0;
            for (int i = 0; i < LENGTH; i++)
                changed += whole[i] == expected;
            for (int i = 0; i < LENGTH; i++)
                changed += blocked[order[i]] == expected;
            answer = turn;
            count("read before the answer", turn, changed);
        } else if (MYTHREAD == 0) {
            wait_for(&answer, turn);
            for (int i = 0; i < LENGTH; i++) {
                whole[i] = expected;
                blocked[i] = expected;
            }
        }
        upc_barrier;
    }
}

/* A fence or a strict access in the loop keeps each access on its side, in every iteration. */
static void order_within(void)
{
    for (int turn = 1; turn <= 10; turn++) {
        if (MYTHREAD == 0)
            for (int i = 0; i < LENGTH; i++) {
                whole[i] = turn;
                flag = turn * LENGTH + i;
            }
        else {
            long old = 0;
            for (int i = 0; i < LENGTH; i++) {
                int seen = flag - turn * LENGTH;
                /* All elements up to the one that the flag says. */
                if (seen >= i)
                    old += whole[i] != turn;
            }
            for (int i = 0, seen; i < LENGTH; i++) {
                while ((seen = flag) < turn * LENGTH + i)
                    upc_fence;
                old += whole[i] != turn;
            }
            count("within", turn, old);
        }
        upc_barrier;
    }
}

/* A loop that waits for an element which another thread writes while it runs: the read is repeated. */
static void waiting(void)
{
    for (int turn = 1; turn <= TURNS; turn++) {
        if (MYTHREAD == 0) {
            for (int i = 0; i < 4; i++)
                whole[i] = 7000 + turn;
            upc_fence;
        } else {
            for (int i = 0; i < 4; i++)
                while (whole[i] != 7000 + turn)
                    upc_fence;
        }
        upc_barrier;
    }
}

int main(void)
{
    if (MYTHREAD == 0)
        for (int i = 0; i < LENGTH; i++)
            order[i] = i * 37 % LENGTH;
    upc_barrier;
    writes_before_a_flag();
    reads_before_a_flag();
    order_within();
    waiting();
    return verdict();
}
