// A upc_forall whose references are made private, unless local accesses are reported. One thread, for which all is local.
// threads: 1
#include <upc.h>

shared int a[3 * THREADS];
shared [] int remote[8];

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    int i, sum = 0;
    upc_forall (i = 0; i < 3 * THREADS; i++; &a[i])     //#own
        a[i] = i;               //#put
    //= own:5 UPC_FORALL START
    //= put:9 UPC_PUT @0 is_relaxed=1, dst=a[0], src=*, n=4
    //= put:9 UPC_PUT @0 is_relaxed=1, dst=a[1], src=*, n=4
    //= put:9 UPC_PUT @0 is_relaxed=1, dst=a[2], src=*, n=4
    //= own:5 UPC_FORALL END
    upc_forall (i = 0; i < a[2]; i += a[1]; a[0])       //#clauses
        sum++;
    //= clauses:5 UPC_FORALL START
    //= clauses:28 UPC_GET @0 is_relaxed=1, dst=*, src=a[2], n=4
    //= clauses:45 UPC_GET @0 is_relaxed=1, dst=*, src=a[0], n=4
    //= clauses:39 UPC_GET @0 is_relaxed=1, dst=*, src=a[1], n=4
    //= clauses:28 UPC_GET @0 is_relaxed=1, dst=*, src=a[2], n=4
    //= clauses:45 UPC_GET @0 is_relaxed=1, dst=*, src=a[0], n=4
    //= clauses:39 UPC_GET @0 is_relaxed=1, dst=*, src=a[1], n=4
    //= clauses:28 UPC_GET @0 is_relaxed=1, dst=*, src=a[2], n=4
    //= clauses:5 UPC_FORALL END
    upc_forall (i = 0; i < 2; i++; i) {                 //#outer
        upc_forall (int j = 0; j < 1; j++; &remote[j]) { //#inner
            remote[j] = 1;      //#remote
        }
    }
    //= outer:5 UPC_FORALL START
    //= inner:9 UPC_FORALL START
    //= remote:13 UPC_PUT @0 is_relaxed=1, dst=remote[0], src=*, n=4
    //= inner:9 UPC_FORALL END
    //= inner:9 UPC_FORALL START
    //= remote:13 UPC_PUT @0 is_relaxed=1, dst=remote[0], src=*, n=4
    //= inner:9 UPC_FORALL END
    //= outer:5 UPC_FORALL END
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
