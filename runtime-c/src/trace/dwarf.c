#include "runtime.h"

#include "trace/dwarf.h"

enum {
    DW_FORM_addr = 0x01,
    DW_FORM_block2 = 0x03,
    DW_FORM_block4,
    DW_FORM_data2,
    DW_FORM_data4,
    DW_FORM_data8,
    DW_FORM_string,
    DW_FORM_block,
    DW_FORM_block1,
    DW_FORM_data1,
    DW_FORM_flag,
    DW_FORM_sdata,
    DW_FORM_strp,
    DW_FORM_udata,
    DW_FORM_ref_addr,
    DW_FORM_ref1,
    DW_FORM_ref2,
    DW_FORM_ref4,
    DW_FORM_ref8,
    DW_FORM_ref_udata,
    DW_FORM_indirect,
    DW_FORM_sec_offset,
    DW_FORM_exprloc,
    DW_FORM_flag_present,
    DW_FORM_strx,
    DW_FORM_addrx,
    DW_FORM_ref_sup4,
    DW_FORM_strp_sup,
    DW_FORM_data16,
    DW_FORM_line_strp,
    DW_FORM_ref_sig8,
    DW_FORM_implicit_const,
    DW_FORM_loclistx,
    DW_FORM_rnglistx,
    DW_FORM_ref_sup8,
    DW_FORM_strx1,
    DW_FORM_strx2,
    DW_FORM_strx3,
    DW_FORM_strx4,
    DW_FORM_addrx1,
    DW_FORM_addrx2,
    DW_FORM_addrx3,
    DW_FORM_addrx4,
};

/* The layout of the bytes of a form. */
enum layout { FIXED, OFFSET, ADDRESS, ULEB, SLEB, STRING, BLOCK, ULEB_BLOCK, NOTHING, IMPLICIT };

/* The meaning of the value. */
enum meaning { CONSTANT, PLACE, UNIT_REF, SECTION_REF, SECTION, IN_STR, IN_LINE_STR, STR_INDEX, ADDR_INDEX, LIST_INDEX, INLINE, IGNORED };

struct form {
    unsigned char layout, size, meaning; /* size: of FIXED, or of a BLOCK's length */
};

static const struct form forms[] = {
    [DW_FORM_addr] = {ADDRESS, 0, PLACE},
    [DW_FORM_block2] = {BLOCK, 2, IGNORED},
    [DW_FORM_block4] = {BLOCK, 4, IGNORED},
    [DW_FORM_data2] = {FIXED, 2, CONSTANT},
    [DW_FORM_data4] = {FIXED, 4, CONSTANT},
    [DW_FORM_data8] = {FIXED, 8, CONSTANT},
    [DW_FORM_string] = {STRING, 0, INLINE},
    [DW_FORM_block] = {ULEB_BLOCK, 0, IGNORED},
    [DW_FORM_block1] = {BLOCK, 1, IGNORED},
    [DW_FORM_data1] = {FIXED, 1, CONSTANT},
    [DW_FORM_flag] = {FIXED, 1, CONSTANT},
    [DW_FORM_sdata] = {SLEB, 0, CONSTANT},
    [DW_FORM_strp] = {OFFSET, 0, IN_STR},
    [DW_FORM_udata] = {ULEB, 0, CONSTANT},
    [DW_FORM_ref_addr] = {OFFSET, 0, SECTION_REF},
    [DW_FORM_ref1] = {FIXED, 1, UNIT_REF},
    [DW_FORM_ref2] = {FIXED, 2, UNIT_REF},
    [DW_FORM_ref4] = {FIXED, 4, UNIT_REF},
    [DW_FORM_ref8] = {FIXED, 8, UNIT_REF},
    [DW_FORM_ref_udata] = {ULEB, 0, UNIT_REF},
    [DW_FORM_sec_offset] = {OFFSET, 0, SECTION},
    [DW_FORM_exprloc] = {ULEB_BLOCK, 0, IGNORED},
    [DW_FORM_flag_present] = {NOTHING, 0, CONSTANT},
    [DW_FORM_strx] = {ULEB, 0, STR_INDEX},
    [DW_FORM_addrx] = {ULEB, 0, ADDR_INDEX},
    [DW_FORM_ref_sup4] = {FIXED, 4, IGNORED},
    [DW_FORM_strp_sup] = {OFFSET, 0, IGNORED},
    [DW_FORM_data16] = {FIXED, 16, IGNORED},
    [DW_FORM_line_strp] = {OFFSET, 0, IN_LINE_STR},
    [DW_FORM_ref_sig8] = {FIXED, 8, IGNORED},
    [DW_FORM_implicit_const] = {IMPLICIT, 0, CONSTANT},
    [DW_FORM_loclistx] = {ULEB, 0, IGNORED},
    [DW_FORM_rnglistx] = {ULEB, 0, LIST_INDEX},
    [DW_FORM_ref_sup8] = {FIXED, 8, IGNORED},
    [DW_FORM_strx1] = {FIXED, 1, STR_INDEX},
    [DW_FORM_strx2] = {FIXED, 2, STR_INDEX},
    [DW_FORM_strx3] = {FIXED, 3, STR_INDEX},
    [DW_FORM_strx4] = {FIXED, 4, STR_INDEX},
    [DW_FORM_addrx1] = {FIXED, 1, ADDR_INDEX},
    [DW_FORM_addrx2] = {FIXED, 2, ADDR_INDEX},
    [DW_FORM_addrx3] = {FIXED, 3, ADDR_INDEX},
    [DW_FORM_addrx4] = {FIXED, 4, ADDR_INDEX},
};

