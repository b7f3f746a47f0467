// UPC 7.2.4.1 p2: upc_lock_t is an incomplete shared type: there are pointers to locks only.
#include <upc.h>

upc_lock_t a; //~ E0204 @12 never completed
upc_lock_t b[THREADS]; //~ E0204 @13
struct s { upc_lock_t x; }; //~ E0501
upc_lock_t *c, *d[10];
upc_lock_t *shared e[THREADS];
void take(upc_lock_t *x);

int f(void)
{
    size_t n = sizeof(upc_lock_t); //~ E0316 @16
    n = sizeof(*c); //~ E0316
    c++; //~ E0605 @5
    (void)*c; //~ E0204 @11
    *c = *d[0]; //~ E0204
    take(d[0]);
    return c == d[0] && n && c < d[0]; //~ E0604 @30
}
