/*
 * ft: the Fourier transform of a matrix, in C with MPI; see naive.upc. The columns go round by an
 * exchange of all with all.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

#ifndef ROWS
#define ROWS 256 /* of each rank */
#endif
#ifndef COLS
#define COLS 512
#endif
#define ALL (ROWS * ranks)

static int rank, ranks;
static complex_t a[ROWS][COLS], packed[COLS][ROWS];
static complex_t *columns, *parts, *scratch, *row_roots, *column_roots;

/* The first column of a rank. */
static int first_of(int r) { return (int)((long)COLS * r / ranks); }

static void fill(void)
{
    int count = first_of(rank + 1) - first_of(rank);

    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            a[i][j] = value_at(rank * ROWS + i, j, ALL, COLS);
    row_roots = roots_of(COLS);
    column_roots = roots_of(ALL);
    columns = malloc(count * ALL * sizeof *columns);
    parts = malloc(count * ALL * sizeof *parts);
    scratch = malloc((ALL + COLS) * sizeof *scratch);
    /* As in openmp.c, the pages of a result exist before the clock starts. */
    memset(columns, 0, count * ALL * sizeof *columns);
    memset(parts, 0, count * ALL * sizeof *parts);
    memset(packed, 0, sizeof packed);
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
            right &= is_value(columns[j * ALL + i], i, first + j, ALL, COLS);
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
