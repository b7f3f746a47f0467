#include "runtime.h"

#include "trace/dwarf.h"
#include "trace/info.h"

enum { QUICK_CODES = 1024, MOST_ORIGINS = 4 };

struct unit {
    struct upcr_bytes whole; /* from its length on: references are relative to this */
    struct upcr_bytes dies;
    struct upcr_bytes abbreviations;
    struct upcr_form_context context;
    uint64_t rnglists_base;
    uint64_t base; /* base address of ranges */
};

/* The used parts of a debugging information entry. */
struct die {
    uint64_t tag;
    bool children, end; /* end: of a list of children */
    const char *name;
    struct upcr_value stmt_list, low, high, ranges, origin;
    uint64_t call_file, call_line;
    uint64_t str_offsets_base, addr_base, rnglists_base;
};

/* The abbreviations of the current unit, by their code. A process makes one report at a time, so one table is enough. */
static struct upcr_bytes quick[QUICK_CODES];

/* Moves past one abbreviation after its code. True: there was one. */
static bool skip_abbreviation(struct upcr_bytes *rest)
{
    upcr_uleb(rest);
    upcr_skip(rest, 1);
    while (upcr_left(rest) != 0) {
        uint64_t name = upcr_uleb(rest), form = upcr_uleb(rest);
        if (form == 0x21) /* a constant that is here and not in the entry */
            upcr_sleb(rest);
        if (name == 0 && form == 0)
            return true;
    }
    return false;
}

static void index_abbreviations(struct upcr_bytes rest)
{
    memset(quick, 0, sizeof quick);
    for (uint64_t code; (code = upcr_uleb(&rest)) != 0 && upcr_left(&rest) != 0;) {
        if (code < QUICK_CODES)
            quick[code] = rest;
        if (!skip_abbreviation(&rest))
            return;
    }
}

static struct upcr_bytes find_abbreviation(const struct unit *unit, uint64_t wanted)
{
    struct upcr_bytes rest = unit->abbreviations, none = {NULL, NULL};
    if (wanted < QUICK_CODES)
        return quick[wanted];
    for (uint64_t code; (code = upcr_uleb(&rest)) != 0;) {
        if (code == wanted)
            return rest;
        if (!skip_abbreviation(&rest))
            break;
    }
    return none;
}

static void keep_attribute(struct die *die, uint64_t attribute, const struct upcr_value *value)
{
    switch (attribute) {
    case DW_AT_name:
        die->name = value->text;
        break;
    case DW_AT_stmt_list:
        die->stmt_list = *value;
        break;
    case DW_AT_low_pc:
        die->low = *value;
        break;
    case DW_AT_high_pc:
        die->high = *value;
        break;
    case DW_AT_ranges:
        die->ranges = *value;
        break;
    case DW_AT_abstract_origin:
    case DW_AT_specification:
        die->origin = *value;
        break;
    case DW_AT_call_file:
        die->call_file = value->number;
        break;
    case DW_AT_call_line:
        die->call_line = value->number;
        break;
    case DW_AT_str_offsets_base:
        die->str_offsets_base = value->number;
        break;
    case DW_AT_addr_base:
        die->addr_base = value->number;
        break;
    case DW_AT_rnglists_base:
        die->rnglists_base = value->number;
        break;
    default:
        break;
    }
}

/* Reads the entry at *rest. False: nothing more can be read. */
static bool read_die(const struct unit *unit, struct upcr_bytes *rest, struct die *die)
{
    static const struct upcr_value absent = {UPCR_OTHER, 0, NULL};
    *die = (struct die){.stmt_list = absent, .low = absent, .high = absent, .ranges = absent, .origin = absent};
    if (upcr_left(rest) == 0)
        return false;
    uint64_t code = upcr_uleb(rest);
    die->end = code == 0;
    if (die->end)
        return true;
    struct upcr_bytes abbreviation = find_abbreviation(unit, code);
    if (upcr_left(&abbreviation) == 0)
        return false;
    die->tag = upcr_uleb(&abbreviation);
    die->children = upcr_fixed(&abbreviation, 1) != 0;
    while (upcr_left(&abbreviation) != 0) {
        struct upcr_value value;
        uint64_t name = upcr_uleb(&abbreviation), form = upcr_uleb(&abbreviation);
        int64_t implicit = form == 0x21 ? upcr_sleb(&abbreviation) : 0;
        if (name == 0 && form == 0)
            return true;
        if (!upcr_read_form(rest, form, implicit, &unit->context, &value))
            return false;
        keep_attribute(die, name, &value);
    }
    return false;
}

