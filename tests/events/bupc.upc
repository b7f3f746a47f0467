// Berkeley's asynchronous transfers, semaphores and signalling stores, and the transfers of <upc_nb.h> that nb.upc has not.
// remote: balance
#include <upc.h>
#include <upc_nb.h>

shared [4] int remote[4 * THREADS];
shared [4] int too[4 * THREADS];

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    int mine[4] = {1, 2, 3, 4};
    int next = (MYTHREAD + 1) % THREADS;
    bupc_handle_t h[2];
    bupc_sem_t *sem = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_MPRODUCER | BUPC_SEM_SCONSUMER);
    //= 23 UPCC_SEM_ALLOC sem_flags=26 -> sem=<$t:0>
    h[0] = bupc_memcpy_async(&too[4 * next], &remote[4 * next], 8);
    //= 12 BUPC_NB_MEMCPY_INIT START dst=too[$4u], src=remote[$4u], n=8
    //= 12 UPC_NB_PUT_DATA handle=complete
    //= 12 BUPC_NB_MEMCPY_INIT END dst=too[$4u], src=remote[$4u], n=8, handle=complete
    h[1] = bupc_memget_async(mine, &remote[4 * next], 8);
    //= 12 UPC_NB_GET_INIT START is_relaxed=1, dst=*, src=remote[$4u], n=8
    //= 12 UPC_NB_GET_DATA handle=complete
    //= 12 UPC_NB_GET_INIT END is_relaxed=1, dst=*, src=remote[$4u], n=8, handle=complete
    bupc_waitsync_all(h, 2);
    //= 5 UPC_NB_SYNC handle=complete
    h[0] = bupc_memput_async(&remote[4 * next], mine, 8);
    //= 12 UPC_NB_PUT_INIT START is_relaxed=1, dst=remote[$4u], src=*, n=8
    //= 12 UPC_NB_PUT_DATA handle=complete
    //= 12 UPC_NB_PUT_INIT END is_relaxed=1, dst=remote[$4u], src=*, n=8, handle=complete
    h[1] = bupc_memset_async(&too[4 * next], 1, 8);
    //= 12 UPCC_NB_MEMSET_INIT START dst=too[$4u], c=1, n=8
    //= 12 UPC_NB_PUT_DATA handle=complete
    //= 12 UPCC_NB_MEMSET_INIT END dst=too[$4u], c=1, n=8, handle=complete
    bupc_waitsync_some(h, 2);
    //= 5 UPC_NB_SYNC handle=complete
    while (!bupc_trysync_all(h, 2))      //#all
        continue;
    //= all:13 BUPC_NB_TRYSYNC handle=complete -> result=1
    bupc_trysync_some(h, 2);
    //= 5 BUPC_NB_TRYSYNC handle=complete -> result=1
    bupc_waitsync(h[0]);
    //= 5 UPC_NB_SYNC handle=complete
    bupc_trysync(h[1]);
    //= 5 BUPC_NB_TRYSYNC handle=complete -> result=1
    bupc_memcpy_asynci(&too[4 * next], &remote[4 * next], 8);
    //= 5 BUPC_NB_MEMCPY_INIT START dst=too[$4u], src=remote[$4u], n=8
    //= 5 UPC_NB_PUT_DATA handle=complete
    //= 5 BUPC_NB_MEMCPY_INIT END dst=too[$4u], src=remote[$4u], n=8, handle=complete
    bupc_memset_asynci(&too[4 * next], 1, 8);
    //= 5 UPCC_NB_MEMSET_INIT START dst=too[$4u], c=1, n=8
    //= 5 UPC_NB_PUT_DATA handle=complete
    //= 5 UPCC_NB_MEMSET_INIT END dst=too[$4u], c=1, n=8, handle=complete
    bupc_memget_asynci(mine, &remote[4 * next], 8);
    //= 5 UPC_NB_GET_INIT START is_relaxed=1, dst=*, src=remote[$4u], n=8
    //= 5 UPC_NB_GET_DATA handle=complete
    //= 5 UPC_NB_GET_INIT END is_relaxed=1, dst=*, src=remote[$4u], n=8, handle=complete
    bupc_memput_asynci(&remote[4 * next], mine, 8);
    //= 5 UPC_NB_PUT_INIT START is_relaxed=1, dst=remote[$4u], src=*, n=8
    //= 5 UPC_NB_PUT_DATA handle=complete
    //= 5 UPC_NB_PUT_INIT END is_relaxed=1, dst=remote[$4u], src=*, n=8, handle=complete
    bupc_waitsynci();
    //= 5 UPC_NB_SYNC handle=complete
    bupc_trysynci();
    //= 5 BUPC_NB_TRYSYNC handle=complete -> result=1
    upc_memcpy_nbi(&too[4 * next], &remote[4 * next], 8);
    //= 5 BUPC_NB_MEMCPY_INIT START dst=too[$4u], src=remote[$4u], n=8
    //= 5 UPC_NB_PUT_DATA handle=complete
    //= 5 BUPC_NB_MEMCPY_INIT END dst=too[$4u], src=remote[$4u], n=8, handle=complete
    upc_memset_nbi(&too[4 * next], 1, 8);
    //= 5 UPCC_NB_MEMSET_INIT START dst=too[$4u], c=1, n=8
    //= 5 UPC_NB_PUT_DATA handle=complete
    //= 5 UPCC_NB_MEMSET_INIT END dst=too[$4u], c=1, n=8, handle=complete
    upc_synci();
    //= 5 UPC_NB_SYNC handle=complete
    bupc_memput_signal(&remote[4 * MYTHREAD], mine, 8, sem, 1);
    //= 5 UPC_MEMPUT START dst=remote[$4t], src=*, n=8
    //= 5 UPCC_SEM_POST sem=<$t:0>, count=1
    //= 5 UPC_MEMPUT END dst=remote[$4t], src=*, n=8
    bupc_sem_wait(sem);
    //= 5 UPCC_SEM_WAIT sem=<$t:0>, count=1
    bupc_memput_signal_async(&remote[4 * MYTHREAD], mine, 8, sem, 2);
    //= 5 UPC_NB_PUT_INIT START is_relaxed=1, dst=remote[$4t], src=*, n=8
    //= 5 UPC_NB_PUT_DATA handle=complete
    //= 5 UPCC_SEM_POST sem=<$t:0>, count=2
    //= 5 UPC_NB_PUT_INIT END is_relaxed=1, dst=remote[$4t], src=*, n=8, handle=complete
    bupc_sem_waitN(sem, 2);
    //= 5 UPCC_SEM_WAIT sem=<$t:0>, count=2
    bupc_sem_try(sem);
    //= 5 UPCC_SEM_TRY sem=<$t:0>, count=1 -> result=0
    bupc_sem_post(sem);
    //= 5 UPCC_SEM_POST sem=<$t:0>, count=1
    bupc_sem_postN(sem, 3);
    //= 5 UPCC_SEM_POST sem=<$t:0>, count=3
    bupc_sem_tryN(sem, 4);
    //= 5 UPCC_SEM_TRY sem=<$t:0>, count=4 -> result=1
    bupc_sem_free(sem);
    //= 5 UPCC_SEM_FREE sem=<$t:0>
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
