/* Declarations of <pupc.h> for tools of PUPC 1.1, the interface before GASP. They define pupc_event_notify, and optionally pupc_create_event
   and pupc_control, in C, or in UPC compiled without --inst but with -DPUPC_TOOL. */
#ifndef UPCR_PUPC_TOOL_H
#define UPCR_PUPC_TOOL_H

#include "pupc_events.h"

/* A place in the source: one object for each, for the whole run. util is for the tool. */
typedef struct pupc_location {
    const char *source_file;
    unsigned int start_line;
    unsigned int start_col;
    void *util;
} pupc_location;

/* int *argc, char ***argv; no location */
#define PUPC_INIT 0x00000000u
/* Of older versions of UPC; never reported. */
#define PUPC_LOCK_INIT_START 0x03000300u
#define PUPC_LOCK_INIT_END   0x03000301u
/* Of the software cache; size_t n: the bytes read */
#define PUPC_CACHE_MISS 0x69000000u
#define PUPC_CACHE_HIT  0x69000001u
/* Ids for compilers, and of user events */
#define PUPC_COMPILER_FIRST 0x60000000u
#define PUPC_USER_FIRST     0xC0000000u

extern void pupc_event_notify(unsigned int event_id, pupc_location *loc, ...);
extern unsigned int pupc_create_event(const char *name);
extern void pupc_control(int on);

#endif
