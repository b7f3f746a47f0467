// Thread 1 reads elements of thread 0 one by one, and the others wait for it, until the file of the argument exists.
#include <stdio.h>
#include <unistd.h>
#include <upc_relaxed.h>

enum { N = 1000 };
shared [N] double a[N * THREADS];
shared int done;

int main(int argc, char **argv)
{
    double sum = 0;
    int over = argc < 2;
    while (!over) {
        if (MYTHREAD == 1)
            for (int i = 0; i < 1000 * N; i++)
                sum += a[(i * 7 + i / N) % N];
        if (MYTHREAD == 0)
            done = access(argv[1], F_OK) == 0;
        upc_barrier;
        over = done;
        upc_barrier;
    }
    if (MYTHREAD == 0)
        puts("PASS");
    return sum != 0;
}
