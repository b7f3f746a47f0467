#include <upc.h>
#include "several.h"

shared int tentative;
shared int defined_there;
shared [3] int blocked_there[6 * THREADS];
shared int *initialised = &defined_there;
static shared int same_name;

void other_init(void)
{
    defined_there = 5;
    same_name = 2;
    tentative = 7;
    private_tentative = 11;
    blocked_there[3] = 3;
}
int other_same_name(void) { return same_name; }
int other_sum(shared int *p)
{
    int i, sum = 0;
    for (i = 0; i < THREADS; i++)
        sum += p[i];
    return sum;
}
shared int *other_place(int n) { return common + n; }
