/*
 * ft: the Fourier transform of a matrix: of all rows, and then of all columns of the result.
 *
 * Tuned by hand: each thread transforms its rows in place, and packs for each thread the columns
 * that that one transforms. It gets the parts of its own columns from all threads by one transfer
 * each.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#ifndef ROWS
#define ROWS 256 /* of each thread */
#endif
#ifndef COLS
#define COLS 512
#endif
#define ALL (ROWS * THREADS)

typedef struct { double re, im; } complex_t;

static complex_t times(complex_t a, complex_t b)
{
    return (complex_t){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static complex_t plus(complex_t a, complex_t b)
{
    return (complex_t){a.re + b.re, a.im + b.im};
}

static complex_t root_of(double part)
{
    return (complex_t){cos(2 * acos(-1) * part), -sin(2 * acos(-1) * part)};
}

static int factor_of(int n)
{
    int p = 2;

    while (n % p != 0)
        p++;
    return p;
}

/* Makes p transforms of length n / p to one, with the roots of order n. */
static void combine(complex_t *line, complex_t *scratch, const complex_t *root, int n, int p)
{
    int m = n / p;

    for (int k = 0; k < n; k++) {
        complex_t sum = line[k % m];
        for (int part = 1; part < p; part++)
            sum = plus(sum, times(line[part * m + k % m], root[(long)k * part % n]));
        scratch[k] = sum;
    }
    memcpy(line, scratch, n * sizeof *line);
}

/* The Fourier transform of a line of length n, for every n: fast for products of small numbers. */
static void transform(complex_t *line, complex_t *scratch, const complex_t *root, int n)
{
    if (n == 1)
        return;
    int p = factor_of(n), m = n / p;
    for (int part = 0; part < p; part++)
        for (int k = 0; k < m; k++)
            scratch[part * m + k] = line[k * p + part];
    memcpy(line, scratch, n * sizeof *line);
    for (int part = 0; part < p; part++)
        transform(line + part * m, scratch, root + n, m);
    combine(line, scratch, root, n, p);
}

/* The roots of order n, of the order of its parts, and so on. */
static complex_t *roots_of(int n)
{
    complex_t *all = malloc(2 * n * sizeof *all), *root = all;

    for (; n > 1; root += n, n /= factor_of(n))
        for (int k = 0; k < n; k++)
            root[k] = root_of((double)k / n);
    return all;
}

shared [ROWS * COLS] complex_t a[ROWS * THREADS][COLS], packed[COLS][ROWS * THREADS];
static complex_t *columns, *part, *scratch, *row_roots, *column_roots;

/* Two plane waves, whose transform has two elements other than 0. */
static complex_t value_at(int i, int j)
{
    complex_t one = root_of(-3.0 * i / ALL - 5.0 * j / COLS);
    complex_t other = root_of(1.0 * i / ALL - 7.0 * j / COLS);

    return plus(one, times((complex_t){0.5, 0}, other));
}

static int is_value(complex_t found, int i, int j)
{
    double wanted = i == 3 && j == 5 ? 1 : i == ALL - 1 && j == 7 ? 0.5 : 0;
    double size = (double)ALL * COLS;

    return fabs(found.re - wanted * size) < 1e-9 * size && fabs(found.im) < 1e-9 * size;
}

/* The first column of a thread. */
static int first_of(int thread) { return (int)((long)COLS * thread / THREADS); }

static void fill(void)
{
    int count = first_of(MYTHREAD + 1) - first_of(MYTHREAD);

    for (int i = MYTHREAD * ROWS; i < (MYTHREAD + 1) * ROWS; i++)
        for (int j = 0; j < COLS; j++)
            a[i][j] = value_at(i, j);
    row_roots = roots_of(COLS);
    column_roots = roots_of(ALL);
    columns = malloc(count * ALL * sizeof *columns);
    part = malloc(count * ROWS * sizeof *part);
    scratch = malloc((ALL + COLS) * sizeof *scratch);
    upc_barrier;
}

/* Writes the columns one behind the other, so that those of a thread are together. */
static void pack(void)
{
    complex_t(*mine)[COLS] = (complex_t(*)[COLS])&a[MYTHREAD * ROWS][0];
    shared [ROWS * COLS] complex_t *start = &packed[0][0] + (long)MYTHREAD * ROWS * COLS;
    complex_t *to = (complex_t *)start;

    for (int j = 0; j < COLS; j++)
        for (int i = 0; i < ROWS; i++)
            to[j * ROWS + i] = mine[i][j];
}

static void get_columns(void)
{
    int first = first_of(MYTHREAD), count = first_of(MYTHREAD + 1) - first;

    for (int n = 0; n < THREADS; n++) {
        int t = (MYTHREAD + n) % THREADS;
        shared [ROWS * COLS] complex_t *from = &packed[0][0] + (long)t * ROWS * COLS;
        upc_memget(part, from + first * ROWS, count * ROWS * sizeof *part);
        for (int j = 0; j < count; j++)
            memcpy(columns + j * ALL + t * ROWS, part + j * ROWS, ROWS * sizeof *part);
    }
}

static void transform_all(void)
{
    complex_t(*mine)[COLS] = (complex_t(*)[COLS])&a[MYTHREAD * ROWS][0];
    int count = first_of(MYTHREAD + 1) - first_of(MYTHREAD);

    for (int i = 0; i < ROWS; i++)
        transform(mine[i], scratch, row_roots, COLS);
    pack();
    upc_barrier;
    get_columns();
    for (int j = 0; j < count; j++)
        transform(columns + j * ALL, scratch, column_roots, ALL);
}

static int is_right(void)
{
    int first = first_of(MYTHREAD), count = first_of(MYTHREAD + 1) - first, right = 1;

    for (int j = 0; j < count; j++)
        for (int i = 0; i < ALL; i++)
            right &= is_value(columns[j * ALL + i], i, first + j);
    return right;
}

int main(void)
{
    fill();
    upc_tick_t start = upc_ticks_now();
    transform_all();
    upc_barrier;
    double seconds = upc_ticks_to_ns(upc_ticks_now() - start) / 1e9;
    if (!is_right()) {
        printf("ft %.6f WRONG\n", seconds);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("ft %.6f OK\n", seconds);
    return 0;
}
