/* Accesses that the user has declared harmless: those in a region of <upc_race.h>, and those of a statement after `#pragma upcc race_ok`.
   They are not recorded. */
#include "runtime.h"

#include <stdlib.h>

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

/* ---- Elements of a sort ---------------------------------------------------------------------------------------------------- */

UPCR_PTHREAD_LOCAL size_t upcr_race_compared;
static UPCR_PTHREAD_LOCAL upcr_pts_t compared[2];

void upcr_race_compares(upcr_pts_t a, upcr_pts_t b, size_t n)
{
    compared[0] = a;
    compared[1] = b;
    upcr_race_compared = n;
}

static bool is_in(upcr_pts_t place, upcr_pts_t element)
{
    return upcr_threadof(place) == upcr_threadof(element) && upcr_addrfield(place) - upcr_addrfield(element) < upcr_race_compared;
}

bool upcr_race_is_compared(upcr_pts_t place)
{
    return is_in(place, compared[0]) || is_in(place, compared[1]);
}

/* ---- Jumps (include/setjmp.h) -------------------------------------------------------------------------------------------- */

void *upcr_race_jump_place(void *place) UPCR_HIDDEN;
void upcr_race_jump(const void *place) UPCR_HIDDEN;

/* A place to which a jump may lead, and what was ignored there. Places where nothing was are not in the list. */
struct jump_place {
    const void *place;
    const char *statement;
    unsigned regions;
};

static UPCR_PTHREAD_LOCAL struct jump_place *jump_places;
static UPCR_PTHREAD_LOCAL size_t jump_count, jump_room;

/* Returns the number of a place in the list, or jump_count. */
static size_t jump_find(const void *place)
{
    size_t i = 0;
    while (i < jump_count && jump_places[i].place != place)
        i++;
    return i;
}

void *upcr_race_jump_place(void *place)
{
    size_t i = jump_find(place);
    if (regions == 0 && statement == NULL) {
        if (i < jump_count)
            jump_places[i] = jump_places[--jump_count];
        return place;
    }
    if (i == jump_room) {
        jump_room = 2 * jump_room + 8;
        struct jump_place *more = realloc(jump_places, jump_room * sizeof *more);
        if (more == NULL)
            upcr_die("setjmp: out of private memory for the detection of races");
        jump_places = more;
    }
    if (i == jump_count)
        jump_count++;
    jump_places[i] = (struct jump_place){place, statement, regions};
    return place;
}

void upcr_race_jump(const void *place)
{
    size_t i = jump_find(place);
    struct jump_place then = i < jump_count ? jump_places[i] : (struct jump_place){place, NULL, 0};
    upcr_race_ignored += then.regions + (then.statement != NULL) - regions - (statement != NULL);
    regions = then.regions;
    statement = then.statement;
    upcr_race_compared = 0;
}
