// A misspelt UPC statement
#include <upc.h>

int main(void)
{
    upc_barier; //~ E0300 @5
    return 0;
}
