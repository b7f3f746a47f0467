// Berkeley's atomic operations.
#include <upc.h>
#include <stdint.h>

shared int cell[THREADS];
shared double real[THREADS];
shared uint64_t wide[THREADS];

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    int next = (MYTHREAD + 1) % THREADS;
    bupc_atomicI_read_relaxed(&cell[next]);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_GET, n=4
    bupc_atomicI_set_relaxed(&cell[next], 1);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_SET, n=4
    bupc_atomicI_swap_relaxed(&cell[next], 2);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_SET, n=4
    bupc_atomicI_cswap_relaxed(&cell[next], 2, 3);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_CSWAP, n=4
    bupc_atomicI_fetchadd_relaxed(&cell[next], 1);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_ADD, n=4
    bupc_atomicI_mswap_relaxed(&cell[next], 1, 1);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_SET, n=4
    bupc_atomicI_fetchand_relaxed(&cell[next], 3);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_AND, n=4
    bupc_atomicI_fetchor_relaxed(&cell[next], 4);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_OR, n=4
    bupc_atomicI_fetchxor_relaxed(&cell[next], 1);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_XOR, n=4
    bupc_atomicI_fetchnot_relaxed(&cell[next]);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_XOR, n=4
    bupc_atomicD_fetchadd_relaxed(&real[next], 0.5);
    //= 5 UPCC_ATOMIC target=real[$u], op=UPC_ADD, n=8
    bupc_atomicU64_fetchor_relaxed(&wide[next], 1);
    //= 5 UPCC_ATOMIC target=wide[$u], op=UPC_OR, n=8
    bupc_atomicI_read_strict(&cell[next]);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_GET, n=4
    bupc_atomicI_set_strict(&cell[next], 1);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_SET, n=4
    bupc_atomicI_swap_strict(&cell[next], 2);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_SET, n=4
    bupc_atomicI_cswap_strict(&cell[next], 2, 3);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_CSWAP, n=4
    bupc_atomicI_fetchadd_strict(&cell[next], 1);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_ADD, n=4
    bupc_atomicI_mswap_strict(&cell[next], 1, 1);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_SET, n=4
    bupc_atomicI_fetchand_strict(&cell[next], 3);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_AND, n=4
    bupc_atomicI_fetchor_strict(&cell[next], 4);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_OR, n=4
    bupc_atomicI_fetchxor_strict(&cell[next], 1);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_XOR, n=4
    bupc_atomicI_fetchnot_strict(&cell[next]);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_XOR, n=4
    bupc_atomicD_fetchadd_strict(&real[next], 0.5);
    //= 5 UPCC_ATOMIC target=real[$u], op=UPC_ADD, n=8
    bupc_atomicU64_fetchor_strict(&wide[next], 1);
    //= 5 UPCC_ATOMIC target=wide[$u], op=UPC_OR, n=8
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