/* Reads the header of the unit at *rest, and moves *rest past it. False for a unit without code. */
static bool read_unit(const struct upcr_image *image, struct upcr_bytes *rest, struct unit *unit)
{
    memset(unit, 0, sizeof *unit);
    struct upcr_form_context *context = &unit->context;
    const unsigned char *start = rest->at;
    context->image = image;
    uint64_t length = upcr_unit_length(rest, &context->offset_size);
    struct upcr_bytes body = upcr_part(rest, length);
    unit->whole = (struct upcr_bytes){start, body.end};
    context->version = (unsigned)upcr_fixed(&body, 2);
    uint64_t type = DW_UT_compile, abbreviations;
    if (context->version >= 5) {
        type = upcr_fixed(&body, 1);
        context->address_size = (unsigned)upcr_fixed(&body, 1);
        abbreviations = upcr_fixed(&body, context->offset_size);
    } else {
        abbreviations = upcr_fixed(&body, context->offset_size);
        context->address_size = (unsigned)upcr_fixed(&body, 1);
    }
    unit->abbreviations = upcr_from(image->section[UPCR_DEBUG_ABBREV], abbreviations);
    unit->dies = body;
    return type == DW_UT_compile && context->version >= 2 && context->version <= 5;
}

/* ---- Ranges -------------------------------------------------------------------------------------------------------- */

/* Version 4 and before: pairs of addresses, of which one with all bits set changes the base. */
static bool in_pairs(const struct unit *unit, uint64_t offset, uintptr_t address)
{
    struct upcr_bytes rest = upcr_from(unit->context.image->section[UPCR_DEBUG_RANGES], offset);
    unsigned size = unit->context.address_size;
    uint64_t base = unit->base, all = size < 8 ? ((uint64_t)1 << 8 * size) - 1 : UINT64_MAX;
    while (upcr_left(&rest) != 0) {
        uint64_t low = upcr_fixed(&rest, size), high = upcr_fixed(&rest, size);
        if (low == 0 && high == 0)
            return false;
        if (low == all)
            base = high;
        else if (address - (base + low) < high - low)
            return true;
    }
    return false;
}

/* Version 5. */
static bool in_list(const struct unit *unit, uint64_t offset, uintptr_t address)
{
    const struct upcr_form_context *context = &unit->context;
    struct upcr_bytes rest = upcr_from(context->image->section[UPCR_DEBUG_RNGLISTS], offset);
    unsigned size = context->address_size;
    uint64_t base = unit->base, low = 0, length = 0;
    while (upcr_left(&rest) != 0) {
        switch (upcr_fixed(&rest, 1)) {
        case DW_RLE_base_addressx:
            base = upcr_form_address(context, upcr_uleb(&rest));
            continue;
        case DW_RLE_startx_endx:
            low = upcr_form_address(context, upcr_uleb(&rest));
            length = upcr_form_address(context, upcr_uleb(&rest)) - low;
            break;
        case DW_RLE_startx_length:
            low = upcr_form_address(context, upcr_uleb(&rest));
            length = upcr_uleb(&rest);
            break;
        case DW_RLE_offset_pair:
            low = upcr_uleb(&rest);
            length = upcr_uleb(&rest) - low;
            low += base;
            break;
        case DW_RLE_base_address:
            base = upcr_fixed(&rest, size);
            continue;
        case DW_RLE_start_end:
            low = upcr_fixed(&rest, size);
            length = upcr_fixed(&rest, size) - low;
            break;
        case DW_RLE_start_length:
            low = upcr_fixed(&rest, size);
            length = upcr_uleb(&rest);
            break;
        case DW_RLE_end_of_list:
        default:
            return false;
        }
        if (address - low < length)
            return true;
    }
    return false;
}

