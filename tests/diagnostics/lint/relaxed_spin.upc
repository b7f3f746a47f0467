// W0616: loops that wait for a relaxed access.
#include <upc.h>

shared int flag, list[THREADS];
strict shared int ready;
volatile shared int seen;
shared struct { int go; } start;
void poll(void);

void wrong(shared int *p, int n)
{
    int spins = 0, i;
    while (flag == 0) //~ W0616 @12 waits for a relaxed access `flag`
        ;
    do
        spins++;
    while (!*p); //~ W0616 @13
    for (i = 0; flag != n; i++) //~ W0616
        ;
    while (!start.go && list[n] < 3) { //~ W0616
    }
    while (list[MYTHREAD]); //~ W0616
    for (;;)
        if (flag == 0) //~ W0616 @13 waits for a relaxed access `flag`
            break;
    while (1) {
        spins++;
        if (*p == n) { //~ W0616
            break;
        }
    }
    do
        if (list[n]) //~ W0616
            break;
    while (1);
}

// Silent: strict accesses, calls, stores and fences in the loop, conditions that the loop itself changes, ways out.
void right(shared int *p, int n)
{
    int i = 0;
    while (!ready)
        ;
    while (!seen)
        ;
    while (flag == 0)
        poll();
    while (flag == 0)
        upc_fence;
    while (flag == 0)
        if (ready)
            n++;
    while (i < n && list[i])
        i++;
    while (*p)
        p++;
    while (flag)
        flag--;
    while (list[n])
        list[0] = n;
    while (flag == 0)
        if (i++ > 100)
            break;
    for (;;)
        if (ready)
            break;
    for (;;) {
        if (flag)
            break;
        poll();
    }
    for (;;)
        if (flag || i++ > 100)
            break;
    while (1) {
        if (flag)
            break;
        if (n++ > 100)
            break;
    }
    for (;;) {
        if (flag)
            break;
        else
            upc_fence;
    }
    for (;; flag = 1)
        if (flag)
            break;
    while (n) {
        if (flag)
            break;
        n--;
    }
    for (;;) {
        if (i < n)
            break;
        i = flag;
    }
    while (flag == 0)
        upc_barrier;
    while (flag == 0)
        __asm__ volatile("" ::: "memory");
    for (i = 0; i < list[0]; i++)
        n += i;
    while (n)
        n--;
    {
#pragma upc strict
    }
}

void by_pragma(void)
{
#pragma upc strict
    while (flag == 0)
        ;
}
