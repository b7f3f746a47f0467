// The C library's heap.
#include <stdlib.h>
#include <upc.h>

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    char *p = malloc(100);      //= 15 C_MALLOC nbytes=100 -> returnptr=*
    int *q = calloc(10, 4);     //= 14 C_MALLOC nbytes=40 -> returnptr=*
    p = realloc(p, 2000);       //= 9 C_REALLOC ptr=*, size=2000 -> returnptr=*
    free(p);                    //= 5 C_FREE ptr=*
    free(q);                    //= 5 C_FREE ptr=*
    free(NULL);                 //= 5 C_FREE ptr=(nil)
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
