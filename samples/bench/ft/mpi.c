/*
 * ft: the Fourier transform of a matrix, in C with MPI; see naive.upc. The columns go round by an
 * exchange of all with all.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ROWS
#define ROWS 256 /* of each rank */
#endif
#ifndef COLS
#define COLS 512
#endif
#define ALL (ROWS * ranks)

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

static int rank, ranks;
static complex_t a[ROWS][COLS], packed[COLS][ROWS];
static complex_t *columns, *parts, *scratch, *row_roots, *column_roots;

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

/* The first column of a rank. */
static int first_of(int r) { return (int)((long)COLS * r / ranks); }

static void fill(void)
{
    int count = first_of(rank + 1) - first_of(rank);

    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            a[i][j] = value_at(rank * ROWS + i, j);
    row_roots = roots_of(COLS);
    column_roots = roots_of(ALL);
    columns = malloc(count * ALL * sizeof *columns);
    parts = malloc(count * ALL * sizeof *parts);
    scratch = malloc((ALL + COLS) * sizeof *scratch);
}

static void exchange(void)
{
    int first = first_of(rank), count = first_of(rank + 1) - first;
    int *sizes = malloc(4 * ranks * sizeof *sizes), *starts = sizes + ranks;
    int *arriving = starts + ranks, *places = arriving + ranks, each = sizeof(complex_t) * ROWS;

    for (int r = 0; r < ranks; r++) {
        sizes[r] = (first_of(r + 1) - first_of(r)) * each;
        starts[r] = first_of(r) * each;
        arriving[r] = count * each;
        places[r] = r * count * each;
    }
    MPI_Alltoallv(packed, sizes, starts, MPI_BYTE, parts, arriving, places, MPI_BYTE,
                  MPI_COMM_WORLD);
    for (int r = 0; r < ranks; r++)
        for (int j = 0; j < count; j++)
            memcpy(columns + j * ALL + r * ROWS, parts + (r * count + j) * ROWS, each);
    free(sizes);
}

static void transform_all(void)
{
    int count = first_of(rank + 1) - first_of(rank);

    for (int i = 0; i < ROWS; i++)
        transform(a[i], scratch, row_roots, COLS);
    for (int j = 0; j < COLS; j++)
        for (int i = 0; i < ROWS; i++)
            packed[j][i] = a[i][j];
    exchange();
    for (int j = 0; j < count; j++)
        transform(columns + j * ALL, scratch, column_roots, ALL);
}

static int is_right(void)
{
    int first = first_of(rank), count = first_of(rank + 1) - first, right = 1;

    for (int j = 0; j < count; j++)
        for (int i = 0; i < ALL; i++)
            right &= is_value(columns[j * ALL + i], i, first + j);
    return right;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    fill();
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    transform_all();
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;
    int right = is_right(), right_everywhere = 0;
    MPI_Reduce(&right, &right_everywhere, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("ft %.6f %s\n", seconds, right_everywhere ? "OK" : "WRONG");
    MPI_Bcast(&right_everywhere, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return !right_everywhere;
}
