// question: exit() with a status by every thread gives that status
// threads: 1 3
// status: 5
#include <stdlib.h>
#include <upc.h>

int main(void)
{
    exit(5);
}
