// question: do pointers-to-shared to arrays of run-time length step by the length that C evaluated, wherever such a type is declared?
// threads: 1 2 3 4
#include "check.h"
#include <stdlib.h>

enum { MOST = 24, WIDTH = 12 };
shared [3] int flat[MOST * WIDTH * THREADS];
shared int cyclic[MOST * WIDTH * THREADS];
shared [] long one[MOST * WIDTH];

static int evaluated;

static int noted(int n)
{
    evaluated++;
    return n;
}

#define LEFT(m) (MOST * WIDTH * THREADS / (m))

static void pointers(int m)
{
    shared [3] int (*p)[m] = (shared [3] int (*)[m])flat;
    shared [3] int (*q)[m] = p + 2;

    for (int i = 0; i < LEFT(m); i++)
        for (int j = 0; j < m; j++) {
            CHECK(&p[i][j] == &flat[i * m + j]);
            CHECK(upc_phaseof(&p[i][j]) == (size_t)(i * m + j) % 3);
            CHECK(upc_threadof(p[i] + j) == upc_threadof(&flat[i * m + j]));
        }
    CHECK(q - p == 2);
    CHECK(&q[-1][0] == &flat[m]);
    CHECK(sizeof *p == m * sizeof(int));
    CHECK(sizeof p[0] / sizeof p[0][0] == (size_t)m);
    CHECK(upc_blocksizeof(*p) == 3 && upc_elemsizeof(*p) == sizeof(int));
    q++;
    CHECK(q == p + 3 && --q == p + 2);
    q -= 2;
    CHECK(q == p && (q += 1) == &p[1]);
    CHECK((shared [3] int *)*(p + 1) == flat + m);
}

/* The length keeps the value it had when the declaration was reached. */
static void kept(int m)
{
    shared int (*p)[m] = (shared int (*)[m])cyclic;
    typedef shared int row[m];
    int old = m;

    m = 1;
    row *r = (row *)cyclic;
    CHECK(&p[2][1] == &cyclic[2 * old + 1]);
    CHECK(&r[3][1] == &cyclic[3 * old + 1]);
    CHECK(sizeof(row) == old * sizeof(int) && sizeof *r == sizeof *p);
    for (int n = 2; n < 6; n++) {
        shared int (*each)[n] = (shared int (*)[n])cyclic;
        row *same = (row *)cyclic;
        CHECK(each + 3 == (shared int (*)[n])(cyclic + 3 * n));
        CHECK(&same[1][0] == &cyclic[old]);
    }
}

/* Dimensions that are constant, known at run time, and THREADS. */
static void dimensions(int a, int b)
{
    shared [3] int (*p)[a][b][2] = (shared [3] int (*)[a][b][2])flat;
    shared [3] int (*q)[4][b] = (shared [3] int (*)[4][b])flat;
    shared [3] int (*r)[a][3] = (shared [3] int (*)[a][3])flat;
    shared [] long (*s)[a] = (shared [] long (*)[a])one;

    CHECK(&p[1][a - 1][b - 1][1] == &flat[2 * (2 * a * b) - 1]);
    CHECK(&p[0][1][0][1] == &flat[2 * b + 1]);
    CHECK(&q[1][2][1] == &flat[4 * b + 2 * b + 1]);
    CHECK(&r[2][1][2] == &flat[2 * (3 * a) + 3 + 2]);
    CHECK(sizeof *p == 2 * a * b * sizeof(int) && sizeof p[0][0] == 2 * b * sizeof(int));
    CHECK(sizeof *q == 4 * b * sizeof(int) && sizeof *r == 3 * a * sizeof(int));
    CHECK(&s[3][1] == &one[3 * a + 1]);
    CHECK(upc_localsizeof(*s) == a * sizeof(long));
    CHECK(upc_localsizeof(*q) == (((size_t)4 * b + 2) / 3 + THREADS - 1) / THREADS * 3 * sizeof(int));
}

/* Each size expression is evaluated once, where C evaluates it. */
static void effects(int m)
{
    evaluated = 0;
    shared int (*p)[noted(m)] = (shared int (*)[noted(m)])cyclic;
    CHECK(evaluated == 2);
    CHECK(&p[1][0] == &cyclic[m] && evaluated == 2);
    CHECK(sizeof(shared int[noted(m)]) == m * sizeof(int) && evaluated == 3);
    CHECK(&((shared int (*)[noted(m)])cyclic)[2][1] == &cyclic[2 * m + 1] && evaluated == 4);
    for (int i = 0; i < 3; i++) {
        shared int (*q)[noted(m + i)] = (shared int (*)[m + i])cyclic;
        CHECK(q[1] == cyclic + m + i);
    }
    CHECK(evaluated == 7);
    int n = m, k = 1;
    shared int (*r)[n++], (*t)[n++];
    r = (shared int (*)[m])cyclic;
    t = (shared int (*)[m + 1])cyclic;
    CHECK(n == m + 2 && &r[k++][0] == &cyclic[m] && &t[k++][0] == &cyclic[2 * (m + 1)] && k == 3);
    CHECK(sizeof(*(&t[k++])) == (m + 1) * sizeof(int));
}

