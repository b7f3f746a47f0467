// A shared variable in a function
#include <upc.h>

int main(void)
{
    shared int counter; //~ E0500 @16
    counter = 0;
    upc_barrier;
    return 0;
}
