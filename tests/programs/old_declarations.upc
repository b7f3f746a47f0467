// question: programs of 2003: their own declarations of the library, old-style functions with shared parameters, no types, no prototypes
// flags: -w
// counts: UPC_MEMPUT=THREADS, UPC_MEMGET=THREADS, UPC_ALL_ALLOC=THREADS, UPC_ALLOC=THREADS, UPC_ALL_LOCK_ALLOC=THREADS, UPC_LOCK=THREADS, UPC_UNLOCK=THREADS, UPC_FORALL=THREADS, UPC_BARRIER=2*THREADS
// counts: UPC_PUT=9*THREADS+1, UPC_GET=9*THREADS, C_FUNC=5*THREADS
#include "check.h"

extern shared void *upc_all_alloc();
extern shared void *upc_all_alloc(size_t nblocks, size_t nbytes);
extern shared int *upc_global_alloc(size_t, size_t);
void upc_memget(void *, shared void *, size_t);
void upc_memput(shared void *dst, void *src, int n);
int upc_threadof(shared void *p);
extern int upc_phaseof(shared [] char *);
extern unsigned upc_addrfield(shared void *);
extern void upc_lock(shared void *), upc_unlock();
extern int upc_lock_attempt(upc_lock_t *lock);

int shared x;
int shared [2] b[2 * THREADS];
const int shared *constant;
double extern shared [] where[2];
double shared [] where[2];
shared [] char *text;
shared [] char *shared texts[THREADS];
upc_lock_t *lock;
shared counter;

shared int *advance();
shared int *advance(p, n)
shared int *p;
{
    return p + n;
}

total(p, n)
register shared [] int *p;
{
    int i, s = 0;
    for (i = 0; i < n; i++)
        s += p[i];
    return s;
}

static copy(to, from) shared [] char *to; char *from;
{
    while (*to++ = *from++)
        ;
}

main(argc, argv)
char **argv;
{
    register i;
    int back[3], out[3];
    shared [3] int *q = (shared [3] int *) upc_all_alloc(THREADS, 3 * sizeof(int));
    shared [] int *mine = (shared [] int *) &q[3 * MYTHREAD];
    for (i = 0; i < 3; i++)
        out[i] = MYTHREAD + i;
    upc_memput(mine, out, sizeof out);
    upc_memget(back, mine, sizeof back);
    CHECK(total(mine, 3) == 3 * MYTHREAD + 3 && back[2] == MYTHREAD + 2);
    CHECK(advance(&x, 0) == &x);
    CHECK(upc_threadof(mine) == MYTHREAD && upc_phaseof((shared [] char *) mine) == 0);
    texts[MYTHREAD] = upc_local_alloc(3, 2);
    copy(texts[MYTHREAD], "hello");
    text = texts[MYTHREAD];
    CHECK(strlen((char *) text) == 5 && text[4] == 'o');
    b[2 * MYTHREAD + 1] = upc_addrfield(mine) != 0;
    lock = upc_all_lock_alloc();
    upc_lock_init(lock);
    upc_lock(lock);
    counter++;
    upc_unlock(lock);
    upc_barrier 3;
    upc_lock_init(lock);
    CHECK(counter == THREADS);
    constant = &x;
    if (MYTHREAD == 0)
        where[1] = 2.5;
    upc_forall (i = 0; i < 2 * THREADS; i++; (int) i)
        if (i & 1) CHECK(b[i] == 1);
    pass();
    exit(0);
}
