/*
 * ft: what all forms have in common: the transform of a line, and the matrix with its result.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Two plane waves, whose transform has two elements other than 0. */
static complex_t value_at(int i, int j, int rows, int columns)
{
    complex_t one = root_of(-3.0 * i / rows - 5.0 * j / columns);
    complex_t other = root_of(1.0 * i / rows - 7.0 * j / columns);

    return plus(one, times((complex_t){0.5, 0}, other));
}

static int is_value(complex_t found, int i, int j, int rows, int columns)
{
    double wanted = i == 3 && j == 5 ? 1 : i == rows - 1 && j == 7 ? 0.5 : 0;
    double size = (double)rows * columns;

    return fabs(found.re - wanted * size) < 1e-9 * size && fabs(found.im) < 1e-9 * size;
}
