// question: typedefs of shared types: qualifiers and layouts reach the element through arrays, pointers and other typedefs
// counts: UPC_BARRIER=2*THREADS, UPC_PUT=9, UPC_GET=8*THREADS+2
#include "check.h"

typedef shared int sint;
typedef shared [4] double sblock;
typedef sint *psint;
typedef const sint csint;
typedef int vec[6];
typedef shared [3] vec svec;
typedef strict shared int flag_t;
typedef struct node { int v; shared struct node *next; } node_t;
typedef shared node_t snode;
typedef sint sarray[3 * THREADS];

sint x;
sblock b[8 * THREADS];
svec m[2 * THREADS];
flag_t flag;
sint cyclic[5 * THREADS];
sarray by_typedef;
snode nodes[2 * THREADS];
psint shared hidden;

static psint find(psint from, int n) { return &from[n]; }

int main(void)
{
    int i;
    psint p = cyclic;
    csint *cp = p;
    sblock *bp = b + 5;
    shared [3] int (*rows)[6] = m;
    CHECK(upc_blocksizeof(b) == 4 && upc_blocksizeof(m) == 3 && upc_elemsizeof(m) == sizeof(int) && upc_blocksizeof(sblock) == 4);
    CHECK(upc_phaseof(bp) == 1 && upc_threadof(bp) == 1 % THREADS && sizeof(by_typedef) == 3 * THREADS * sizeof(int));
    if (MYTHREAD == THREADS - 1) {
        x = 4;
        flag = 2;
        b[5] = 2.5;
        m[1][2] = 8;
        nodes[0].next = &nodes[1];
        nodes[0].next->v = 12;
        hidden = find(p, 3);
        *hidden = 31;
        by_typedef[2] = 1;
    }
    upc_barrier;
    CHECK(x == 4 && flag == 2 && *bp == 2.5 && rows[1][2] == 8 && nodes[1].v == 12 && cyclic[3] == 31 && cp[3] == 31 && by_typedef[2] == 1);
    for (i = 0; i < 12 * THREADS; i++)
        CHECK(upc_threadof(&m[i / 6][i % 6]) == i / 3 % THREADS && upc_phaseof(&m[i / 6][i % 6]) == i % 3);
    return pass();
}
