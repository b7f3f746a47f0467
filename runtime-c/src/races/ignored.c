/* Accesses that the user has declared harmless: those in a region of <upc_race.h>, and those of a statement after `#pragma upcc race_ok`.
   They are not recorded. */
#include "runtime.h"

#include "races/detector.h"

/* The regions of the calling thread that have begun and not ended. */
static UPCR_PTHREAD_LOCAL unsigned regions;

/* The object in the frame of the statement that is under way, NULL: none. Only the outermost statement counts, so that each way out of it
   ends it, and one that a jump has entered ends nothing. */
static UPCR_PTHREAD_LOCAL const char *statement;

UPCR_PTHREAD_LOCAL unsigned upcr_race_ignored;

void upcr_race_ignore_begin(void)
{
    regions++;
    upcr_race_ignored++;
}

void upcr_race_ignore_end(void)
{
    if (regions == 0)
        upcr_die("upc_race_ignore_end: no region has begun; each region begins with upc_race_ignore_begin and ends once (<upc_race.h>)");
    regions--;
    upcr_race_ignored--;
}

char upcr_race_ok_begin(const char *object)
{
    if (statement == NULL) {
        statement = object;
        upcr_race_ignored++;
    }
    return 0;
}

void upcr_race_ok_end(const char *object)
{
    if (statement == object) {
        statement = NULL;
        upcr_race_ignored--;
    }
}
