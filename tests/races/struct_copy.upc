// question: is the race found of the copy of a structure with the write of one member?
// threads: 2
// race: 15 17
#include "races.h"

struct point {
    int x, y, z;
};
static shared [] struct point points[2];

int main(void)
{
    struct point mine = { 1, 2, 3 };
    if (MYTHREAD == 0)
        points[0] = mine;
    else
        points[0].y = 5;
    return pass();
}
