#include <stdio.h>
void f(void)
{
    printf("hello);
//~^ E0102 @12 string literal without `"` at its end
    printf("x");
}
int g(void) { return 1; }
