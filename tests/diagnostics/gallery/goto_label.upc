// A misspelt label
#include <stdlib.h>

int work(int n)
{
    char *buffer = malloc(n);
    if (!buffer)
        goto failed; //~ E0404 @14
    free(buffer);
    return 0;
fail:
    return 1;
}
