// check: OPERATION FUNCTION PERMUTATION PERMUTATION_TWICE NO_BYTES DEALT_OUT ARRAY_PHASE PREFIX OUTSIDE ARGUMENTS DIFFERENT FORALL SPLIT
/* No line is asked for where the compiler may join calls of one function. */
#include "check.h"
#include <upc_collective.h>

shared int a[THREADS], b[THREADS], perm[THREADS];
shared [3] int x[3 * THREADS], y[3 * THREADS];
shared double d[THREADS], e[THREADS];
shared [] int whole[16];
shared [] char *root;

static int compare(shared void *p, shared void *q)
{
    return *(shared int *)p - *(shared int *)q;
}

static double plus(double p, double q)
{
    return p + q;
}

static int legal(void)
{
    upc_all_broadcast(b, a, sizeof(int), 0);
    upc_all_permute(b, a, perm, sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    upc_all_permute(b, a, perm, sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    upc_all_reduceI(&b[THREADS - 1], &x[1], UPC_XOR, 3 * THREADS - 1, 3, NULL, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    upc_all_prefix_reduceI(&y[1], &x[1], UPC_MAX, 3 * THREADS - 1, 3, NULL, 0);
    upc_all_reduceD(e, d, UPC_NONCOMM_FUNC, THREADS, 1, plus, 0);
    upc_all_sort(x, sizeof(int), 3 * THREADS, 3, compare, 0);
    return passed();
}

int main(int argc, char **argv)
{
    int last = MYTHREAD == THREADS - 1, which = the_case(argc, argv), i;
    perm[MYTHREAD] = THREADS - 1 - MYTHREAD;
    upc_barrier;
    switch (which) {
    case 0: return legal();
    case 1: upc_all_reduceD(e, d, UPC_AND, THREADS, 1, NULL, 0); break; //~! 1 upc_all_reduceD: the operation 4 is not in upc_op_t
    case 2: upc_all_reduceI(a, b, UPC_ADD | UPC_MULT, THREADS, 1, NULL, 0); break; //~! 2 upc_all_reduceI: the operation 3 is
    case 3: upc_all_prefix_reduceD(e, d, UPC_FUNC, THREADS, 1, NULL, 0); break; //~! 3 upc_all_prefix_reduceD: no function was passed
    case 4: upc_all_sort(x, sizeof(int), 3 * THREADS, 3, NULL, 0); break; //~! 4 upc_all_sort: no function was passed
    case 5:
        perm[MYTHREAD] = THREADS - MYTHREAD;
        upc_all_permute(b, a, perm, 4, 0); //~! 5 which is not a thread
        break;
    case 6:
        perm[MYTHREAD] = 0;
        upc_all_permute(b, a, perm, 4, 0); //~! 6 2+ are both 0
        break;
    case 7: upc_all_gather(b, a, 0, 0); break; //~! 7 upc_all_gather: nbytes is 0
    case 8: upc_all_broadcast(&b[THREADS - 1], a, 4, 0); break; //~! 8 2+ upc_all_broadcast: dst points at thread
    case 9: upc_all_gather_all(root, &a[THREADS - 1], 4, 0); break; //~! 9 2+ upc_all_gather_all: src points at thread
    case 10: upc_all_permute(b, a, &perm[THREADS - 1], 4, 0); break; //~! 10 2+ upc_all_permute: perm points at thread
    case 11: upc_all_reduceI(a, &x[2], UPC_ADD, 2, 2, NULL, 0); break; //~! 11 upc_all_reduceI: src has phase 2, but blk_size is 2
    case 12: upc_all_sort(&x[2], sizeof(int), 1, 1, compare, 0); break; //~! 12 upc_all_sort: A has phase 2, but blk_size is 1
    case 13: upc_all_prefix_reduceI(y, &x[1], UPC_ADD, 2, 3, NULL, 0); break; //~! 13 upc_all_prefix_reduceI: dst has thread 0 and phase 0
    case 14:
        root = upc_all_alloc(1, THREADS * 4 - 1);
        upc_all_scatter(b, root, 4, 0); //~! 14 upc_all_scatter reads 4 bytes at thread 0, 
        break;
    case 15:
        root = upc_all_alloc(THREADS, 12);
        upc_all_reduceI(a, root, UPC_ADD, 4 * THREADS, 4, NULL, 0); //~! 15 upc_all_reduceI reads 16 bytes at thread
        break;
    case 16: upc_all_sort(upc_all_alloc(THREADS, 8), 4, 3 * THREADS, 3, compare, 0); break; //~! 16 upc_all_sort sorts 12 bytes at thread
    case 17: upc_all_exchange(NULL, a, 4, 0); break; //~! 17 upc_all_exchange writes 4 bytes
    case 18: upc_all_broadcast(b, a, 4, last ? UPC_IN_NOSYNC : UPC_IN_MYSYNC); break; //~! 18 2+ upc_all_broadcast: argument flags is
    case 19: upc_all_reduceI(a, b, UPC_ADD, THREADS - last, 1, NULL, 0); break; //~! 19 2+ upc_all_reduceI: argument nelems is
    case 20:
        if (last)
            upc_all_gather(whole, a, 4, UPC_IN_NOSYNC | UPC_OUT_NOSYNC); //~! 20 2+ this thread executes upc_all_gather, but thread 0 upc_all_scatter
        else
            upc_all_scatter(b, whole, 4, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
        break;
    case 21:
        upc_forall (i = 0; i < THREADS; i++; i)
            upc_all_broadcast(b, a, 4, 0); //~ 21 upc_all_broadcast inside of upc_forall
        break;
    }
    return 0;
}
