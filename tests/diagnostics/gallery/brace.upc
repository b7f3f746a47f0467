// A missing brace before `else`
#include <stdio.h>

void show(int n)
{
    for (int i = 0; i < n; i++) {
        if (i % 2) {
            printf("odd\n");
        else //~ E0100 @9
            printf("even\n");
    }
}

int main(void)
{
    show(3);
    return 0;
}
