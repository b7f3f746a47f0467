// question: tags that the parameter lists of function definitions define end with the function: others may have the same, file scope too
// counts: UPC_BARRIER=2*THREADS, UPC_PUT=1, UPC_PUT.remote=0, UPC_GET=10*THREADS, UPC_GET.remote=10*(THREADS-1), C_FUNC=12*THREADS
#include "check.h"

struct s { long l[4]; };
shared int one;

int of_record(struct s { int a; } *p, shared int *q) { struct s t = *p; return t.a + *q; }
int of_other(struct s { char b[3]; } *p, shared int *q) { return (int)sizeof(struct s) + p->b[1] + *q; }
struct s of_outer(shared int *q, struct s *p) { struct s t = *p; t.l[1] += *q; return t; }
int of_shared(shared int *q, struct s { shared int *to; struct t { char c; } in; struct s *next; } *const p) { return p->next == p && p->to == q ? *p->to + p->in.c : 0; }
int of_enum(enum e { A, B } p, shared int *q) { return p == B ? A + 10 * B + *q : -1; }
int of_same_enum(enum e { B, A } p, shared int *q) { enum e e = p; return e == A ? A + 10 * B + *q : -1; }
int of_call(int (*call)(struct s { short h; } *), struct s { long long w; } *p, shared int *q) { return (int)sizeof(struct s) + (call ? 1 : 0) + (int)p->w + *q; }
int untagged(struct { int x, y; } *p, shared int *q) { return p->x * p->y + *q; }
static int old_style(p, q) shared int *p; struct s { double z; } *q; { return (int)q->z + *p; }

int of_two(struct s *p, struct s { char c; } *q, struct t { int i; } *r, shared int *o) { return (int)p->l[2] + q->c + r->i + *o; }

int main(void)
{
    int five = 5, pair[2] = {6, 7};
    struct s outer = {{1, 2, 3, 4}};
    struct { shared int *to; char c; void *next; } linked = {&one, 9, &linked};
    double two = 2;
    long long eleven = 11;
    if (MYTHREAD == 0)
        one = 1;
    upc_barrier;
    CHECK(of_record((void *)&five, &one) == 6 && of_other((void *)"\1\2\3", &one) == 6);
    CHECK(of_outer(&one, &outer).l[1] == 3 && of_shared(&one, (void *)&linked) == 10);
    CHECK(of_enum(1, &one) == 11 && of_same_enum(1, &one) == 2);
    CHECK(of_call(0, (void *)&eleven, &one) == 20 && untagged((void *)pair, &one) == 43 && old_style(&one, &two) == 3);
    CHECK(of_two(&outer, (void *)"\x20", (void *)&five, &one) == 3 + 32 + 5 + 1);
    return pass();
}
