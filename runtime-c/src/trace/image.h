/* The files that the process was loaded from: the program and its shared libraries. */
#ifndef UPCR_TRACE_IMAGE_H
#define UPCR_TRACE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/bytes.h"

enum upcr_section {
    UPCR_SYMTAB,
    UPCR_DYNSYM,
    UPCR_DEBUG_LINE,
    UPCR_DEBUG_LINE_STR,
    UPCR_DEBUG_STR,
    UPCR_DEBUG_STR_OFFSETS,
    UPCR_DEBUG_INFO,
    UPCR_DEBUG_ABBREV,
    UPCR_DEBUG_ADDR,
    UPCR_DEBUG_RANGES,
    UPCR_DEBUG_RNGLISTS,
    UPCR_SECTION_COUNT,
};

/* The instructions of one sequence of a line table. */
struct upcr_run {
    uintptr_t low, high;
    uint64_t unit; /* offset of the table in .debug_line */
};

struct upcr_image {
    uintptr_t bias;                                /* the difference between addresses in the process and in the file */
    bool system;                                   /* a library of the system: it contains no code of the user */
    struct upcr_bytes section[UPCR_SECTION_COUNT]; /* empty if there is none */
    struct upcr_bytes symbol_names, dynamic_names;
    struct upcr_run *runs; /* true once line.c has read it */
    size_t run_count;
    bool indexed;
};

/* Returns the image that contains pc, with its file mapped; NULL if there is none. */
struct upcr_image *upcr_image_at(uintptr_t pc);

/* Returns the name of the function at an address of the file, or of the last one before it if the file has no sizes; NULL if there is none. */
const char *upcr_image_function(const struct upcr_image *image, uintptr_t address);

/* Returns zeroed memory that does not come from the C library's heap; NULL if out of memory. It is never freed. */
void *upcr_image_memory(size_t bytes);

#endif
