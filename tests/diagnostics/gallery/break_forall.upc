// A `break` out of upc_forall
#include <upc.h>
shared int a[10 * THREADS];

int find(int key)
{
    int i, found = -1;
    upc_forall (i = 0; i < 10 * THREADS; i++; &a[i])
        if (a[i] == key) {
            found = i;
            break; //~ W0708 @13
        }
    return found;
}
