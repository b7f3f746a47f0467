/* Which calls were inlined at an address, from DWARF debugging information, versions 2 to 5. */
#ifndef UPCR_TRACE_INFO_H
#define UPCR_TRACE_INFO_H

#include "trace/image.h"

/* A function whose code the address is in. [0] is the one that is a function of its own in the program; each further one was inlined
   into the one before, at the place of the call. */
struct upcr_scope {
    const char *name; /* NULL: not known */
    uint64_t call_file, call_line;
};

/* The scopes of an address of the unit whose line table is at offset `unit`. Returns how many, 0 where nothing is known. */
int upcr_info_scopes(const struct upcr_image *image, uint64_t unit, uintptr_t address, struct upcr_scope *scopes, int capacity);

#endif
