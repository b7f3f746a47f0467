// UPC 7.2.4.1 p2: upc_lock_t is an incomplete shared type: there are pointers to locks only.
#include <upc.h>

upc_lock_t a; //~ E0204 @12 never completed
upc_lock_t b[THREADS]; //~ E0204 @13
struct s { upc_lock_t x; }; //~ E0501 @23 a member cannot be shared: the object as a whole is shared or not
upc_lock_t *c, *d[10];
upc_lock_t *shared e[THREADS];
void take(upc_lock_t *x);

int f(void)
{
    size_t n = sizeof(upc_lock_t); //~ E0316 @16 the size of `upc_lock_t` is not known here: the type is incomplete
    n = sizeof(*c); //~ E0316 @9
    c++; //~ E0605 @5 arithmetic on a `upc_lock_t *`: the size of the type that it points to is not known
    (void)*c; //~ E0204 @11
    *c = *d[0]; //~ E0204 @10
    take(d[0]);
    return c == d[0] && n && c < d[0]; //~ E0604 @30 relational operator on a `upc_lock_t *`, which points to an incomplete type
}
