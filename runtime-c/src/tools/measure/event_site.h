/* Event sites: what all events of one sort and place have in common. */
#ifndef MEASURE_EVENT_SITE_H
#define MEASURE_EVENT_SITE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "upcr/inst.h"

/* What most events have at most; what any has at most; no column. */
enum { MEASURE_ARGS = 8, MEASURE_COLUMNS = 14, MEASURE_MOST_ARGS = 1024, MEASURE_NO_COLUMN = 0xff };

/* How an argument is passed; up to PASS_WORD one whole number in a machine word. */
enum measure_pass {
    PASS_INT,
    PASS_UNSIGNED,
    PASS_LONG,
    PASS_WORD,   /* size_t, pointers */
    PASS_WIDE,   /* 64 bits, where a word is shorter */
    PASS_SHARED, /* pointers to pointers-to-shared */
    PASS_LOCK,
    PASS_TEXT,
    PASS_DOUBLE,
    PASS_LONG_DOUBLE,
};

/* Orders of arguments that have code of their own. */
enum measure_shape {
    SHAPE_NONE,
    SHAPE_GET,
    SHAPE_PUT,
    SHAPE_WORDS, /* up to MEASURE_WORDS whole numbers */
    SHAPE_ANY,
    SHAPE_WIDE, /* more arguments or columns than fit in struct measure_event_site */
};
enum { MEASURE_WORDS = 4 };

/* Whether each whole number among variable arguments takes a place of 64 bits, of which an int has the lower half. */
#if defined(__x86_64__) || (defined(__aarch64__) && defined(__linux__))
#define MEASURE_HAS_WORDS 1
#else
#define MEASURE_HAS_WORDS 0
#endif

/* Of an event site with many arguments, each of one column. */
struct measure_wide {
    const uint8_t *pass; /* enum measure_pass of each */
    uint64_t *columns;   /* of the event that is being recorded */
    uint64_t *last;
};

/* What all pthreads know of an event site, and what one of them has recorded of it. */
struct measure_event_site {
    uint32_t tag;
    uint8_t side;     /* enum measure_side */
    uint8_t shape;    /* enum measure_shape */
    uint16_t columns; /* values in a record */
    uint8_t flags;    /* enum measure_event_site_is */
    uint32_t next;    /* another one of the same site; 0: none */
    uint32_t block;   /* the EVENTS block in which `last` was set */
    uint64_t raised;
    uint64_t traced;
    uint64_t traced_before; /* of these: before the block in which `last` was set */
    /* The profile's node of the last such event, and what led to it. */
    uint32_t parent, peer, node;
    uint32_t countdown; /* events of a hot event site to leave out */
    uint64_t last[MEASURE_COLUMNS];
    const char *file;
    uint32_t line, column;
    uint16_t args, skip;        /* number; of an end: those at the front that its start had */
    uint8_t pass[MEASURE_ARGS]; /* enum measure_pass */
    struct measure_wide *wide;  /* NULL: what is here is enough */
    /* Columns with the bytes that are moved, a factor, the type of a reduction; the places in shared memory that give the peer. */
    uint8_t bytes, factor, reduction, place, from, rank;
};

enum measure_event_site_is {
    EVENT_SITE_IS_SCOPE = 1, /* a call or a construct that other events happen in: limited in depth */
    EVENT_SITE_IS_LOOSE = 2, /* not nested: a handle matches its starts and ends */
    EVENT_SITE_IS_LEAN = 4,  /* a start whose end has no further arguments */
};

/* Bytes of an array of all event sites there may be; element 0 stands for none. */
size_t measure_event_site_bytes(void);

/* False: no memory. */
bool measure_event_site_start(void);

struct measure_state;

/* The event site of an event at a site, or, where that is NULL, at a position; made if need be, and known to this pthread. signature: text for the type of
   a place without one, or NULL. 0: there are too many. */
uint32_t measure_event_site_find(struct measure_state *state, upcr_site *site, unsigned tag, unsigned side, const char *file, unsigned line, unsigned column,
                                 const char *signature);

/* Reads arguments into columns. */
void measure_fetch(const struct measure_event_site *event_site, va_list arguments, uint64_t *columns);

/* Bytes that an event moves, and the thread it goes to plus 1 (0: none), by its columns. */
uint64_t measure_bytes_of(const struct measure_event_site *event_site, const uint64_t *columns);
uint32_t measure_peer_of(const struct measure_event_site *event_site, const uint64_t *columns);

#endif
