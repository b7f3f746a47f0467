// question: do transfers whose ranges touch without a common byte not race?
// threads: 2 4
#include "races.h"

static shared [] char a[64], b[64];

int main(void)
{
    char data[32] = { 0 };
    switch (MYTHREAD) {
    case 0:
        upc_memput(&a[0], data, 31);
        upc_memget(data, &b[0], 32);
        break;
    case 1:
        upc_memset(&a[31], 1, 2);
        upc_memget(data, &b[16], 32);
        break;
    case 2:
        upc_memcpy(&a[33], &b[0], 15);
        break;
    case 3:
        a[48] = b[15];
        break;
    }
    upc_barrier;
    CHECK(a[30] == 0 && a[31] == 1 && a[32] == 1 && a[33] == 0);
    return pass();
}
