/*
 * cg: the conjugate gradient method on a sparse matrix; a shared directory of blocks.
 *
 * Solves A x = b for the matrix of a heat equation on a SIDE x SIDE grid (4 on the diagonal,
 * plus an absorption; -1 for each neighbour), stored in compressed rows.  No block size fits a
 * distribution of rows over any number of threads, with a number of nonzeros that differs from
 * row to row.  So every thread allocates its own pieces (upc_alloc) and enters pointers to them
 * in a directory, a shared array of structures with one element for each thread: from there
 * anybody reaches any piece.
 *
 * Computation is local, through pointers-to-local.  Communication is of two kinds: before each
 * product a thread fetches all pieces of the direction vector (upc_memget), and each dot
 * product is a sum over a shared array.
 *
 *   upcc -o cg cg.upc -lm && ./cg -n 4
 *
 * prints "cg: OK (...)".
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define SIDE 30
#define N (SIDE * SIDE)
#define MAX_STEPS 500

/* What one thread owns: rows first .. first + rows - 1 of the matrix, and those elements of the vectors. */
typedef struct {
    int first;
    int rows;
    shared [] int *start;    /* row r has the nonzeros start[r] .. start[r + 1] - 1 */
    shared [] int *column;
    shared [] double *value;
    shared [] double *x;     /* the solution */
    shared [] double *p;     /* the direction */
} iov_t;

shared iov_t directory[THREADS];
shared double partial[2][THREADS]; /* of dot products; two sets, used in turn */

/* The same for this thread alone: pointers-to-local into its own piece, and private vectors. */
typedef struct {
    int first, rows;
    int *start, *column;
    double *value, *x, *p;
    double *r, *q;
    double *whole_p; /* all N elements of the direction */
} local_t;

static int first_row(int thread) { return (int)((long)N * thread / THREADS); }
static double rhs(int row) { return 1.0 + row % 7; }

static void *private_alloc(size_t n, size_t size)
{
    void *p = calloc(n + 1, size); /* never of size 0 */

    if (p == NULL) {
        printf("cg: FAILED (out of memory)\n");
        upc_global_exit(1);
    }
    return p;
}

/* Appends one nonzero. */
static int put_entry(local_t *me, int at, int column, double value)
{
    me->column[at] = column;
    me->value[at] = value;
    return at + 1;
}

static void build_rows(local_t *me)
{
    int i, n = 0;

    for (i = 0; i < me->rows; i++) {
        int row = me->first + i, y = row / SIDE, x = row % SIDE;

        me->start[i] = n;
        if (y > 0)
            n = put_entry(me, n, row - SIDE, -1.0);
        if (x > 0)
            n = put_entry(me, n, row - 1, -1.0);
        n = put_entry(me, n, row, 4.0 + 0.01 * (row % 5));
        if (x < SIDE - 1)
            n = put_entry(me, n, row + 1, -1.0);
        if (y < SIDE - 1)
            n = put_entry(me, n, row + SIDE, -1.0);
    }
    me->start[me->rows] = n;
}

/* Allocates the piece of this thread, publishes it and gives the local view of it. */
static local_t make_piece(void)
{
    shared iov_t *mine = &directory[MYTHREAD];
    local_t me;

    me.first = first_row(MYTHREAD);
    me.rows = first_row(MYTHREAD + 1) - me.first;

    mine->first = me.first;
    mine->rows = me.rows;
    mine->start = (shared [] int *)upc_alloc((me.rows + 1) * sizeof(int));
    mine->column = (shared [] int *)upc_alloc((5 * me.rows + 1) * sizeof(int));
    mine->value = (shared [] double *)upc_alloc((5 * me.rows + 1) * sizeof(double));
    mine->x = (shared [] double *)upc_alloc((me.rows + 1) * sizeof(double));
    mine->p = (shared [] double *)upc_alloc((me.rows + 1) * sizeof(double));
    if (mine->start == NULL || mine->column == NULL || mine->value == NULL || mine->x == NULL
        || mine->p == NULL) {
        printf("cg: FAILED (out of shared memory)\n");
        upc_global_exit(1);
    }

    me.start = (int *)mine->start;
    me.column = (int *)mine->column;
    me.value = (double *)mine->value;
    me.x = (double *)mine->x;
    me.p = (double *)mine->p;
    me.r = (double *)private_alloc(me.rows, sizeof(double));
    me.q = (double *)private_alloc(me.rows, sizeof(double));
    me.whole_p = (double *)private_alloc(N, sizeof(double));
    build_rows(&me);
    return me;
}

