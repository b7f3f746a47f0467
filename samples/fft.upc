/*
 * fft: one large Fourier transform; the transpose method.
 *
 * A transform of length N = M * M, seen as a matrix of M x M, needs only transforms of rows,
 * which are local, and transposes, which are where the threads exchange data:
 *   transpose; transform the rows; multiply by twiddle factors;
 *   transpose; transform the rows; transpose
 * gives the result in natural order.
 *
 * The matrices come from upc_all_alloc, with M / BAND blocks of BAND rows.  Unlike in a
 * declaration, the number of blocks need not be a multiple of THREADS, nor the block size
 * depend on it: any number of threads can share any size.  A thread turns the columns that its
 * band of rows becomes into pieces of rows of the target and sends each with one upc_memput.
 *
 *   upcc -o fft fft.upc -lm && ./fft -n 4
 *
 * prints "fft: OK (...)".
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <upc_relaxed.h>

#define M 64          /* a power of two */
#define BAND 4        /* rows in a block; divides M */
#define N (M * M)
#define PROBES 8      /* frequencies compared with the definition */
#define PI 3.14159265358979323846

typedef struct {
    double re, im;
} complex_t;

typedef shared [BAND * M] complex_t *matrix_t; /* element (i, j) is m[i * M + j] */

shared double worst[THREADS];

static double random_unit(uint64_t i)
{
    uint64_t z = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static complex_t signal_at(int n)
{
    complex_t c = {random_unit(2 * (uint64_t)n) - 0.5, random_unit(2 * (uint64_t)n + 1) - 0.5};
    return c;
}

/* exp(2 pi i k / n) */
static complex_t root(long k, long n)
{
    double angle = 2.0 * PI * (double)(k % n) / (double)n;
    complex_t c = {cos(angle), sin(angle)};
    return c;
}

static complex_t times(complex_t a, complex_t b)
{
    complex_t c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return c;
}

/* In place, on private memory, M elements; sign is -1 for forward, +1 for backward. */
static void transform_row(complex_t *row, int sign)
{
    int i, j, bit, half;

    for (i = 1, j = 0; i < M; i++) { /* bit reversal: j runs through 0 .. M - 1 with its bits reversed */
        for (bit = M >> 1; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            complex_t t = row[i];
            row[i] = row[j];
            row[j] = t;
        }
    }
    for (half = 1; half < M; half *= 2)
        for (j = 0; j < half; j++) {
            complex_t w = root(j, 2 * half);
            w.im *= sign;
            for (i = j; i < M; i += 2 * half) {
                complex_t a = row[i], b = times(w, row[i + half]);
                row[i].re = a.re + b.re;
                row[i].im = a.im + b.im;
                row[i + half].re = a.re - b.re;
                row[i + half].im = a.im - b.im;
            }
        }
}

/* to = from transposed; collective.  On return all of `to` is there, and `from` may be written. */
static void transpose(matrix_t to, matrix_t from)
{
    complex_t piece[BAND];
    int band, i, j;

    upc_forall (band = 0; band < M / BAND; band++; &from[band * BAND * M]) {
        const complex_t *rows = (const complex_t *)&from[band * BAND * M];

        for (j = 0; j < M; j++) {
            for (i = 0; i < BAND; i++)
                piece[i] = rows[i * M + j];
            upc_memput(&to[j * M + band * BAND], piece, sizeof piece);
        }
    }
    upc_barrier;
}

/* Transforms the rows this thread owns. */
static void transform_rows(matrix_t m, int sign)
{
    int i;

    upc_forall (i = 0; i < M; i++; &m[i * M])
        transform_row((complex_t *)&m[i * M], sign);
}

/* Element (i, j) times exp(sign 2 pi i i j / N), for the rows this thread owns. */
static void twiddle(matrix_t m, int sign)
{
    int i, j;

    upc_forall (i = 0; i < M; i++; &m[i * M]) {
        complex_t *row = (complex_t *)&m[i * M];
        for (j = 0; j < M; j++) {
            complex_t w = root((long)i * j, N);
            w.im *= sign;
            row[j] = times(w, row[j]);
        }
    }
}

/* The transform of `a`, left in `b`; `a` is used as work space.  Collective; `a` must be complete. */
static void transform(matrix_t a, matrix_t b, int sign)
{
    transpose(b, a);
    transform_rows(b, sign);
    twiddle(b, sign);
    transpose(a, b); /* sends only rows this thread owns, so no barrier before it */
    transform_rows(a, sign);
    transpose(b, a);
}

/* How far b[k] is from the definition: the sum over n of the signal times exp(-2 pi i n k / N). */
static double probe(matrix_t b, int k)
{
    complex_t sum = {0.0, 0.0}, found = b[k];
    int n;

    for (n = 0; n < N; n++) {
        complex_t w = root((long)n * k, N), term;
        w.im = -w.im;
        term = times(signal_at(n), w);
        sum.re += term.re;
        sum.im += term.im;
    }
    return hypot(found.re - sum.re, found.im - sum.im);
}

int main(void)
{
    matrix_t a = (matrix_t)upc_all_alloc(M / BAND, BAND * M * sizeof(complex_t));
    matrix_t b = (matrix_t)upc_all_alloc(M / BAND, BAND * M * sizeof(complex_t));
    double error = 0.0;
    int i, t;

    if (a == NULL || b == NULL) {
        printf("fft: FAILED (out of shared memory)\n");
        upc_global_exit(1);
    }

    upc_forall (i = 0; i < N; i++; &a[i])
        a[i] = signal_at(i);
    upc_barrier;

    transform(a, b, -1);
    upc_forall (i = 0; i < PROBES; i++; i)
        error = fmax(error, probe(b, (i * 577 + 1) % N));
    upc_barrier; /* b has been read */

    transform(b, a, +1); /* and back: N times the signal */
    upc_forall (i = 0; i < N; i++; &a[i]) {
        complex_t was = signal_at(i), is = a[i];
        error = fmax(error, hypot(is.re / N - was.re, is.im / N - was.im));
    }
    worst[MYTHREAD] = error;
    upc_barrier;

    if (MYTHREAD == 0) {
        for (t = 0; t < THREADS; t++)
            error = fmax(error, worst[t]);
        if (!(error < 1e-9)) {
            printf("fft: FAILED (off by %g)\n", error);
            upc_global_exit(1);
        }
        printf("fft: OK (%d points, error below 1e-9)\n", N);
    }
    upc_all_free(a);
    upc_all_free(b);
    return 0;
}

/* The events that all threads together raise. Tests compare them with a profile. */
// counts: UPC_ALL_ALLOC=2*THREADS, UPC_FREE=2*THREADS, UPC_MEMPUT=6144
