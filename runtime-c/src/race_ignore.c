/* <upc_race.h>. */
#include "runtime.h"

#include "races/races.h"

#pragma GCC visibility push(default)
void upc_race_ignore_begin(void);
void upc_race_ignore_end(void);
#pragma GCC visibility pop

void upc_race_ignore_begin(void)
{
    if (upcr_is_racing())
        upcr_races.ignore_begin();
}

void upc_race_ignore_end(void)
{
    if (upcr_is_racing())
        upcr_races.ignore_end();
}
