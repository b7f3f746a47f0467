#include <stdlib.h>
#include <string.h>
#include <upc.h>
shared char s[8 * THREADS];
void f(char *p)
{
    memset(s, 0, 8); //~ E0601 @12 argument 1 of `memset`
    memcpy(p, s, 8); //~ E0601 @15
    strcpy(s, p); //~ E0601 @12
    free(s); //~ E0601 @10
}
