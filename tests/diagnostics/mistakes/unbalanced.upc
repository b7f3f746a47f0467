#include <stdio.h>
int f(int a)
{
    a = (a + 1; //~ E0100 @15 expected `)` before `;`
    printf("%d", a; //~ E0100 @19 expected `)` before `;`
    if ((a > 1) //~ E0100 @16 expected `)` after `)`
        a = 2;
    return a;
}
