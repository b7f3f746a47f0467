// A string in single quotes
#include <stdio.h>

int main(void)
{
    char name[] = 'hello'; //~ E0213 @19
    puts(name);
    return 0;
}
