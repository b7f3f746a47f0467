// check: OUTSIDE FREE_STATIC
#include "check.h"

struct point { double x, y; };

shared [3] char text[7 * THREADS];
shared int cyclic[2 * THREADS];
shared [] struct point points[4];
shared int single;
shared [] int last[1];
char buffer[100];

static int legal(void)
{
    shared int *p = cyclic;
    shared [3] char *c = text;
    int i;
    for (i = 0; i < 2 * THREADS; i++)
        p[i] = i;
    for (i = 0; i < 7 * THREADS; i++)
        c[i] = 'x';
    upc_memget(buffer, points, sizeof(struct point[4]));
    upc_memput(&points[1].y, buffer, 40);
    upc_memset(cyclic, 0, 8);
    *&single = 1;
    upc_barrier;
    return passed();
}

int main(int argc, char **argv)
{
    shared int *p = cyclic;
    shared [3] char *c = text;
    shared [] struct point *q = points;
    shared int *one = &single;
    switch (the_case(argc, argv)) {
    case 0: return legal();
    case 1: return p[2 * THREADS]; //~ 1 reads 4 bytes at thread 0, at the end of its part of `cyclic` (shared int[
    case 2: p[2 * THREADS + 1] = 1; break; //~ 2 `cyclic` (shared int[
    case 3: c[7 * THREADS] = 'x'; break; //~ 3 writes 1 bytes at thread
    case 4: q[4].x = 1; break; //~ 4 at the end of `points` (shared [] struct point[4])
    case 5: upc_memget(buffer, q + 1, 64); break; //~ 5 16 of them past the end of `points`
    case 6: upc_memput(p + THREADS, buffer, 8); break; //~ 6 upc_memput writes 8 bytes at thread 0, 4 of them past
    case 7: return one[THREADS]; //~ 7 at the end of its part of `single` (shared int)
    case 8: *(shared [] struct point *)&q[3].y = q[0]; break; //~ 8 writes 16 bytes at thread 0, 8 of them past the end of `points`
    case 9: upc_free(q + 1); break; //~ 9 is to `points` (shared [] struct point[4]), which is declared
    }
    return 0;
}