static int by_parameter(int m, shared [3] int p[][m], shared [3] int (*q)[m + 1])
{
    return &p[2][1] == &flat[2 * m + 1] && &q[2][1] == &flat[2 * (m + 1) + 1] && sizeof *p == m * sizeof(int);
}

static int in_old_style(m, p)
    int m;
    shared [3] int (*p)[m];
{
    m = 0;
    return p[1] - (shared [3] int *)flat;
}

static int by_prototype(int, shared int (*)[*]);
static int by_prototype(int m, shared int (*p)[m]);
static int by_prototype(int m, shared int (*p)[m])
{
    m++;
    return p[2] == cyclic + 2 * (m - 1);
}

static shared int (*of_result(int m, shared int *p))[WIDTH]
{
    shared int (*rows)[m] = (shared int (*)[m])p;
    return (shared int (*)[WIDTH])rows[1];
}

/* Jumps into the scope of no such declaration, loops, switches and goto around them. */
static int jumps(int m)
{
    int rounds = 0, sum = 0;

again:
    {
        int n = m + rounds;
        shared int (*p)[n] = (shared int (*)[n])cyclic;
        if (p[1] != cyclic + m + rounds)
            return -1;
        sum += p + 1 - p;
        if (++rounds < 3)
            goto again;
    }
    switch (m) {
    default: {
        shared int (*p)[m] = (shared int (*)[m])cyclic;
        sum += p[2] == cyclic + 2 * m;
    }
    }
    return sum;
}

static void values(int m)
{
    shared [3] int (*p)[m] = (shared [3] int (*)[m])flat;

    for (int i = 0; i < LEFT(m); i++)
        upc_forall (int j = 0; j < m; j++; &p[i][j])
            p[i][j] = 100 * i + j;
    upc_barrier;
    long sum = 0, expected = 0;
    for (int i = 0; i < LEFT(m); i++)
        for (int j = 0; j < m; j++) {
            sum += p[i][j];
            expected += 100 * i + j;
        }
    CHECK(sum == expected);
    for (int k = 0; k < LEFT(m) * m; k++)
        CHECK(flat[k] == 100 * (k / m) + k % m);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        for (shared [3] int (*q)[m] = p; q < p + LEFT(m); q++)
            (*q)[m - 1] += m, (*q)[0]++;
    }
    upc_barrier;
    for (int i = 0; i < LEFT(m); i++)
        CHECK(p[i][m - 1] == 100 * i + m - 1 + m + (m == 1) && p[i][0] == 100 * i + (m == 1 ? m : 0) + 1);
    upc_barrier;
}

static void expressions(int m)
{
    shared int (*p)[m] = (shared int (*)[m])cyclic, (*q)[m] = p + 1;
    shared int (*none)[m] = 0;
    shared int (*table[3])[m];
    struct { shared int (*to)[WIDTH]; } fixed = { (shared int (*)[WIDTH])p };
    __typeof__(p) same = p;
    __typeof__(*p) *again = q;

    for (int i = 0; i < 3; i++)
        table[i] = p + i;
    CHECK(table[2] - table[0] == 2 && table[1] == q);
    CHECK(!none && (m ? p : none) == p && (m ? q : 0)[1] == cyclic + 2 * m);
    CHECK(&same[1] == again && (none = p, none)[1] == *q);
    CHECK(*fixed.to == *p);
    CHECK(({ shared int (*inner)[m + 1] = (shared int (*)[m + 1])cyclic; inner[1] - cyclic; }) == m + 1);
    CHECK(upc_addrfield(p + 1) == upc_addrfield(&cyclic[m]) && upc_resetphase(p) == p);
    __typeof__(*p) private_row, another;
    private_row[m - 1] = another[0] = 1;
    CHECK(sizeof private_row == m * sizeof(int) && private_row[m - 1] == another[0]);
    shared int (*pair[2])[m] = { p, q }, (*(*to_pair)[2])[m] = &pair;
    CHECK((*to_pair)[1] == p + 1);
    __auto_type deduced = q + 1;
    CHECK(deduced[-2] == *p);
    shared void *any = p + 1;
    CHECK((shared int (*)[m])any == q);
}

/* Pointers to private arrays of run-time length in arrays: not of variable length themselves. */
static void private_pointers(int m)
{
    int rows[4][m], (*table[2])[m] = { rows, rows + 1 };
    static int (*lasting[2])[m];

    lasting[0] = rows + MYTHREAD % 4;
    CHECK(table[1] - table[0] == 1 && lasting[0] == &rows[MYTHREAD % 4] && sizeof table == 2 * sizeof(void *));
    CHECK(((int (*[])[m]){ rows, rows + 2 })[1] == &rows[2]);
}

int main(void)
{
    for (int m = 1; m <= WIDTH; m++) {
        pointers(m);
        kept(m + 1);
        dimensions(1 + m % 4, 1 + m % 3);
        effects(m + 1);
        CHECK(by_parameter(m, (shared [3] int (*)[m])flat, (shared [3] int (*)[m + 1])flat));
        CHECK(in_old_style(m, (shared [3] int (*)[m])flat) == m);
        CHECK(by_prototype(m, (shared int (*)[m])cyclic));
        CHECK(*of_result(m, cyclic) == cyclic + m);
        CHECK(jumps(m) == 4);
        values(m);
        expressions(m + 1);
        private_pointers(m);
    }
    return pass();
}
