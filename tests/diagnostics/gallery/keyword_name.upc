// A keyword of UPC as a name
#include <upc.h>

int main(void)
{
    int shared = 3; //~ E0100 @16
    return 0;
}
