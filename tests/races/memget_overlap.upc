// question: is the race found of a put and a get whose ranges share one byte?
// threads: 2
// race: 12 14
#include "races.h"

static shared [] char a[64];

int main(void)
{
    char data[32] = { 0 };
    if (MYTHREAD == 0)
        upc_memput(&a[0], data, 32);
    else
        upc_memget(data, &a[31], 32);
    return pass();
}