/*
 * The dot product of two distributed vectors; collective.  One barrier is enough because the sums
 * of two successive calls go to different places, and nobody comes to the next call but one before
 * everybody has come to the next, and so has read the sums of this one.
 */
static double dot(int n, const double *u, const double *v)
{
    static int turn = 0;
    double sum = 0.0;
    int i, t;

    for (i = 0; i < n; i++)
        sum += u[i] * v[i];
    partial[turn][MYTHREAD] = sum;
    upc_barrier;
    sum = 0.0;
    for (t = 0; t < THREADS; t++)
        sum += partial[turn][t]; /* in the same order everywhere: the same result everywhere */
    turn = 1 - turn;
    return sum;
}

/* q = A p for the rows of this thread; collective. */
static void multiply(local_t *me)
{
    int t, i, k;

    upc_barrier; /* p is complete */
    for (t = 0; t < THREADS; t++)
        upc_memget(me->whole_p + directory[t].first, directory[t].p,
                   directory[t].rows * sizeof(double));
    for (i = 0; i < me->rows; i++) {
        double sum = 0.0;
        for (k = me->start[i]; k < me->start[i + 1]; k++)
            sum += me->value[k] * me->whole_p[me->column[k]];
        me->q[i] = sum;
    }
    /* Nobody changes p before the barrier in the dot product that follows. */
}

/* Gives the number of steps. */
static int solve(local_t *me)
{
    double rho, target;
    int i, step;

    for (i = 0; i < me->rows; i++) {
        me->x[i] = 0.0;
        me->r[i] = me->p[i] = rhs(me->first + i);
    }
    rho = dot(me->rows, me->r, me->r);
    target = rho * 1e-24;
    for (step = 0; step < MAX_STEPS && rho > target; step++) {
        double alpha, beta, next;

        multiply(me);
        alpha = rho / dot(me->rows, me->p, me->q);
        for (i = 0; i < me->rows; i++) {
            me->x[i] += alpha * me->p[i];
            me->r[i] -= alpha * me->q[i];
        }
        next = dot(me->rows, me->r, me->r);
        beta = next / rho;
        rho = next;
        for (i = 0; i < me->rows; i++)
            me->p[i] = me->r[i] + beta * me->p[i];
    }
    return step;
}

#pragma pupc off /* events of the check would hide those of the work */
/* Element `row` of the solution, wherever it is: from directory to piece, from piece to element. */
static double solution(int row)
{
    int t = 0;

    while (row >= directory[t].first + directory[t].rows)
        t++;
    return directory[t].x[row - directory[t].first];
}

/* On one thread: the largest element of b - A x, with matrix and solution read from where they are. */
static double residual(void)
{
    double worst = 0.0;
    int t, i, k;

    for (t = 0; t < THREADS; t++) {
        iov_t piece = directory[t]; /* a copy of the structure; its pointers still point to thread t */

        for (i = 0; i < piece.rows; i++) {
            double rest = rhs(piece.first + i);
            for (k = piece.start[i]; k < piece.start[i + 1]; k++)
                rest -= piece.value[k] * solution(piece.column[k]);
            worst = fmax(worst, fabs(rest));
        }
    }
    return worst;
}
#pragma pupc on

int main(void)
{
    local_t me = make_piece();
    iov_t mine;
    int steps;

    upc_barrier; /* the directory is complete */
    steps = solve(&me);
    upc_barrier; /* the solution is complete */

    if (MYTHREAD == 0) {
        double worst = residual();

        if (!(worst < 1e-8)) {
            printf("cg: FAILED (residual %g after %d steps)\n", worst, steps);
            upc_global_exit(1);
        }
        printf("cg: OK (%d unknowns, %d steps, residual below 1e-8)\n", N, steps);
    }

    upc_barrier; /* thread 0 has read everything */
    mine = directory[MYTHREAD];
    upc_free(mine.start);
    upc_free(mine.column);
    upc_free(mine.value);
    upc_free(mine.x);
    upc_free(mine.p);
    free(me.r);
    free(me.q);
    free(me.whole_p);
    return 0;
}
