// Labels, cases and synchronization that clash with an earlier one, or with the loop around them.
#include <upc.h>

int choose(int x)
{
    switch (x) {
    case 1: //~2 the earlier case is here
        return 1;
    case 1: //~ E0403
        return 2;
    case 3 ... 5: //~2 the earlier case is here
        return 3;
    case 4 ... 6: //~ E0403
        return 4;
    default: //~2 the first is here
        return 5;
    default: //~ E0403
        return 6;
    }
}

int associated = _Generic(1,
    int: 1, //~2 the first is here
    int: 2); //~ E0319

void labels(void)
{
here: //~2 the first is here
    ;
here: //~ E0405
    ;
}

void loops(int x)
{
    upc_forall (int i = 0; i < 9; i++; i) { //~2 inside this upc_forall
        upc_barrier; //~ W0704
    }
    upc_forall (int i = 0; i < 9; i++; i) { //~2 inside this upc_forall
        upc_forall (int j = 0; j < 9; j++; j) //~ W0703
            ;
    }
    goto inside; //~2 the goto
    upc_forall (int i = 0; i < 9; i++; i) { //~2 this upc_forall
    inside: //~ E0702
        ;
    }
    switch (x) {
        upc_forall (int i = 0; i < 9; i++; i) { //~2 this upc_forall
        case 1: //~ E0702
            ;
        }
    }
}

void nothing(void) //~2 the function is declared here
{
    return 1; //~ W0407 @12 `int` in a `void` function
}

int something(void) //~2 the function is declared here
{
    return; //~ W0407 @5 returns `int`
}
