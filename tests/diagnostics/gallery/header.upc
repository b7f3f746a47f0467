// A misspelt header of UPC
#include <upc.h>
#include <upc_colective.h> //~ E0002 @11

shared int total;
shared int parts[THREADS];

int main(void)
{
    upc_all_reduceI(&total, parts, UPC_ADD, THREADS, 1, 0, UPC_IN_ALLSYNC);
}
