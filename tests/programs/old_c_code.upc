// question: between the pragmas c_code and upc_code the words of UPC are names of C, at file scope and in blocks
// counts: UPC_BARRIER=3*THREADS, UPC_PUT=THREADS+1, UPC_PUT.remote=THREADS-1, UPC_GET=THREADS, UPC_GET.remote=THREADS-1
#include "check.h"
#include <upc_strict.h>
#pragma upc c_code
#include <string.h>
int shared = 5;
float MYTHREAD = 1.5f;
struct strict { int relaxed, upc_wait; };
static int twice(int shared) { return 2 * shared; }
static int upc_barrier(void) { return shared + twice(1) + sizeof(struct strict); }
#pragma upc upc_code
shared int x;
int main(void)
{
    int n;
    x = 0;
    {
#pragma upc c_code
    shared++;
    n = upc_barrier();
    if (n > 2) MYTHREAD += 1;
#pragma upc upc_code
    }
    upc_barrier;
    CHECK(n == 6 + 2 + 8);
    int same;
_Pragma("upc c_code")
    same = MYTHREAD == 2.5f;
_Pragma("upc upc_code")
    CHECK(same);
    if (!MYTHREAD) x = 1;
    upc_barrier;
    CHECK(x == 1);
    return pass();
}
