// question: do the elements of a stride, an array or a list that one thread has travel as one message, and arrive?
// threads: 2 4
#include <string.h>
#include "../programs/check.h"

struct traffic {
    unsigned long long messages, bytes, memory;
};
void upcr_tp_traffic(struct traffic *traffic);

#define ROWS 40
#define COLUMNS 24
static shared [] int *shared matrix[THREADS];
static shared int cyclic[64 * THREADS];
static int block[ROWS][COLUMNS], back[ROWS * COLUMNS];

/* Requests alone: what this thread sends while nobody asks anything of it. */
static unsigned long long sent(void)
{
    struct traffic traffic;
    upcr_tp_traffic(&traffic);
    return traffic.messages;
}

/* Messages that `bytes` to one thread take at most. */
static int is_few(unsigned long long since, size_t bytes)
{
    unsigned long long messages = sent() - since, most = 1 + bytes / 3000;
    return messages <= most;
}

static void columns(shared [] int *there)
{
    size_t column = COLUMNS * sizeof(int), element = sizeof(int);
    size_t strides[3] = {element, column, 3 * element}, packed[3] = {element, 2 * element, 2 * ROWS * element}, count[4] = {element, 2, ROWS, 5};
    unsigned long long before = sent();
    bupc_memput_fstrided(there + 5, element, column, ROWS, &block[0][5], element, column, ROWS);
    upc_fence;
    CHECK(is_few(before, ROWS * element));
    memset(back, 0, sizeof back);
    before = sent();
    bupc_memget_fstrided(back, ROWS * element, ROWS * element, 1, there + 5, element, column, ROWS);
    CHECK(is_few(before, ROWS * element));
    for (int row = 0; row < ROWS; row++)
        CHECK(back[row] == block[row][5]);

    before = sent();
    bupc_memput_strided(there + 6, strides, &block[0][6], strides, count, 3);
    upc_fence;
    CHECK(is_few(before, 10 * ROWS * element));
    memset(back, 0, sizeof back);
    before = sent();
    bupc_memget_strided(back, packed, there + 6, strides, count, 3);
    CHECK(is_few(before, 10 * ROWS * element));
    for (int i = 0; i < 5; i++)
        for (int row = 0; row < ROWS; row++)
            for (int k = 0; k < 2; k++)
                CHECK(back[(i * ROWS + row) * 2 + k] == block[row][6 + 3 * i + k]);
}

/* Backwards, and of lengths that differ, so that no run is regular. */
static void lists(shared [] int *there)
{
    bupc_smemvec_t remote[ROWS];
    bupc_pmemvec_t mapped[1] = {{back, 0}}, from[1] = {{block, 0}};
    for (int i = 0; i < ROWS; i++) {
        remote[i].addr = there + (ROWS - 1 - i) * COLUMNS + i % 3;
        remote[i].len = sizeof(int) * (1 + i % 4);
        mapped[0].len += remote[i].len;
    }
    from[0].len = mapped[0].len;
    unsigned long long before = sent();
    bupc_waitsync(bupc_memput_vlist_async(ROWS, remote, 1, from));
    upc_fence;
    CHECK(is_few(before, mapped[0].len));
    memset(back, 0, sizeof back);
    before = sent();
    bupc_handle_t handle = bupc_memget_vlist_async(1, mapped, ROWS, remote);
    bupc_waitsync(handle);
    CHECK(is_few(before, mapped[0].len));
    CHECK(memcmp(back, block, mapped[0].len) == 0);
}

/* From one remote thread to another, by way of this one. */
static void between(void)
{
    int next = (MYTHREAD + 1) % THREADS, other = (MYTHREAD + 2) % THREADS;
    size_t column = COLUMNS * sizeof(int);
    for (int row = 0; row < ROWS; row++)
        matrix[next][row * COLUMNS + 3] = block[row][1];
    bupc_memcpy_fstrided(matrix[other] + 4, sizeof(int), column, ROWS, matrix[next] + 3, sizeof(int), column, ROWS);
    upc_fence;
    for (int row = 0; row < ROWS; row++)
        CHECK(matrix[other][row * COLUMNS + 4] == block[row][1]);
}

/* The addresses of all elements of a cyclic array, in the order of the array: those of each thread travel together. */
static void over_threads(void)
{
    shared void *places[64 * THREADS];
    for (int i = 0; i < 64 * THREADS; i++)
        places[i] = &cyclic[i];
    void *to[1] = {back};
    const void *from[1] = {block};
    unsigned long long before = sent();
    bupc_memput_ilist(64 * THREADS, places, sizeof(int), 1, from, sizeof(int) * 64 * THREADS);
    upc_fence;
    bupc_memget_ilist(1, to, sizeof(int) * 64 * THREADS, 64 * THREADS, (shared const void *const *)places, sizeof(int));
    CHECK(sent() - before <= 2 * (THREADS - 1));
    CHECK(memcmp(back, block, sizeof(int) * 64 * THREADS) == 0);
    for (int i = 0; i < 64 * THREADS; i++)
        CHECK(cyclic[i] == block[i / COLUMNS][i % COLUMNS]);
}

int main(void)
{
    matrix[MYTHREAD] = (shared [] int *)upc_alloc(sizeof block);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        block[i / COLUMNS][i % COLUMNS] = 7 * i + 1;
    for (int turn = 0; turn < THREADS; turn++) {
        upc_barrier;
        if (MYTHREAD == turn) {
            columns(matrix[(MYTHREAD + 1) % THREADS]);
            lists(matrix[(MYTHREAD + 1) % THREADS]);
            between();
            over_threads();
        }
    }
    upc_barrier;
    return pass();
}
