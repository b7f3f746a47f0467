/* Hot loops as emitted code has them. run.sh looks at their instructions: with static THREADS a power of two there must be no
   call and no division in any, and the last two must be vectorised. */
#include "upcr/upcr.h"

UPCR_PROGRAM_THREADS(UPCR_STATIC_THREADS);
UPCR_SHARED_EXTERN(a);
UPCR_SHARED_DEFINE(a, 400000, 8);
UPCR_SHARED_EXTERN(b);
UPCR_SHARED_DEFINE(b, 400000, 8);

double loop_cyclic(long n)
{
    double sum = 0;
    long i;
    for (i = UPCR_MYTHREAD; i < n; i += UPCR_THREADS)
        sum += UPCR_GET0(double, upcr_at1(UPCR_STATIC(a), i, 8));
    return sum;
}

void loop_blocked(long n)
{
    long i;
    for (i = 0; i < n; i++)
        UPCR_PUT0(double, upcr_atb0(UPCR_STATIC(b), i, 8, 16), 2 * UPCR_GET(double, upcr_atb(UPCR_STATIC(a), i, 8, 16)));
}

double loop_walk(upcr_pts_t p, upcr_pts_t end)
{
    double sum = 0;
    for (; !upcr_eq(p, end); p = upcr_addb(p, 1, 8, 32))
        sum += UPCR_GET(double, p);
    return sum;
}

double loop_stride(upcr_pts_t p, long n)
{
    double sum = 0;
    while (upcr_diff1(p, UPCR_STATIC(a), 8) < n) {
        sum += UPCR_GET0(double, p);
        p = upcr_add1(p, UPCR_THREADS, 8);
    }
    return sum;
}

void vector_copy(upcr_pts_t p, upcr_pts_t q, long n)
{
    long i;
    for (i = 0; i < n; i++)
        UPCR_PUT0(double, upcr_add0(p, i * 8), UPCR_GET0(double, upcr_add0(q, i * 8)) + 1);
}

long vector_sum(upcr_pts_t p, long n)
{
    long sum = 0, i;
    for (i = 0; i < n; i++)
        sum += UPCR_GET0(long, upcr_add0(p, i * 8));
    return sum;
}
