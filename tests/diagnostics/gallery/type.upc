// A misspelt type
#include <stdint.h>

unt32_t checksum(const uint8_t *bytes, int count) //~ E0219 @1
{
    uint32_t sum = 0;
    while (count--)
        sum += *bytes++;
    return sum;
}
