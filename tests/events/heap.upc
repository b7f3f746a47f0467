// The C library's heap.
#include <errno.h>
#include <malloc.h>
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
    p = aligned_alloc(64, 128); //= 9 C_MALLOC nbytes=128 -> returnptr=*
    p = reallocarray(p, 10, 4); //= 9 C_REALLOC ptr=*, size=40 -> returnptr=*
    free(p);                    //= 5 C_FREE ptr=*
    free(memalign(32, 24));     //= 10 C_MALLOC nbytes=24 -> returnptr=*
    //= 5 C_FREE ptr=*
    free(valloc(20));           //= 10 C_MALLOC nbytes=20 -> returnptr=*
    //= 5 C_FREE ptr=*
    free(pvalloc(10));          //= 10 C_MALLOC nbytes=10 -> returnptr=*
    //= 5 C_FREE ptr=*
    if (posix_memalign((void **)&p, 16, 8) != 0) //= 9 C_MALLOC nbytes=8 -> returnptr=*
        return 1;
    free(p);                    //= 5 C_FREE ptr=*
    if (posix_memalign((void **)&p, 3, 8) != EINVAL) //= 9 C_MALLOC nbytes=8 -> returnptr=(nil)
        return 1;
    p = malloc((size_t)-1 / 2); //= 9 C_MALLOC nbytes=9223372036854775807 -> returnptr=(nil)
    if (p != NULL || errno != ENOMEM)
        return 1;
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
