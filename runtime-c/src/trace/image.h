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

/* The instructions of one run of a line table. */
struct upcr_run {
    uintptr_t low, high;
    uint64_t unit; /* offset of the table in .debug_line */
};

struct upcr_image {
    uintptr_t bias;                                /* what must be added to an address of the file */
    bool system;                                   /* a library of the system: nothing in it is the user's */
    struct upcr_bytes section[UPCR_SECTION_COUNT]; /* empty where there is none */
    struct upcr_bytes symbol_names, dynamic_names;
    struct upcr_run *runs; /* once line.c has been here */
    size_t run_count;
    bool indexed;
};

/* The image that pc lies in, its file mapped; NULL if there is none. */
struct upcr_image *upcr_image_at(uintptr_t pc);

/* The name of the function at an address of the file, or of the last one before it where the file has no sizes; NULL if none. */
const char *upcr_image_function(const struct upcr_image *image, uintptr_t address);

/* Memory that does not come from the C library's heap, zero; NULL if there is none. Never given back. */
void *upcr_image_memory(size_t bytes);

#endif
