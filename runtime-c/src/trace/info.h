/* Finds the calls that were inlined at an address, from DWARF debugging information, versions 2 to 5. */
#ifndef UPCR_TRACE_INFO_H
#define UPCR_TRACE_INFO_H

#include "trace/image.h"

/* A function whose code contains the address. [0] is a function of its own in the program; each further one was inlined into the previous
   one, at the place of the call. */
struct upcr_scope {
    const char *name; /* NULL: unknown */
    uint64_t call_file, call_line;
};

/* Finds the scopes of an address of the unit whose line table is at offset `unit`. Returns their number, 0 if nothing is known. */
int upcr_info_scopes(const struct upcr_image *image, uint64_t unit, uintptr_t address, struct upcr_scope *scopes, int capacity);

#endif
