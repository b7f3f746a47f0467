// check: NULL NULL_INDEX NULL_BELOW THREAD
#include <string.h>
#include "check.h"

struct pair { int a; unsigned low : 3, high : 5; int rest[4]; };

shared int *to_int;
shared struct pair *to_pair;
shared [] struct pair *on_one;
shared [5] double *blocked;
strict shared int *ordered;
shared int *shared cell[THREADS];
char buffer[8];

static int legal(void)
{
    if (to_int != NULL || to_int || !(to_int == 0) || upc_threadof(to_int) != 0)
        return 1;
    if ((int *)to_int != NULL || (void *)on_one != NULL)
        return 1;
    /* Nothing is copied. */
    upc_memget(buffer, to_int, 0);
    upc_memput(to_int, buffer, 0);
    upc_memset(to_int, 1, 0);
    upc_memcpy(to_int, on_one, 0);
    upc_free(to_int);
    upc_lock_free(NULL);
    cell[MYTHREAD] = NULL;
    return passed();
}

int main(int argc, char **argv)
{
    shared int *wild;
    struct pair copy = {1};
    memset(&wild, 0x11, sizeof wild);
    switch (the_case(argc, argv)) {
    case 0: return legal();
    case 1: return *to_int; //~ 1 reads 4 bytes through a null pointer-to-shared
    case 2: *to_int = 3; break; //~ 2 writes 4 bytes through a null
    case 3: copy = *to_pair; break; //~ 3 reads 24 bytes through a null
    case 4: *on_one = copy; break; //~ 4 writes 24 bytes through a null
    case 5: return to_pair->low; //~ 5 reads 24 bytes through a null
    case 6: on_one->high = 2; break; //~ 6 writes 24 bytes through a null
    case 7: *blocked += 1; break; //~ 7 reads 8 bytes through a null
    case 8: return *ordered; //~ 8 reads 4 bytes through a null
    case 9: *ordered = 1; break; //~ 9 writes 4 bytes through a null
    case 10: *cell[MYTHREAD] = 1; break; //~ 10 writes 4 bytes through a null
    case 11: upc_memget(buffer, to_int, 8); break; //~ 11 upc_memget reads 8 bytes through a null
    case 12: upc_memput(to_int, buffer, 7); break; //~ 12 upc_memput writes 7 bytes through a null
    case 13: upc_memset(to_int, 0, 1); break; //~ 13 upc_memset writes 1 bytes through a null
    case 14: upc_memcpy(to_int, to_pair, 8); break; //~ 14 upc_memcpy reads 8 bytes through a null
    case 15: ++to_pair->a; break; //~ 15 reads 4 bytes
    case 16: return *wild; //~ 16 but THREADS is
    case 18: to_int[5] = 3; break; //~ 18 , which is a null pointer-to-shared plus an index or member
    case 19: return to_pair->rest[2]; //~ 19 reads 4 bytes at thread 0, address 0x10, which is a null pointer-to-shared plus
    case 20: copy = to_pair[THREADS]; break; //~ 20 reads 24 bytes at thread 0, address 0x18, which is a null
    case 21: blocked[6] = 1; break; //~ 21 which is a null pointer-to-shared plus
    case 22: upc_memget(buffer, &on_one[2], 8); break; //~ 22 upc_memget reads 8 bytes at thread 0, address 0x30, which is a null
    case 23: return to_int[-1]; //~ 23 address -0x4, which is a null pointer-to-shared plus a negative index
    case 24: on_one[-2].a = 1; break; //~ 24 at thread 0, address -0x30, which is a null pointer-to-shared plus a negative index
    case 25: blocked[-1] = 1; break; //~ 25 address -0x8, which is a null pointer-to-shared plus a negative index
    case 26: on_one[100000].a = 1; break; //~ 26 at thread 0, address 0x249f00, where there is no object, as with a null pointer-to-shared plus an index
    case 17: upc_memset(wild, 0, 4); break; //~ 17 but THREADS is
    }
    return copy.a;
}
