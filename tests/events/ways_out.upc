// Every start has its end, whatever way control leaves: break, continue, return, goto, out of nested loops and functions; also out of
// upc_forall, which UPC (6.6.2) leaves undefined.
// checks: no
// judge: balance
// raises: C_FUNC UPC_FORALL UPC_BARRIER UPC_FENCE UPC_PUT UPC_GET
#include <upc.h>

shared int a[4 * THREADS];

static int by_return(int way)
{
    int i;
    upc_forall (i = 0; i < 4 * THREADS; i++; &a[i]) {
        if (way == 0)
            return a[(i + 1) % THREADS];
        for (int j = 0; j < 3; j++) {
            if (way == 1)
                return j;
            if (j == 1)
                continue;
            upc_fence;
        }
    }
    return -1;
}

static int by_goto(int way)
{
    int i, n = 0;
again:
    upc_forall (i = 0; i < 4 * THREADS; i++; i) {
        if (way == 0 && n++ < 3)
            goto again;
        if (way == 1)
            goto out;
        for (;;) {
            a[(i + 1) % THREADS] = i;
            break;
        }
        if (i % 2)
            continue;
        upc_fence;
    }
out:
    return n;
}

static int by_break(int v)
{
    int i, sum = 0;
    while (1) {
        upc_forall (i = 0; i < THREADS; i++; continue) {
            upc_forall (int j = 0; j < 3; j++; j)
                sum += j;
            if (i == v)
                break;
        }
        if (sum++ > 2)
            break;
    }
    switch (v) {
    case 0:
        return ({ if (sum) return 1; 2; });
    default:
        break;
    }
    return sum;
}

static void nothing(void) {}

static int deep(int n)
{
    if (n == 0)
        return 0;
    nothing();
    return 1 + deep(n - 1);
}

int main(void)
{
    for (int way = 0; way < 3; way++) {
        by_return(way);
        by_goto(way);
        by_break(way);
        upc_barrier way;
    }
    return deep(300) != 300;
}
