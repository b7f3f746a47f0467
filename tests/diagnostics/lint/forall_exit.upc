// W0708: break, return and goto out of a upc_forall; W0704: collective calls in its body.
#include <upc.h>

shared int a[10 * THREADS];

int f(int n)
{
    int i, j;
    upc_forall (i = 0; i < n; i++; &a[i])
        if (a[i] == 3)
            break; //~ W0708 @13 this break leaves a upc_forall
    upc_forall (i = 0; i < n; i++; &a[i]) {
        if (a[i] == 3)
            return i; //~ W0708 @13 this return
        for (j = 0; j < n; j++)
            if (a[j])
                goto out; //~ W0708 @17 this goto
    }
    upc_forall (i = 0; i < n; i++; continue)
        if (i == n / 2)
            break; //~ W0708
out:
    // Silent: these stay in the loop.
    upc_forall (i = 0; i < n; i++; &a[i]) {
        if (a[i] == 0)
            continue;
        for (j = 0; j < n; j++)
            if (a[j])
                break;
        switch (a[i]) {
        case 1:
            a[i] = 2;
            break;
        }
        if (j == n)
            goto next;
        a[i] = 4;
    next:;
    }
    for (j = 0; j < n; j++) {
        upc_forall (i = 0; i < n; i++; &a[i])
            a[i]++;
        if (a[0] > n)
            break;
    }
    return 0;
}

void collectives(int n)
{
    shared void *p = 0;
    upc_forall (int i = 0; i < n; i++; i) {
        p = upc_all_alloc(THREADS, 8); //~ W0704 @13 `upc_all_alloc` is collective
        p = upc_global_alloc(THREADS, 8);
    }
    upc_forall (int i = 0; i < n; i++; continue)
        p = upc_all_alloc(THREADS, 8);
    upc_all_free(p);
}
