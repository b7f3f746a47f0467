// question: does a loop run as often as its condition says that steps its variable, or that the variable passes by?
#include "check.h"

#define N 100

shared [N] int a[N * THREADS];

static int down_after(int n) { while (n-- > 0) a[n] = n; return n; }
static int down_to_zero(int n) { while (n--) a[n] += n; return n; }
static int down_before(int n) { while (--n >= 0) a[n] += n; return n; }
static int up_last(int i, int n) { do { a[i] += 2; } while (++i < n); return i; }
static int up_after_last(int i, int n) { do a[i] += 2; while (i++ < n); return i; }
static int up_long(int i, long n) { while (i++ < n) { if (a[i] == 40) break; a[i]--; } return i; }

static int in_head(int n)
{
    int s = 0, k;

    for (int i = -1; ++i < n;) {
        if (i % 7 == 3)
            continue;
        s += a[i];
    }
    for (k = n; 0 < k--;)
        s += 3 * a[k];
    return s + k;
}

/* A negative start is not zero, and never becomes zero: the body ends the loop. */
static int from_below(int n)
{
    while (n--) {
        if (n == -7)
            break;
        a[-n] = 5;
    }
    return n;
}

/* The variable starts beyond the value that the condition excludes. */
static int passes_by(int from, int to)
{
    int i, s = 0;

    for (i = from; i != to; i++) {
        if (a[i] == -1)
            break;
        s += a[i];
    }
    return s + 1000 * i;
}

static int returns(int from, int to)
{
    for (int i = from; i != to; i++)
        if (a[i] == -1)
            return i;
    return -1;
}

static int pointer_passes_by(shared [N] int *p, shared [N] int *end)
{
    int n = 0;

    for (; p != end; p++, n++)
        if (*p == -1)
            break;
    return n;
}

/* The sum of the elements, each with its place. */
static unsigned mixed(void)
{
    unsigned h = 0;

    for (int i = 0; i < N; i++)
        h = h * 31 + a[i];
    return h;
}

int main(void)
{
    if (MYTHREAD == THREADS - 1) {
        CHECK(down_after(50) == -1);
        CHECK(down_to_zero(60) == -1);
        CHECK(down_before(70) == -1);
        CHECK(down_after(0) == -1);
        CHECK(down_before(-3) == -4);
        CHECK(up_last(3, 90) == 90);
        CHECK(up_last(80, 20) == 81);
        CHECK(up_after_last(4, 50) == 51);
        CHECK(in_head(99) == 21887);
        CHECK(up_long(2, 80) == 12);
        CHECK(from_below(-3) == -7);
        CHECK(mixed() == 1577589732u);
        for (int i = 0; i < N; i++)
            a[i] = i == 90 ? -1 : 1;
        CHECK(passes_by(5, 3) == 90085);
        CHECK(passes_by(5, 8) == 8003);
        CHECK(passes_by(5, 5) == 5000);
        CHECK(returns(5, 3) == 90);
        CHECK(returns(5, 80) == -1);
        CHECK(pointer_passes_by(&a[5], &a[3]) == 85);
        CHECK(pointer_passes_by(&a[5], &a[9]) == 4);
    }
    return pass();
}
