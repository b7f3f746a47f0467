// UPC 6.6.2 p13: no thread leaves a upc_forall by break, goto or return, enters it by goto, or meets a collective operation in it.
#include <upc.h>

shared int a[THREADS];

int f(int n)
{
    int i;
    if (n == 3)
        goto inside;
    upc_forall (i = 0; i < n; i++; i) {
    inside: //~ E0702 @5 a goto jumps from outside to this label in the body of a upc_forall
        a[i] = n;
    }
    upc_forall (i = 0; i < n; i++; i)
        if (a[i])
            break; //~ W0708 @13 this break leaves a upc_forall on one thread: the behaviour of the other threads is then undefined
    upc_forall (i = 0; i < n; i++; i)
        return i; //~ W0708 @9
    upc_forall (i = 0; i < n; i++; i)
        if (a[i] == n)
            goto out; //~ W0708 @13
    upc_forall (i = 0; i < n; i++; i)
        upc_barrier; //~ W0704 @9 a barrier inside a upc_forall: not every thread executes it
    upc_forall (i = 0; i < n; i++; i)
        a[i] = upc_all_alloc(1, 1) == 0; //~ W0704 @16
    switch (n) {
        upc_forall (i = 0; i < n; i++; i) {
        case 1: //~ E0702 @9
            a[i] = n;
        }
    }
    upc_forall (i = 0; i < n; i++; i) {
        if (a[i] == 0)
            continue;
        while (a[i]--)
            if (a[i] == 7)
                break;
    }
out:
    return n;
}
