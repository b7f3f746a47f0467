// W0624: relaxed flags that announce data.
#include <sched.h>
#include <stdio.h>
#include <upc_relaxed.h>

shared int data, more[4 * THREADS];
shared int flag, ready[THREADS], never_awaited, given_up;
strict shared int strict_flag;
shared struct { int value, full; } box;
shared [] int *shared list;
void elsewhere(void);

void wait_for_flag(void)
{
    while (!flag) //~ W0616
        ;
}

void wait_politely(int t)
{
    while (ready[t] == 0)
        sched_yield();
    upc_fence;
    while (!strict_flag)
        ;
    while (!box.full) //~ W0616
        ;
    for (;;) {
        if (given_up)
            break;
        sched_yield();
    }
}

void wrong(int x)
{
    int i;
    data = x;
    flag = 1; //~ W0624 @5 the relaxed write of `flag` may become visible before the write of `data`
    for (i = 0; i < 4; i++)
        more[i] = i;
    i = 0;
    ready[MYTHREAD]++; //~ W0624
    if (x) {
        list[0] = 1;
        flag = 2; //~ W0624
    }
    data = 1;
    box.full = 1; //~ W0624
    upc_fence;
    box.value = 3;
    box.full = 1; //~ W0624
    data = 2;
    given_up = 1; //~ W0624
}

// Silent: strict flags, what orders the two writes, objects for which nothing waits, one object.
void right(int x)
{
    data = x;
    strict_flag = 1;
    data = x;
    upc_fence;
    flag = 1;
    upc_barrier;
    data = x;
    never_awaited = 1;
    upc_barrier;
    data = x;
    elsewhere();
    flag = 1;
    box.value = 2;
    upc_fence;
    ready[0] = 2;
    ready[1] = 1;
    upc_fence;
    x = data;
    flag = 0;
    upc_notify;
    data = 1;
    upc_wait;
    flag = 1;
}

// Silent: these loops do not wait.
shared int limit, count, bound, most, last;
int next;

void loops(int x)
{
    int i, v;
    for (i = 0; i < limit; i++)
        sched_yield();
    while (scanf("%d", &v) == 1 && v < count)
        sched_yield();
    do
        scanf("%d", &v);
    while (v < bound);
    while (next < most)
        next++;
    for (;;) {
        if (next == last)
            break;
        next++;
    }
    data = x;
    limit = 1;
    data = x;
    count = 1;
    data = x;
    bound = 1;
    data = x;
    most = 1;
    data = x;
    last = 1;
}

void by_pragma(int x)
{
#pragma upc strict
    data = x;
    flag = 1;
}
