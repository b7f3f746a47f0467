// A function defined with another type
#include <stddef.h>

int length(const char *text);

size_t length(const char *text) //~ E0200 @8
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}