uint64_t upcr_unit_length(struct upcr_bytes *bytes, unsigned *offset_size)
{
    uint64_t length = upcr_fixed(bytes, 4);
    *offset_size = 4;
    if (length == 0xffffffff) {
        *offset_size = 8;
        length = upcr_fixed(bytes, 8);
    }
    return length;
}

static const char *text_at(struct upcr_bytes section, uint64_t offset)
{
    struct upcr_bytes rest = upcr_from(section, offset);
    return upcr_bytes_string(&rest);
}

uint64_t upcr_form_address(const struct upcr_form_context *context, uint64_t index)
{
    struct upcr_bytes rest = upcr_from(context->image->section[UPCR_DEBUG_ADDR], context->addr_base + index * context->address_size);
    return upcr_fixed(&rest, context->address_size);
}

static const char *indexed_text(const struct upcr_form_context *context, uint64_t index)
{
    struct upcr_bytes offsets = context->image->section[UPCR_DEBUG_STR_OFFSETS];
    struct upcr_bytes rest = upcr_from(offsets, context->str_offsets_base + index * context->offset_size);
    return text_at(context->image->section[UPCR_DEBUG_STR], upcr_fixed(&rest, context->offset_size));
}

/* Moves past the bytes of a value and returns it if it is a number. */
static uint64_t read_layout(struct upcr_bytes *bytes, const struct form *form, int64_t implicit, const struct upcr_form_context *context, const char **text)
{
    switch ((enum layout)form->layout) {
    case FIXED:
        if (form->size <= 8)
            return upcr_fixed(bytes, form->size);
        upcr_skip(bytes, form->size);
        return 0;
    case OFFSET:
        /* A reference into the section was as large as an address in version 2. */
        return upcr_fixed(bytes, form->meaning == SECTION_REF && context->version == 2 ? context->address_size : context->offset_size);
    case ADDRESS:
        return upcr_fixed(bytes, context->address_size);
    case ULEB:
        return upcr_uleb(bytes);
    case SLEB:
        return (uint64_t)upcr_sleb(bytes);
    case STRING:
        *text = upcr_bytes_string(bytes);
        return 0;
    case BLOCK:
        upcr_skip(bytes, upcr_fixed(bytes, form->size));
        return 0;
    case ULEB_BLOCK:
        upcr_skip(bytes, upcr_uleb(bytes));
        return 0;
    case NOTHING:
        return 1;
    case IMPLICIT:
        return (uint64_t)implicit;
    }
    return 0;
}

bool upcr_read_form(struct upcr_bytes *bytes, uint64_t form, int64_t implicit, const struct upcr_form_context *context, struct upcr_value *value)
{
    static const unsigned char classes[] = {
        [CONSTANT] = UPCR_NUMBER,
        [PLACE] = UPCR_ADDRESS,
        [UNIT_REF] = UPCR_UNIT_REFERENCE,
        [SECTION_REF] = UPCR_SECTION_REFERENCE,
        [SECTION] = UPCR_SECTION_OFFSET,
        [IN_STR] = UPCR_TEXT,
        [IN_LINE_STR] = UPCR_TEXT,
        [STR_INDEX] = UPCR_TEXT,
        [ADDR_INDEX] = UPCR_ADDRESS,
        [LIST_INDEX] = UPCR_LIST_INDEX,
        [INLINE] = UPCR_TEXT,
        [IGNORED] = UPCR_OTHER,
    };
    const struct upcr_bytes *section = context->image->section;
    while (form == DW_FORM_indirect)
        form = upcr_uleb(bytes);
    if (form == 0 || form == 0x02 || form >= sizeof forms / sizeof *forms)
        return false;
    const struct form *row = &forms[form];
    value->text = NULL;
    value->number = read_layout(bytes, row, implicit, context, &value->text);
    value->class = (enum upcr_class)classes[row->meaning];
    switch ((enum meaning)row->meaning) {
    case IN_STR:
        value->text = text_at(section[UPCR_DEBUG_STR], value->number);
        break;
    case IN_LINE_STR:
        value->text = text_at(section[UPCR_DEBUG_LINE_STR], value->number);
        break;
    case STR_INDEX:
        value->text = indexed_text(context, value->number);
        break;
    case ADDR_INDEX:
        value->number = upcr_form_address(context, value->number);
        break;
    case CONSTANT:
    case PLACE:
    case UNIT_REF:
    case SECTION_REF:
    case SECTION:
    case LIST_INDEX:
    case INLINE:
    case IGNORED:
        break;
    }
    return true;
}
