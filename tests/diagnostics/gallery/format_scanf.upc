// `%f` of scanf for a double
#include <stdio.h>

double ask(void)
{
    double value;
    scanf("%f", &value); //~ W0325 @12
    return value;
}