static bool contains(const struct unit *unit, const struct die *die, uintptr_t address)
{
    const struct upcr_form_context *context = &unit->context;
    if (die->ranges.class == UPCR_LIST_INDEX) {
        struct upcr_bytes offsets = upcr_from(context->image->section[UPCR_DEBUG_RNGLISTS], unit->rnglists_base);
        struct upcr_bytes at = upcr_from(offsets, die->ranges.number * context->offset_size);
        return in_list(unit, unit->rnglists_base + upcr_fixed(&at, context->offset_size), address);
    }
    if (die->ranges.class == UPCR_SECTION_OFFSET || die->ranges.class == UPCR_NUMBER)
        return context->version >= 5 ? in_list(unit, die->ranges.number, address) : in_pairs(unit, die->ranges.number, address);
    if (die->low.class != UPCR_ADDRESS || die->high.class == UPCR_OTHER)
        return false;
    uint64_t length = die->high.class == UPCR_ADDRESS ? die->high.number - die->low.number : die->high.number;
    return address - die->low.number < length;
}

/* ---- Scopes -------------------------------------------------------------------------------------------------------- */

/* Returns the name of a function, which may be in its first declaration. A reference into another unit is not followed. */
static const char *name_of(const struct unit *unit, struct die die)
{
    for (int i = 0; i < MOST_ORIGINS && die.name == NULL; i++) {
        uint64_t offset = die.origin.number;
        if (die.origin.class == UPCR_SECTION_REFERENCE)
            offset -= (uint64_t)(unit->whole.at - unit->context.image->section[UPCR_DEBUG_INFO].at);
        else if (die.origin.class != UPCR_UNIT_REFERENCE)
            break;
        struct upcr_bytes rest = upcr_from(unit->whole, offset);
        if (!read_die(unit, &rest, &die))
            break;
    }
    return die.name;
}

static int scopes_in(const struct unit *unit, struct upcr_bytes rest, uintptr_t address, struct upcr_scope *scopes, int capacity)
{
    struct die die;
    int depth = 0, function_depth = -1, count = 0;
    while (read_die(unit, &rest, &die)) {
        if (die.end) {
            depth--;
            if (depth <= function_depth || depth < 0)
                break;
            continue;
        }
        bool wanted = die.tag == DW_TAG_subprogram ? count == 0 : die.tag == DW_TAG_inlined_subroutine && count > 0;
        if (wanted && count < capacity && contains(unit, &die, address)) {
            scopes[count++] = (struct upcr_scope){name_of(unit, die), die.call_file, die.call_line};
            if (die.tag == DW_TAG_subprogram)
                function_depth = depth;
            if (!die.children)
                break;
        }
        depth += die.children;
    }
    return count;
}

int upcr_info_scopes(const struct upcr_image *image, uint64_t unit_line, uintptr_t address, struct upcr_scope *scopes, int capacity)
{
    struct upcr_bytes units = image->section[UPCR_DEBUG_INFO];
    while (upcr_left(&units) != 0) {
        struct unit unit;
        struct die root, again;
        if (!read_unit(image, &units, &unit))
            continue;
        index_abbreviations(unit.abbreviations);
        struct upcr_bytes rest = unit.dies;
        if (!read_die(&unit, &rest, &root) || root.stmt_list.class == UPCR_OTHER || root.stmt_list.number != unit_line)
            continue;
        unit.context.str_offsets_base = root.str_offsets_base;
        unit.context.addr_base = root.addr_base;
        unit.rnglists_base = root.rnglists_base;
        /* Reads it again, because its address may need the bases that are now known. */
        rest = unit.dies;
        if (read_die(&unit, &rest, &again))
            unit.base = again.low.number;
        int count = scopes_in(&unit, rest, address, scopes, capacity);
        if (count != 0)
            return count;
    }
    return 0;
}
