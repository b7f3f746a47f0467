// question: sizeof of a shared array where a type needs a constant, in the static environment
// environment: static
#include <stdlib.h>
#include "check.h"

shared [4] int a[4 * THREADS];
enum { BYTES = sizeof(a), NEXT };
struct bits { unsigned field : sizeof(a) / THREADS / 4; };
struct whole { char bytes[sizeof(a)]; struct { char last[upc_localsizeof(a)]; } inner; };
typedef char row_t[sizeof a];
_Static_assert(sizeof(struct whole) == sizeof(a) + 16, "the portions of all threads, and of one");
static _Alignas(sizeof(a) / THREADS) char aligned;
struct apart { char first; _Alignas(sizeof(a) / THREADS) char second; };
int zero = {};
static int list[3] = { {}, 2 };

static int of_parameter(char row[sizeof(a)])
{
    enum { HERE = sizeof a[0] * 4 };
    return HERE + row[0];
}

int main(void)
{
    struct bits bits = { 15 };
    struct whole whole = { .inner = { { [15] = 1 } } };
    int none = {};
    CHECK(BYTES == 16 * THREADS && NEXT == 16 * THREADS + 1 && bits.field == 15);
    CHECK(whole.inner.last[15] == 1 && sizeof(row_t) == BYTES && of_parameter(whole.bytes) == 16);
    _Alignas(sizeof(a) / THREADS) char here = 1;
    CHECK(((unsigned long)&aligned | (unsigned long)&here) % 16 == 0 && sizeof(struct apart) == 32 && here == 1);
    CHECK(zero + none + (int){} + list[0] == 0 && list[1] == 2);
    return pass();
}
