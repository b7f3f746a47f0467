// question: are the accesses of a statement after the pragma left out, and those of its neighbours reported?
// threads: 2 3
// race: 57 57
// race: 64 64
// race: 84 84
#include "races.h"

static shared int x, y, z, w;
static shared [] int copied[4];

static void called(void)
{
    x = MYTHREAD;
}

static int returns(int n)
{
#pragma upcc race_ok
    for (int i = 0; i < n; i++) {
        x = i;
        if (i == 2)
            return x;
    }
    return 0;
}

static int recursive(int n)
{
#pragma upcc race_ok
    return n == 0 ? x : recursive(n - 1) + (x = n);
}

static int value(void)
{
    return ({
        int k = MYTHREAD;
#pragma upcc race_ok
        x + k;
    });
}

static void leaves_loop(void)
{
    for (int i = 0;; i++) {
#pragma upcc race_ok
        {
            x = i;
            if (i == 1)
                continue;
            if (i == 2)
                break;
            if (i == 3)
                goto out;
        }
    }
out:
    y = MYTHREAD;
}

static void mine(int *p)
{
#pragma upcc race_ok
    *p = 4;
    z = MYTHREAD;
}

int main(void)
{
    int buffer[4] = {MYTHREAD};
#pragma upcc race_ok
    int first = x, second = x;
    _Pragma("upcc race_ok") x = first + second;
#pragma upcc race_ok
    upc_forall (int i = 0; i < 4 * THREADS; i++; i)
        x = i;
#pragma upcc race_ok
    called();
#pragma upcc race_ok
    upc_memput(copied, buffer, sizeof buffer);
    returns(5);
    recursive(3);
    value();
    leaves_loop();
    w = MYTHREAD;
    int own = 0;
    mine(&own);
    switch (own) {
#pragma upcc race_ok
    case 4:
        x = 1;
        break;
    default:
#pragma upcc race_ok
        x = 2;
    }
    if (MYTHREAD == 0)
#pragma upcc race_ok
        *(int *)&x = 7;
    else
#pragma upcc race_ok
        x++;
    return pass();
}
