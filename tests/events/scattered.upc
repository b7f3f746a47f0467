// Berkeley's transfers of scattered places: the events have the first place of each side and the bytes of all.
// remote: balance
#include <upc.h>

shared [64] char remote[64 * THREADS];
shared [64] char too[64 * THREADS];

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    static char mine[64];
    int next = (MYTHREAD + 1) % THREADS;
    shared void *there = &remote[64 * next], *other = &too[64 * next];
    bupc_smemvec_t remote_blocks[2] = {{&remote[64 * next + 8], 4}, {there, 6}}, other_blocks[1] = {{other, 10}};
    bupc_pmemvec_t blocks[1] = {{mine, 10}};
    shared void *remote_places[2] = {&remote[64 * next + 4], there}, *other_places[1] = {other};
    shared const void *from_places[2] = {&remote[64 * next + 4], there};
    void *places[1] = {mine};
    const void *sources[1] = {mine};
    size_t strides[1] = {8}, counts[2] = {4, 3};
    bupc_memput_vlist(2, remote_blocks, 1, blocks);
    //= 5 UPC_MEMPUT dst=remote[$(64u+8)], src=*, n=10
    bupc_memget_vlist(1, blocks, 2, remote_blocks);
    //= 5 UPC_MEMGET dst=*, src=remote[$(64u+8)], n=10
    bupc_memcpy_vlist(1, other_blocks, 2, remote_blocks);
    //= 5 UPC_MEMCPY dst=too[$64u], src=remote[$(64u+8)], n=10
    bupc_memput_ilist(2, remote_places, 3, 1, sources, 6);
    //= 5 UPC_MEMPUT dst=remote[$(64u+4)], src=*, n=6
    bupc_memget_ilist(1, places, 6, 2, from_places, 3);
    //= 5 UPC_MEMGET dst=*, src=remote[$(64u+4)], n=6
    bupc_memcpy_ilist(1, other_places, 6, 2, from_places, 3);
    //= 5 UPC_MEMCPY dst=too[$64u], src=remote[$(64u+4)], n=6
    bupc_memput_fstrided(there, 4, 8, 3, mine, 12, 12, 1);
    //= 5 UPC_MEMPUT dst=remote[$64u], src=*, n=12
    bupc_memget_fstrided(mine, 12, 12, 1, there, 4, 8, 3);
    //= 5 UPC_MEMGET dst=*, src=remote[$64u], n=12
    bupc_memcpy_fstrided(other, 12, 12, 1, there, 4, 8, 3);
    //= 5 UPC_MEMCPY dst=too[$64u], src=remote[$64u], n=12
    bupc_memput_strided(there, strides, mine, strides, counts, 1);
    //= 5 UPC_MEMPUT dst=remote[$64u], src=*, n=12
    bupc_memget_strided(mine, strides, there, strides, counts, 1);
    //= 5 UPC_MEMGET dst=*, src=remote[$64u], n=12
    bupc_memcpy_strided(other, strides, there, strides, counts, 1);
    //= 5 UPC_MEMCPY dst=too[$64u], src=remote[$64u], n=12
    bupc_waitsync(bupc_memput_vlist_async(2, remote_blocks, 1, blocks));
    //= 19 UPC_NB_PUT_INIT START is_relaxed=1, dst=remote[$(64u+8)], src=*, n=10
    //= 19 UPC_NB_PUT_DATA handle=complete
    //= 19 UPC_NB_PUT_INIT END is_relaxed=1, dst=remote[$(64u+8)], src=*, n=10, handle=complete
    //= 5 UPC_NB_SYNC handle=complete
    bupc_waitsync(bupc_memget_vlist_async(1, blocks, 2, remote_blocks));
    //= 19 UPC_NB_GET_INIT START is_relaxed=1, dst=*, src=remote[$(64u+8)], n=10
    //= 19 UPC_NB_GET_DATA handle=complete
    //= 19 UPC_NB_GET_INIT END is_relaxed=1, dst=*, src=remote[$(64u+8)], n=10, handle=complete
    //= 5 UPC_NB_SYNC handle=complete
    bupc_waitsync(bupc_memcpy_vlist_async(1, other_blocks, 2, remote_blocks));
    //= 19 BUPC_NB_MEMCPY_INIT START dst=too[$64u], src=remote[$(64u+8)], n=10
    //= 19 UPC_NB_PUT_DATA handle=complete
    //= 19 BUPC_NB_MEMCPY_INIT END dst=too[$64u], src=remote[$(64u+8)], n=10, handle=complete
    //= 5 UPC_NB_SYNC handle=complete
    bupc_waitsync(bupc_memput_ilist_async(2, remote_places, 3, 1, sources, 6));
    //= 19 UPC_NB_PUT_INIT START is_relaxed=1, dst=remote[$(64u+4)], src=*, n=6
    //= 19 UPC_NB_PUT_DATA handle=complete
    //= 19 UPC_NB_PUT_INIT END is_relaxed=1, dst=remote[$(64u+4)], src=*, n=6, handle=complete
    //= 5 UPC_NB_SYNC handle=complete
    bupc_waitsync(bupc_memget_ilist_async(1, places, 6, 2, from_places, 3));
    //= 19 UPC_NB_GET_INIT START is_relaxed=1, dst=*, src=remote[$(64u+4)], n=6
    //= 19 UPC_NB_GET_DATA handle=complete
    //= 19 UPC_NB_GET_INIT END is_relaxed=1, dst=*, src=remote[$(64u+4)], n=6, handle=complete
    //= 5 UPC_NB_SYNC handle=complete
    bupc_waitsync(bupc_memcpy_ilist_async(1, other_places, 6, 2, from_places, 3));
    //= 19 BUPC_NB_MEMCPY_INIT START dst=too[$64u], src=remote[$(64u+4)], n=6
    //= 19 UPC_NB_PUT_DATA handle=complete
    //= 19 BUPC_NB_MEMCPY_INIT END dst=too[$64u], src=remote[$(64u+4)], n=6, handle=complete
    //= 5 UPC_NB_SYNC handle=complete
    bupc_waitsync(bupc_memput_fstrided_async(there, 4, 8, 3, mine, 12, 12, 1));
    //= 19 UPC_NB_PUT_INIT START is_relaxed=1, dst=remote[$64u], src=*, n=12
    //= 19 UPC_NB_PUT_DATA handle=complete
    //= 19 UPC_NB_PUT_INIT END is_relaxed=1, dst=remote[$64u], src=*, n=12, handle=complete
    //= 5 UPC_NB_SYNC handle=complete
    bupc_waitsync(bupc_memget_fstrided_async(mine, 12, 12, 1, there, 4, 8, 3));
    //= 19 UPC_NB_GET_INIT START is_relaxed=1, dst=*, src=remote[$64u], n=12
    //= 19 UPC_NB_GET_DATA handle=complete
    //= 19 UPC_NB_GET_INIT END is_relaxed=1, dst=*, src=remote[$64u], n=12, handle=complete
    //= 5 UPC_NB_SYNC handle=complete
    bupc_waitsync(bupc_memcpy_fstrided_async(other, 12, 12, 1, there, 4, 8, 3));
    //= 19 BUPC_NB_MEMCPY_INIT START dst=too[$64u], src=remote[$64u], n=12
    //= 19 UPC_NB_PUT_DATA handle=complete
    //= 19 BUPC_NB_MEMCPY_INIT END dst=too[$64u], src=remote[$64u], n=12, handle=complete
    //= 5 UPC_NB_SYNC handle=complete
    bupc_waitsync(bupc_memput_strided_async(there, strides, mine, strides, counts, 1));
    //= 19 UPC_NB_PUT_INIT START is_relaxed=1, dst=remote[$64u], src=*, n=12
    //= 19 UPC_NB_PUT_DATA handle=complete
    //= 19 UPC_NB_PUT_INIT END is_relaxed=1, dst=remote[$64u], src=*, n=12, handle=complete
    //= 5 UPC_NB_SYNC handle=complete
    bupc_waitsync(bupc_memget_strided_async(mine, strides, there, strides, counts, 1));
    //= 19 UPC_NB_GET_INIT START is_relaxed=1, dst=*, src=remote[$64u], n=12
    //= 19 UPC_NB_GET_DATA handle=complete
    //= 19 UPC_NB_GET_INIT END is_relaxed=1, dst=*, src=remote[$64u], n=12, handle=complete
    //= 5 UPC_NB_SYNC handle=complete
    bupc_waitsync(bupc_memcpy_strided_async(other, strides, there, strides, counts, 1));
    //= 19 BUPC_NB_MEMCPY_INIT START dst=too[$64u], src=remote[$64u], n=12
    //= 19 UPC_NB_PUT_DATA handle=complete
    //= 19 BUPC_NB_MEMCPY_INIT END dst=too[$64u], src=remote[$64u], n=12, handle=complete
    //= 5 UPC_NB_SYNC handle=complete
    bupc_memput_vlist(0, remote_blocks, 0, blocks);
    //= 5 UPC_MEMPUT dst=<null>, src=(nil), n=0
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
