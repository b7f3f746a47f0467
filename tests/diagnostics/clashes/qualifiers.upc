// Qualifiers that clash are shown both, those of a typedef where it is declared.
#include <upc.h>

shared [2] //~2 the first is here
    shared [3] int two[6 * THREADS]; //~ E0502

typedef shared [3] int by_three; //~2 shared with block size 3 here
typedef by_three by_three_too;
shared [2] by_three_too both[6 * THREADS]; //~ E0502

strict //~2 the first is here
    relaxed shared int reference; //~ E0503

typedef strict shared int strict_int; //~2 `strict` is specified here
relaxed strict_int reference_too; //~ E0503
