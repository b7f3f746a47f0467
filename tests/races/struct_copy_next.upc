// question: does the copy of a structure not race with the write of the next one?
#include "races.h"

struct point {
    int x, y, z;
};
static shared [] struct point points[5];

int main(void)
{
    struct point mine = { 1, 2, 3 }, got;
    points[MYTHREAD] = mine;
    upc_barrier;
    got = points[(MYTHREAD + 1) % THREADS];
    CHECK(got.x == 1 && got.z == 3);
    if (MYTHREAD == 0)
        points[4].y = 5;
    return pass();
}
