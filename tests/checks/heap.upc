// check: OUTSIDE FREED OVERLAP
#include "check.h"

struct item { int value; shared [] struct item *next; };

char buffer[400];

static int legal(void)
{
    shared [] int *mine = upc_alloc(10 * sizeof(int));
    shared int *all = upc_all_alloc(THREADS, 3 * sizeof(int));
    shared [3] char *odd = upc_all_alloc(THREADS + 1, 3);
    int i;
    mine[9] = 1;
    mine[0] = mine[9];
    upc_memget(buffer, mine, 40);
    upc_memset(mine + 9, 1, 4);
    upc_memput(&mine[10], buffer, 0);
    upc_memcpy(mine, mine + 5, 20);
    for (i = 0; i < 3 * THREADS; i++)
        all[i] = i;
    odd[3 * THREADS + 2] = 'x';
    upc_memget(buffer, all + MYTHREAD, 12);
    /* Onto itself. */
    upc_memcpy(mine, mine, 10 * sizeof(int));
    upc_memcpy(all + MYTHREAD, all + MYTHREAD, 3 * sizeof(int));
    upc_barrier;
    upc_all_free(all);
    upc_free(mine);
    return passed();
}

int main(int argc, char **argv)
{
    shared [] int *mine = upc_alloc(10 * sizeof(int));
    shared int *all = upc_all_alloc(THREADS, 3 * sizeof(int));
    shared [3] char *odd = upc_all_alloc(THREADS + 1, 3);
    shared [] struct item *list = upc_alloc(sizeof *list);
    shared [] int *gone;
    shared [] int *narrow = (shared [] int *)all;
    upc_barrier;
    switch (the_case(argc, argv)) {
    case 0: return legal();
    case 1: return mine[10]; //~ 1 at the end of an allocated block of 40 bytes
    case 2: mine[11] = 1; break; //~ 2 4 bytes past the end of an allocated block of 40 bytes
    case 3: return mine[-1]; //~ 3 reads 4 bytes at thread
    case 4: *(shared [] long *)(mine + 9) = 1; break; //~ 4 writes 8 bytes at thread
    case 5: return all[3 * THREADS]; //~ 5 at the end of its part of an allocated block of
    case 6: odd[3 * THREADS + 3] = 1; break; //~ 6 writes 1 bytes at thread
    case 7: upc_memget(buffer, mine, 41); break; //~ 7 upc_memget reads 41 bytes at thread
    case 8: upc_memput(mine + 1, buffer, 40); break; //~ 8 4 of them past the end of an allocated block
    case 9: upc_memset(all, 0, 13); break; //~ 9 upc_memset writes 13 bytes at thread 0, 1 of them past
    case 10: upc_memcpy(mine, narrow, 16); break; //~ 10 upc_memcpy reads 16 bytes
    case 11: upc_memcpy(narrow, mine, 16); break; //~ 11 upc_memcpy writes 16 bytes
    case 12: upc_memcpy(mine, mine + 4, 20); break; //~ 12 that overlap
    case 13:
        gone = upc_alloc(12);
        upc_free(gone);
        return gone[2]; //~ 13 in an allocated block of 12 bytes, which thread
    case 14:
        list->next = upc_alloc(sizeof *list);
        upc_free(list->next);
        list->next->value = 1; //~ 14 which thread
        break;
    case 15: return narrow[3]; //~ 15 reads 4 bytes at thread 0
    case 16:
        upc_barrier;
        if (MYTHREAD == THREADS - 1)
            upc_free(all);
        upc_barrier;
        all[MYTHREAD] = 1; //~ 16 * 12 bytes, which thread
        break;
    }
    return 0;
}
