// question: is the race found of two puts whose ranges share one element?
// threads: 2
// race: 13 15
// element: element 8 of `a`
#include "races.h"

static shared [] int a[17];

int main(void)
{
    int data[9] = { 0 };
    if (MYTHREAD == 0)
        upc_memput(&a[0], data, 9 * sizeof(int));
    else
        upc_memput(&a[8], data, 9 * sizeof(int));
    return pass();
}
