// Too few arguments for a function of the C library
#include <string.h>

void clear(char *buffer)
{
    memset(buffer, 64); //~ E0310 @22
}
