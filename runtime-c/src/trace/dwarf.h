/* The constants of DWARF that the reader knows (DWARF 5, section 7), and the functions that read attribute values. */
#ifndef UPCR_TRACE_DWARF_H
#define UPCR_TRACE_DWARF_H

#include "trace/image.h"

enum { DW_LNS_copy = 1, DW_LNS_advance_pc, DW_LNS_advance_line, DW_LNS_set_file, DW_LNS_const_add_pc = 8, DW_LNS_fixed_advance_pc };

enum { DW_LNE_end_sequence = 1, DW_LNE_set_address };

enum { DW_LNCT_path = 1, DW_LNCT_directory_index };

enum { DW_TAG_compile_unit = 0x11, DW_TAG_inlined_subroutine = 0x1d, DW_TAG_subprogram = 0x2e };

enum { DW_UT_compile = 1, DW_UT_type, DW_UT_partial, DW_UT_skeleton, DW_UT_split_compile, DW_UT_split_type };

enum {
    DW_AT_name = 0x03,
    DW_AT_stmt_list = 0x10,
    DW_AT_low_pc = 0x11,
    DW_AT_high_pc = 0x12,
    DW_AT_abstract_origin = 0x31,
    DW_AT_specification = 0x47,
    DW_AT_ranges = 0x55,
    DW_AT_call_file = 0x58,
    DW_AT_call_line = 0x59,
    DW_AT_str_offsets_base = 0x72,
    DW_AT_addr_base = 0x73,
    DW_AT_rnglists_base = 0x74,
};

enum {
    DW_RLE_end_of_list,
    DW_RLE_base_addressx,
    DW_RLE_startx_endx,
    DW_RLE_startx_length,
    DW_RLE_offset_pair,
    DW_RLE_base_address,
    DW_RLE_start_end,
    DW_RLE_start_length,
};

/* The meaning of a value, as far as its form determines it. */
enum upcr_class {
    UPCR_NUMBER,
    UPCR_ADDRESS,
    UPCR_TEXT,
    UPCR_UNIT_REFERENCE,    /* offset from the unit's start */
    UPCR_SECTION_REFERENCE, /* offset in .debug_info */
    UPCR_SECTION_OFFSET,
    UPCR_LIST_INDEX, /* of .debug_rnglists' offsets */
    UPCR_OTHER,
};

struct upcr_value {
    enum upcr_class class;
    uint64_t number;
    const char *text;
};

/* The data of a unit that reading a value needs. Bases: 0 until known. */
struct upcr_form_context {
    const struct upcr_image *image;
    unsigned version, offset_size, address_size;
    uint64_t str_offsets_base, addr_base;
};

/* Reads the length at the start of a unit, which also determines the size of offsets in it. */
uint64_t upcr_unit_length(struct upcr_bytes *bytes, unsigned *offset_size);

/* Reads a value. implicit: the value of a form that does not have it here. False for an unknown form: nothing after it can be read. */
bool upcr_read_form(struct upcr_bytes *bytes, uint64_t form, int64_t implicit, const struct upcr_form_context *context, struct upcr_value *value);

/* Returns address number `index` of .debug_addr. */
uint64_t upcr_form_address(const struct upcr_form_context *context, uint64_t index);

#endif
