// question: is an element of perm that is not a thread refused?
// status: 1
// stderr: is -1, which is not a thread
#include "collective.h"

shared double d[THREADS], result;

int main(void)
{
    static shared int perm[THREADS];
    static shared double to[THREADS];
    perm[MYTHREAD] = -1;
    upc_all_permute(to, d, perm, sizeof(double), 0);
    return pass();
}
