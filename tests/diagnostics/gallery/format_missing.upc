// An argument missing in the middle of printf
#include <stdio.h>

void show(int row, int column, double value)
{
    printf("(%d, %d): %f\n", row, value); //~ W0325 @18 //~ W0325 @23
}
