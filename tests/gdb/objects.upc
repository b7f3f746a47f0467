/* What the gdb suite looks at: shared objects and pointers-to-shared of many types. Run with 4 threads. */
#include <stdio.h>
#include <upc_relaxed.h>

typedef struct point {
    int x, y;
    shared struct point *next;
} point_t;

typedef shared [2] int *pair_ptr;

enum color { RED, GREEN, BLUE };

struct mixed {
    char name[8];
    double weights[3];
    struct { short a, b; } inner;
    enum color color;
    unsigned flag : 3;
};

shared int cyclic[3 * THREADS];
shared [2] int pairs[4 * THREADS];
shared [] double one_thread[6];
shared [3] short grid[2 * THREADS][3];
shared [*] long blocks[2 * THREADS];
shared int scalar;
shared point_t points[THREADS];
shared struct mixed mixed[THREADS];
shared [2] int *shared chain;
shared void *generic;
static shared char letters[2 * THREADS];

int private_global = 7;
static pair_ptr cursor;

static int watched(int depth, shared [2] int *walk)
{
    static shared int inside[THREADS];
    static shared int *hidden = &cyclic[5];
    static int calls;
    shared [2] int *next = walk + 1;
    shared int *none = NULL;
    shared [3] short (*row)[3] = &grid[1];
    point_t here = {depth, MYTHREAD, &points[1]};
    int local[3] = {10, 20, 30 + MYTHREAD};
    shared [] double *plain = &one_thread[2];
    shared const char *letter = &letters[3];

    calls++;
    inside[MYTHREAD] = 1000 + MYTHREAD;
    upc_barrier 1;
    return depth + local[1] + here.x + (next == NULL) + (none == NULL) + calls + (*row)[1] + (int)*plain + *letter + *hidden; /* stop */
}

int main(void)
{
    int i, j;

    upc_forall (i = 0; i < 3 * THREADS; i++; i)
        cyclic[i] = 100 + i;
    upc_forall (i = 0; i < 4 * THREADS; i++; &pairs[i])
        pairs[i] = 200 + i;
    upc_forall (i = 0; i < 2 * THREADS; i++; i) {
        letters[i] = 'a' + i;
        for (j = 0; j < 3; j++)
            grid[i][j] = 10 * i + j;
    }
    blocks[2 * MYTHREAD] = -MYTHREAD;
    points[MYTHREAD].x = MYTHREAD;
    points[MYTHREAD].y = 10 * MYTHREAD;
    points[MYTHREAD].next = &points[(MYTHREAD + 1) % THREADS];
    mixed[MYTHREAD].weights[1] = 0.5 + MYTHREAD;
    mixed[MYTHREAD].inner.b = 42;
    mixed[MYTHREAD].color = BLUE;
    mixed[MYTHREAD].flag = 5;
    upc_memput(&mixed[MYTHREAD].name[0], "gdb", 4);
    if (MYTHREAD == 0) {
        scalar = 17;
        chain = &pairs[5];
        for (i = 0; i < 6; i++)
            one_thread[i] = i + 0.25;
    }
    cursor = &pairs[3];
    generic = cursor;
    upc_barrier;
    i = watched(1, cursor);
    upc_barrier;
    printf("%d\n", i);
    return 0;
}
