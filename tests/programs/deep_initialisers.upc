// question: leaves of initialisers that lie ten structures deep: shared and private, of named, unnamed and packed structures, with const members, bit-fields and arrays
// counts: UPC_BARRIER=THREADS, UPC_PUT=0, UPC_GET=14*THREADS, UPC_GET.remote=14*(THREADS-1)
#include "check.h"

shared int target[THREADS];

/* Three levels at a time. */
#define NEST(T, M) struct { T x; struct { T x; struct { T x; M } in; } in; } in;
#define DEEP(T, M) struct { T x; NEST(T, NEST(T, NEST(T, M))) }
#define VALUES(V, ...) { V, { V, { V, { V, { V, { V, { V, { V, { V, { V, __VA_ARGS__ } } } } } } } } } }
#define LAST in.in.in.in.in.in.in.in.in

typedef shared int *pts;
typedef struct { pts p; const int n; volatile int v; unsigned low : 3; const unsigned high : 5; pts row[2][2]; } leaf;
#define LEAF { target, 7, 8, 5, 21, { { 0, target }, { [1] = target } } }

typedef DEEP(int, int last;) ints;
typedef DEEP(pts, leaf last; const struct { pts p; int n; } fixed;) pointers;
typedef DEEP(short, struct { char c; pts p; } __attribute__((packed)) last;) __attribute__((packed)) tight;

shared ints shared_ints = VALUES(3, 4);
shared pointers shared_pointers = VALUES(target, LEAF, { target, 9 });
shared [] pointers shared_row[2] = { [1] = VALUES(target, LEAF, { target, 9 }) };
shared tight shared_tight = VALUES(6, { 1, target });
pointers private_pointers = VALUES(target, LEAF, { target, 9 });
const pointers private_row[3] = { [1 ... 2] = VALUES(target, LEAF, { target, 9 }) };
tight private_tight = VALUES(6, { 1, target });

static int leaf_is_right(const leaf *l)
{
    return l->p == target && l->n == 7 && l->v == 8 && l->low == 5 && l->high == 21 && l->row[0][0] == 0 && l->row[0][1] == target
        && l->row[1][0] == 0 && l->row[1][1] == target;
}

static int right(const pointers *p)
{
    return p->x == target && p->in.x == target && p->LAST.x == target && leaf_is_right(&p->LAST.last) && p->LAST.fixed.p == target
        && p->LAST.fixed.n == 9;
}

static int of_a_function(void)
{
    struct outer { pts x; NEST(pts, NEST(pts, NEST(pts, struct inner { pts p; int n; } last;))) };
    static struct outer v = VALUES(target, { target, 5 });
    static shared struct outer s = VALUES(target, { target, 6 });
    return v.LAST.x == target && v.LAST.last.n == 5 && s.LAST.x == target && s.LAST.last.p == target && s.LAST.last.n == 6;
}

int main(void)
{
    CHECK(shared_ints.x == 3 && shared_ints.in.x == 3 && shared_ints.LAST.x == 3 && shared_ints.LAST.last == 4);
    pointers copy = shared_pointers;
    CHECK(right(&copy));
    pointers second = shared_row[1];
    CHECK(right(&second));
    CHECK(shared_row[0].x == 0 && shared_row[0].LAST.last.n == 0);
    CHECK(shared_tight.LAST.x == 6 && shared_tight.LAST.last.c == 1 && shared_tight.LAST.last.p == target);
    CHECK(right(&private_pointers));
    CHECK(right(&private_row[1]) && right(&private_row[2]));
    CHECK(private_tight.LAST.x == 6 && private_tight.LAST.last.c == 1 && private_tight.LAST.last.p == target);
    CHECK(of_a_function());
    return pass();
}
