// check: INDEX
#include "check.h"

struct pair { int a; int tail[3]; };
struct open { int n; int old_style[1]; };

shared int cyclic[10 * THREADS];
shared [4] char grid[3 * THREADS][8];
shared [] long here[5];
shared struct pair pairs[THREADS];
shared [] long (*whole)[5] = &here;
static shared int one[THREADS];

static int legal(int n)
{
    shared int *end = &cyclic[n];
    shared [4] char *last = &grid[n / 10 * 3 - 1][8];
    shared [] struct open *open;
    int i;
    shared int (*rows)[n / 2] = (shared int (*)[n / 2])cyclic;
    rows[1][n / 2 - 1] = 2;
    shared int *from_one = &cyclic[-MYTHREAD - 1];
    from_one[MYTHREAD + 1] = 1;
    cyclic[n - 1] = 1;
    grid[n / 10 * 3 - 1][7] = 1;
    here[4] = 2;
    (*whole)[4] = 3;
    pairs[THREADS - 1].tail[2] = 4;
    one[MYTHREAD] = 5;
    for (shared int *p = cyclic; p < end; p++)
        *p = 1;
    /* Room for more than the type says. */
    open = upc_alloc(sizeof *open + 3 * sizeof(int));
    for (i = 0; i < 4; i++)
        open->old_style[i] = i;
    upc_forall (i = 0; i < n; i++; &cyclic[i])
        cyclic[i]++;
    return last == 0 ? 1 : passed();
}

int main(int argc, char **argv)
{
    int n = 10 * THREADS, minus = -1, eight = 8;
    unsigned long huge = ~0UL;
    shared int *p, (*rows)[n / 2] = (shared int (*)[n / 2])cyclic;
    switch (the_case(argc, argv)) {
    case 0: return legal(n);
    case 1: cyclic[n] = 1; break; //~ 1 in `cyclic[n]`
    case 2: return cyclic[minus]; //~ 2 index -1 in `cyclic[minus]` is outside of 0 to
    case 3: return grid[n / 10 * 3][0]; //~ 3 in `grid[n / 10 * 3]`
    case 4: return grid[0][eight]; //~ 4 index 8 in `grid[0][eight]` is outside of 0 to 7 (it has 8 elements)
    case 5: grid[1][minus]++; break; //~ 5 index -1 in `grid[1][minus]`
    case 6: here[eight - 3] += 2; break; //~ 6 index 5 in `here[eight - 3]` is outside of 0 to 4
    case 7: (*whole)[eight] = 1; break; //~ 7 index 8 in `(*whole)[eight]`
    case 8: return pairs[MYTHREAD].tail[eight - 5]; //~ 8 index 3 in `pairs[MYTHREAD].tail[eight - 5]`
    case 9: return pairs[THREADS].a; //~ 9 in `pairs[
    case 10: return cyclic[huge]; //~ 10 index -1
    case 11: p = &cyclic[n + 1]; return p == 0; //~ 11 in `&cyclic[n + 1]`
    case 12: return *(cyclic + n); //~ 12 in `*(cyclic + n)`
    case 13: return *(one + THREADS); //~ 13 in `*(one + 
    case 14:
        upc_forall (int i = 0; i <= n; i++; &cyclic[i])
            cyclic[i] = 1; //~ 14 in `cyclic[i]`
        upc_barrier;
        break;
    case 15: return rows[1][n / 2]; //~ 15 in `rows[1][n / 2]`
    case 16: return ((shared int (*)[eight])cyclic)[0][eight]; //~ 16 index 8 in `((shared int (*)[eight])cyclic)[0][eight]` is outside of 0 to 7 (it has 8 elements)
    case 17: return rows[0][minus]; //~ 17 index -1 in `rows[0][minus]`
    }
    return 0;
}
