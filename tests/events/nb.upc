// Transfers that go on after the call. Within a machine each is complete when it has begun, and its data moves meanwhile; the data of others moves until
// the handle is asked after. Those without a handle are reported as complete in any case.
#include <upc.h>
#include <upc_nb.h>

shared [4] int remote[4 * THREADS];
shared [4] int too[4 * THREADS];

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    int mine[4] = {1, 2, 3, 4};
    int next = (MYTHREAD + 1) % THREADS;
    upc_handle_t h;
    h = upc_memput_nb(&remote[4 * next], mine, 16); //= 9 UPC_NB_PUT_INIT START is_relaxed=1, dst=remote[$4u], src=*, n=16
                                                    //= local 9 UPC_NB_PUT_DATA handle=complete
                                                    //= local 9 UPC_NB_PUT_INIT END is_relaxed=1, dst=remote[$4u], src=*, n=16, handle=complete
                                                    //= remote 9 UPC_NB_PUT_DATA START handle=*
                                                    //= remote 9 UPC_NB_PUT_INIT END is_relaxed=1, dst=remote[$4u], src=*, n=16, handle=*
    upc_sync(h);                                    //= local 5 UPC_NB_SYNC handle=complete
                                                    //= remote 5 UPC_NB_SYNC START handle=*
                                                    //= remote 5 UPC_NB_PUT_DATA END handle=*
                                                    //= remote 5 UPC_NB_SYNC END handle=*
    h = upc_memget_nb(mine, &remote[4 * next], 8);  //= 9 UPC_NB_GET_INIT START is_relaxed=1, dst=*, src=remote[$4u], n=8
                                                    //= local 9 UPC_NB_GET_DATA handle=complete
                                                    //= local 9 UPC_NB_GET_INIT END is_relaxed=1, dst=*, src=remote[$4u], n=8, handle=complete
                                                    //= remote 9 UPC_NB_GET_DATA START handle=*
                                                    //= remote 9 UPC_NB_GET_INIT END is_relaxed=1, dst=*, src=remote[$4u], n=8, handle=*
    while (!upc_sync_attempt(h))                    //= local 13 BUPC_NB_TRYSYNC handle=complete -> result=1
                                                    //= remote 13 BUPC_NB_TRYSYNC START handle=*
                                                    //= remote 13 UPC_NB_GET_DATA END handle=*
                                                    //= remote 13 BUPC_NB_TRYSYNC END handle=*, result=1
        continue;
    h = upc_memcpy_nb(&too[4 * next], &remote[4 * next], 4);
    //= 9 BUPC_NB_MEMCPY_INIT START dst=too[$4u], src=remote[$4u], n=4
    //= local 9 UPC_NB_PUT_DATA handle=complete
    //= local 9 BUPC_NB_MEMCPY_INIT END dst=too[$4u], src=remote[$4u], n=4, handle=complete
    //= remote 9 UPC_NB_PUT_DATA START handle=*
    //= remote 9 BUPC_NB_MEMCPY_INIT END dst=too[$4u], src=remote[$4u], n=4, handle=*
    upc_sync(h);                                    //= local 5 UPC_NB_SYNC handle=complete
                                                    //= remote 5 UPC_NB_SYNC START handle=*
                                                    //= remote 5 UPC_NB_PUT_DATA END handle=*
                                                    //= remote 5 UPC_NB_SYNC END handle=*
    h = upc_memset_nb(&too[4 * next], 0, 4);        //= 9 UPCC_NB_MEMSET_INIT START dst=too[$4u], c=0, n=4
                                                    //= local 9 UPC_NB_PUT_DATA handle=complete
                                                    //= local 9 UPCC_NB_MEMSET_INIT END dst=too[$4u], c=0, n=4, handle=complete
                                                    //= remote 9 UPC_NB_PUT_DATA START handle=*
                                                    //= remote 9 UPCC_NB_MEMSET_INIT END dst=too[$4u], c=0, n=4, handle=*
    upc_sync(h);                                    //= local 5 UPC_NB_SYNC handle=complete
                                                    //= remote 5 UPC_NB_SYNC START handle=*
                                                    //= remote 5 UPC_NB_PUT_DATA END handle=*
                                                    //= remote 5 UPC_NB_SYNC END handle=*
    upc_memput_nbi(&remote[4 * next], mine, 16);    //= 5 UPC_NB_PUT_INIT START is_relaxed=1, dst=remote[$4u], src=*, n=16
                                                    //= 5 UPC_NB_PUT_DATA handle=complete
                                                    //= 5 UPC_NB_PUT_INIT END is_relaxed=1, dst=remote[$4u], src=*, n=16, handle=complete
    upc_memget_nbi(mine, &remote[4 * next], 16);    //= 5 UPC_NB_GET_INIT START is_relaxed=1, dst=*, src=remote[$4u], n=16
                                                    //= 5 UPC_NB_GET_DATA handle=complete
                                                    //= 5 UPC_NB_GET_INIT END is_relaxed=1, dst=*, src=remote[$4u], n=16, handle=complete
    upc_synci();                                    //= 5 UPC_NB_SYNC handle=complete
    while (!upc_synci_attempt())                    //= 13 BUPC_NB_TRYSYNC handle=complete -> result=1
        continue;
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
