// question: `shared`, layouts and storage classes in every order among the specifiers, in declarations, parameters, casts, sizes and typedefs
// counts: UPC_BARRIER=2*THREADS, UPC_PUT=7, UPC_PUT.remote=2*(THREADS>1), UPC_GET=12*THREADS, UPC_GET.remote=12*(THREADS-1)
#include "check.h"

#define BLOCKED shared [3]
#define AS_CHARS(p) ((char shared [] *)(p))
int shared x;
unsigned shared int u;
long BLOCKED long wide[3 * THREADS];
static int shared [2] const volatile pairs[2 * THREADS];
int shared [2] typedef pair[2 * THREADS];
typedef struct point { int x, y; } shared point_t;
struct point shared [1] points[THREADS];
char shared [] *text;
int *shared inner;
int shared *shared outer;
double extern shared [*] spread[4 * THREADS];
double shared [*] spread[4 * THREADS];
struct holder { int shared [] *p; BLOCKED long long *q; } holder;

point_t centre;
point_t *focus = &centre;
pair other;

int static shared *first(p, q)
int shared *p;
long long BLOCKED *q;
{
    return *q ? p : (int shared *)0;
}

int main()
{
    int shared *p = &x;
    register int shared [] *only = (int shared [] *)&u;
    if (MYTHREAD == 0) {
        x = 5;
        *only = 6;
        wide[2] = 7;
        points[THREADS - 1].y = 8;
        focus->x = 9;
        outer = &x;
        spread[4 * THREADS - 1] = 1.5;
    }
    upc_barrier;
    holder.p = only;
    holder.q = wide;
    text = AS_CHARS(&centre);
    CHECK(*first(p, wide + 2) == 5 && first(p, wide) == NULL && u == 6);
    CHECK(points[THREADS - 1].y == 8 && *(int shared [] *)text == 9 && *outer == 5 && inner == NULL);
    CHECK(*holder.p == 6 && holder.q[2] == 7 && spread[4 * THREADS - 1] == 1.5);
    CHECK(upc_blocksizeof(pairs) == 2 && upc_blocksizeof(int shared [7]) == 7 && upc_blocksizeof(other) == 2);
    CHECK(upc_threadof(&spread[3]) == 0 && upc_threadof(&wide[3 * THREADS - 1]) == (size_t)THREADS - 1);
    return pass();
}
