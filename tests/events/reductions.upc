// Every reduction, with the letters of its type.
// threads: 1 3
#include <upc.h>
#include <upc_collective.h>

#define BOTH (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)

shared signed char fromC[THREADS], toC[THREADS], allC[THREADS];
shared unsigned char fromUC[THREADS], toUC[THREADS], allUC[THREADS];
shared short fromS[THREADS], toS[THREADS], allS[THREADS];
shared unsigned short fromUS[THREADS], toUS[THREADS], allUS[THREADS];
shared int fromI[THREADS], toI[THREADS], allI[THREADS];
shared unsigned fromUI[THREADS], toUI[THREADS], allUI[THREADS];
shared long fromL[THREADS], toL[THREADS], allL[THREADS];
shared unsigned long fromUL[THREADS], toUL[THREADS], allUL[THREADS];
shared float fromF[THREADS], toF[THREADS], allF[THREADS];
shared double fromD[THREADS], toD[THREADS], allD[THREADS];
shared long double fromLD[THREADS], toLD[THREADS], allLD[THREADS];

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    upc_all_reduceC(toC, fromC, UPC_ADD, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=toC[0], src=fromC[0], upc_op=UPC_ADD, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=C
    upc_all_prefix_reduceC(toC, fromC, UPC_MULT, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_PREFIX_REDUCE dst=toC[0], src=fromC[0], upc_op=UPC_MULT, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=C
    bupc_all_reduce_allC(allC, fromC, UPC_MIN, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=allC[0], src=fromC[0], upc_op=UPC_MIN, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=C
    upc_all_reduceUC(toUC, fromUC, UPC_ADD, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=toUC[0], src=fromUC[0], upc_op=UPC_ADD, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=UC
    upc_all_prefix_reduceUC(toUC, fromUC, UPC_MULT, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_PREFIX_REDUCE dst=toUC[0], src=fromUC[0], upc_op=UPC_MULT, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=UC
    bupc_all_reduce_allUC(allUC, fromUC, UPC_MIN, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=allUC[0], src=fromUC[0], upc_op=UPC_MIN, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=UC
    upc_all_reduceS(toS, fromS, UPC_ADD, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=toS[0], src=fromS[0], upc_op=UPC_ADD, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=S
    upc_all_prefix_reduceS(toS, fromS, UPC_MULT, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_PREFIX_REDUCE dst=toS[0], src=fromS[0], upc_op=UPC_MULT, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=S
    bupc_all_reduce_allS(allS, fromS, UPC_MIN, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=allS[0], src=fromS[0], upc_op=UPC_MIN, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=S
    upc_all_reduceUS(toUS, fromUS, UPC_ADD, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=toUS[0], src=fromUS[0], upc_op=UPC_ADD, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=US
    upc_all_prefix_reduceUS(toUS, fromUS, UPC_MULT, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_PREFIX_REDUCE dst=toUS[0], src=fromUS[0], upc_op=UPC_MULT, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=US
    bupc_all_reduce_allUS(allUS, fromUS, UPC_MIN, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=allUS[0], src=fromUS[0], upc_op=UPC_MIN, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=US
    upc_all_reduceI(toI, fromI, UPC_ADD, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=toI[0], src=fromI[0], upc_op=UPC_ADD, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=I
    upc_all_prefix_reduceI(toI, fromI, UPC_MULT, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_PREFIX_REDUCE dst=toI[0], src=fromI[0], upc_op=UPC_MULT, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=I
    bupc_all_reduce_allI(allI, fromI, UPC_MIN, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=allI[0], src=fromI[0], upc_op=UPC_MIN, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=I
    upc_all_reduceUI(toUI, fromUI, UPC_ADD, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=toUI[0], src=fromUI[0], upc_op=UPC_ADD, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=UI
    upc_all_prefix_reduceUI(toUI, fromUI, UPC_MULT, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_PREFIX_REDUCE dst=toUI[0], src=fromUI[0], upc_op=UPC_MULT, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=UI
    bupc_all_reduce_allUI(allUI, fromUI, UPC_MIN, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=allUI[0], src=fromUI[0], upc_op=UPC_MIN, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=UI
    upc_all_reduceL(toL, fromL, UPC_ADD, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=toL[0], src=fromL[0], upc_op=UPC_ADD, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=L
    upc_all_prefix_reduceL(toL, fromL, UPC_MULT, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_PREFIX_REDUCE dst=toL[0], src=fromL[0], upc_op=UPC_MULT, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=L
    bupc_all_reduce_allL(allL, fromL, UPC_MIN, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=allL[0], src=fromL[0], upc_op=UPC_MIN, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=L
    upc_all_reduceUL(toUL, fromUL, UPC_ADD, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=toUL[0], src=fromUL[0], upc_op=UPC_ADD, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=UL
    upc_all_prefix_reduceUL(toUL, fromUL, UPC_MULT, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_PREFIX_REDUCE dst=toUL[0], src=fromUL[0], upc_op=UPC_MULT, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=UL
    bupc_all_reduce_allUL(allUL, fromUL, UPC_MIN, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=allUL[0], src=fromUL[0], upc_op=UPC_MIN, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=UL
    upc_all_reduceF(toF, fromF, UPC_ADD, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=toF[0], src=fromF[0], upc_op=UPC_ADD, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=F
    upc_all_prefix_reduceF(toF, fromF, UPC_MULT, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_PREFIX_REDUCE dst=toF[0], src=fromF[0], upc_op=UPC_MULT, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=F
    bupc_all_reduce_allF(allF, fromF, UPC_MIN, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=allF[0], src=fromF[0], upc_op=UPC_MIN, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=F
    upc_all_reduceD(toD, fromD, UPC_ADD, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=toD[0], src=fromD[0], upc_op=UPC_ADD, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=D
    upc_all_prefix_reduceD(toD, fromD, UPC_MULT, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_PREFIX_REDUCE dst=toD[0], src=fromD[0], upc_op=UPC_MULT, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=D
    bupc_all_reduce_allD(allD, fromD, UPC_MIN, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=allD[0], src=fromD[0], upc_op=UPC_MIN, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=D
    upc_all_reduceLD(toLD, fromLD, UPC_ADD, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=toLD[0], src=fromLD[0], upc_op=UPC_ADD, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=LD
    upc_all_prefix_reduceLD(toLD, fromLD, UPC_MULT, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_PREFIX_REDUCE dst=toLD[0], src=fromLD[0], upc_op=UPC_MULT, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=LD
    bupc_all_reduce_allLD(allLD, fromLD, UPC_MIN, THREADS, 1, NULL, BOTH);
    //= 5 UPC_ALL_REDUCE dst=allLD[0], src=fromLD[0], upc_op=UPC_MIN, nelems=$n, blk_size=1, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=LD
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
