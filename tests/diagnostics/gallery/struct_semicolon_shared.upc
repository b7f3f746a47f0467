// A missing semicolon behind a structure, in front of `shared`
#include <upc.h>

struct point {
    double x, y;
} //~ E0100 @2

shared struct point points[THREADS];

int main(void)
{
    points[MYTHREAD].z = 1; //~ E0312 @22
    return 0;
}
