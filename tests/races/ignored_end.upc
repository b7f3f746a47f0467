// question: is the end of a region that has not begun an error?
// threads: 2
// status: 1
// stderr: upc_race_ignore_end: no region has begun
#include "races.h"
#include <upc_race.h>

int main(void)
{
    upc_race_ignore_begin();
    upc_race_ignore_end();
    upc_race_ignore_end();
    return pass();
}
