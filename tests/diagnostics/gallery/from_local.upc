// A pointer-to-local assigned to a pointer-to-shared
#include <upc.h>

int mine;
shared int *where;

void publish(void)
{
    where = &mine; //~ E0600 @13
}
