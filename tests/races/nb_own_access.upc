// question: is the race found of a non-blocking put with the same thread's access before the end of it?
// race: 12 13
#include "races.h"
#include <upc_nb.h>

static shared [] int a[8];

int main(void)
{
    int data[8] = { 0 };
    if (MYTHREAD == 0) {
        upc_handle_t handle = upc_memput_nb(a, data, sizeof data);
        a[3] = 5;
        upc_sync(handle);
    }
    return pass();
}
