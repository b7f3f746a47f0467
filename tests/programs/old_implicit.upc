// question: functions called without a declaration, the library's and the program's, in expressions with shared data: each has its own type where the C compiler knows it; the types of <sys/types.h> come with <upc.h>
// flags: -w -lm
// counts: UPC_ALL_LOCK_ALLOC=THREADS, UPC_LOCK=THREADS, UPC_UNLOCK=THREADS, C_MALLOC=THREADS, C_FREE=THREADS, UPC_BARRIER=THREADS, UPC_PUT=7*THREADS, UPC_PUT.remote=0, UPC_GET=11*THREADS, UPC_GET.remote=0
#include "check.h"

shared double d[THREADS];
shared int a[THREADS];
struct s { double *p; double v; };
shared struct s ss[THREADS];
upc_lock_t *lock;
shared int64_t wide[THREADS];

main()
{
    int n;
    ssize_t offset = -1;
    wide[MYTHREAD] = ((int64_t) 1 << 40) + offset;
    CHECK(wide[MYTHREAD] == 0xffffffffffLL);
    lock = upc_all_lock_alloc();
    d[MYTHREAD] = sqrt(2.0);
    d[MYTHREAD] += sqrt(2.0) * 2;
    d[MYTHREAD] = d[MYTHREAD] > 1 ? sqrt(2.25) : d[0];
    ss[MYTHREAD].p = (double *) malloc(80);
    ss[MYTHREAD].p[3] = fabs(d[MYTHREAD]) / 2;
    ss[MYTHREAD].v = pow(d[MYTHREAD], sqrt(4.0));
    CHECK(ss[MYTHREAD].p[3] == 0.75 && ss[MYTHREAD].v == 2.25);
    free(ss[MYTHREAD].p);
    n = later(&a[MYTHREAD], a[MYTHREAD], lock);
    CHECK(n == MYTHREAD + 1 && a[MYTHREAD] == 5);
    CHECK(helper(a, &a[MYTHREAD]) == MYTHREAD);
    return pass();
}

later(p, v, l)
shared int *p;
upc_lock_t *l;
{
    upc_lock(l);
    *p = v + 5;
    upc_unlock(l);
    return upc_threadof(p) + 1;
}

int helper(shared int *p, shared int *q) { return q - p; }
