// Transfers that go on after the call. Within a machine each is complete when it has begun, and its data moves meanwhile; the data of others moves until
// the handle is asked after. Those without a handle are reported as complete in any case.
#include <upc.h>
#include <upc_nb.h>

shared [4] int far[4 * THREADS];
shared [4] int too[4 * THREADS];

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    int mine[4] = {1, 2, 3, 4};
    int next = (MYTHREAD + 1) % THREADS;
    upc_handle_t h;
    h = upc_memput_nb(&far[4 * next], mine, 16);    //= 9 UPC_NB_PUT_INIT START is_relaxed=1, dst=far[$4u], src=*, n=16
                                                    //= near 9 UPC_NB_PUT_DATA handle=complete
                                                    //= near 9 UPC_NB_PUT_INIT END is_relaxed=1, dst=far[$4u], src=*, n=16, handle=complete
                                                    //= far 9 UPC_NB_PUT_DATA START handle=*
                                                    //= far 9 UPC_NB_PUT_INIT END is_relaxed=1, dst=far[$4u], src=*, n=16, handle=*
    upc_sync(h);                                    //= near 5 UPC_NB_SYNC handle=complete
                                                    //= far 5 UPC_NB_SYNC START handle=*
                                                    //= far 5 UPC_NB_PUT_DATA END handle=*
                                                    //= far 5 UPC_NB_SYNC END handle=*
    h = upc_memget_nb(mine, &far[4 * next], 8);     //= 9 UPC_NB_GET_INIT START is_relaxed=1, dst=*, src=far[$4u], n=8
                                                    //= near 9 UPC_NB_GET_DATA handle=complete
                                                    //= near 9 UPC_NB_GET_INIT END is_relaxed=1, dst=*, src=far[$4u], n=8, handle=complete
                                                    //= far 9 UPC_NB_GET_DATA START handle=*
                                                    //= far 9 UPC_NB_GET_INIT END is_relaxed=1, dst=*, src=far[$4u], n=8, handle=*
    while (!upc_sync_attempt(h))                    //= near 13 BUPC_NB_TRYSYNC handle=complete -> result=1
                                                    //= far 13 BUPC_NB_TRYSYNC START handle=*
                                                    //= far 13 UPC_NB_GET_DATA END handle=*
                                                    //= far 13 BUPC_NB_TRYSYNC END handle=*, result=1
        continue;
    h = upc_memcpy_nb(&too[4 * next], &far[4 * next], 4);
    //= 9 BUPC_NB_MEMCPY_INIT START dst=too[$4u], src=far[$4u], n=4
    //= 9 UPC_NB_PUT_DATA handle=complete
    //= 9 BUPC_NB_MEMCPY_INIT END dst=too[$4u], src=far[$4u], n=4, handle=complete
    upc_sync(h);                                    //= 5 UPC_NB_SYNC handle=complete
    h = upc_memset_nb(&too[4 * next], 0, 4);        //= 9 UPCC_NB_MEMSET_INIT START dst=too[$4u], c=0, n=4
                                                    //= 9 UPC_NB_PUT_DATA handle=complete
                                                    //= 9 UPCC_NB_MEMSET_INIT END dst=too[$4u], c=0, n=4, handle=complete
    upc_sync(h);                                    //= 5 UPC_NB_SYNC handle=complete
    upc_memput_nbi(&far[4 * next], mine, 16);       //= 5 UPC_NB_PUT_INIT START is_relaxed=1, dst=far[$4u], src=*, n=16
                                                    //= 5 UPC_NB_PUT_DATA handle=complete
                                                    //= 5 UPC_NB_PUT_INIT END is_relaxed=1, dst=far[$4u], src=*, n=16, handle=complete
    upc_memget_nbi(mine, &far[4 * next], 16);       //= 5 UPC_NB_GET_INIT START is_relaxed=1, dst=*, src=far[$4u], n=16
                                                    //= 5 UPC_NB_GET_DATA handle=complete
                                                    //= 5 UPC_NB_GET_INIT END is_relaxed=1, dst=*, src=far[$4u], n=16, handle=complete
    upc_synci();                                    //= 5 UPC_NB_SYNC handle=complete
    while (!upc_synci_attempt())                    //= 13 BUPC_NB_TRYSYNC handle=complete -> result=1
        continue;
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
