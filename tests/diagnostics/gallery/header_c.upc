// A misspelt header of C
#include <stdoi.h> //~ E0002 @11

int main(void)
{
    printf("hello\n");
    return 0;
}
