// question: do variables and memory that are not shared take no part in races?
#include "races.h"
#include <stdlib.h>

static int global;
static shared int a[THREADS];

int main(void)
{
    int local = MYTHREAD, *p = &local, *heap = malloc(sizeof *heap);
    *heap = 1;
    global += *p + *heap;
    p = heap;
    *p += global;
    CHECK(*heap == MYTHREAD + 2);
    free(heap);
    p = (int *)&a[MYTHREAD];
    *p = 3;
    CHECK(a[MYTHREAD] == 3);
    return pass();
}
