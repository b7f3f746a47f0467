/* DWARF line tables, versions 2 to 5. Addresses are those of the file. */
#ifndef UPCR_TRACE_LINE_H
#define UPCR_TRACE_LINE_H

#include "trace/image.h"

struct upcr_file {
    const char *folder; /* NULL: the folder of compilation */
    const char *name;
};

struct upcr_line {
    struct upcr_file file;
    unsigned line;
    uint64_t unit; /* offset of the table that contains it */
};

/* Finds the line of an address. False: no table contains the address. */
bool upcr_line_find(struct upcr_image *image, uintptr_t address, struct upcr_line *found);

/* Finds file number `index` of the table at offset `unit`. False: there is none. */
bool upcr_line_file(const struct upcr_image *image, uint64_t unit, uint64_t index, struct upcr_file *file);

#endif
