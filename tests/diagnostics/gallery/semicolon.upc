// A missing semicolon
#include <stdio.h>

int main(void)
{
    int sum = 0 //~ E0100 @16
    for (int i = 0; i < 10; i++)
        sum += i;
    printf("%d\n", sum);
    return 0;
}
