// Commas between the parts of a loop
#include <upc.h>
#define N 16

shared double a[N * THREADS];

int main(void)
{
    upc_forall (int i = 0; i < N * THREADS, i++; &a[i]) //~ E0100 @43
        a[i] = i;
    return 0;
}
