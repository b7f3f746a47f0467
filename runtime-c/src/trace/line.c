#include "runtime.h"

#include "trace/dwarf.h"
#include "trace/line.h"

/* The header of one table. */
struct table {
    uint64_t offset;
    unsigned version, offset_size;
    unsigned least_step, operations;
    int line_base;
    unsigned line_range, opcode_base;
    struct upcr_bytes lengths; /* numbers of operands of the standard opcodes */
    struct upcr_bytes names;   /* folders, then files */
    struct upcr_bytes program;
};

/* Reads the table at the beginning of *rest, and moves *rest past it. False at the end, or for an unknown version. */
static bool read_table(const struct upcr_image *image, struct upcr_bytes *rest, struct table *table)
{
    memset(table, 0, sizeof *table);
    table->offset = (uint64_t)(rest->at - image->section[UPCR_DEBUG_LINE].at);
    uint64_t length = upcr_unit_length(rest, &table->offset_size);
    struct upcr_bytes unit = upcr_part(rest, length);
    table->version = (unsigned)upcr_fixed(&unit, 2);
    if (table->version < 2 || table->version > 5)
        return false;
    if (table->version >= 5)
        upcr_skip(&unit, 2); /* sizes of an address and of a segment selector */
    uint64_t header = upcr_fixed(&unit, table->offset_size);
    table->program = upcr_from(unit, header);
    table->least_step = (unsigned)upcr_fixed(&unit, 1);
    table->operations = table->version >= 4 ? (unsigned)upcr_fixed(&unit, 1) : 1;
    upcr_skip(&unit, 1); /* whether rows begin as recommended breakpoints */
    table->line_base = (signed char)upcr_fixed(&unit, 1);
    table->line_range = (unsigned)upcr_fixed(&unit, 1);
    table->opcode_base = (unsigned)upcr_fixed(&unit, 1);
    table->lengths = upcr_part(&unit, table->opcode_base > 0 ? table->opcode_base - 1 : 0);
    table->names = unit;
    table->names.end = table->program.at;
    return table->line_range != 0;
}

/* ---- Names of files ------------------------------------------------------------------------------------------------ */

struct name {
    const char *text;
    uint64_t folder;
};

/* Version 5: reads entry number `index` of a list that describes its own entries, and moves *rest past the list. */
static bool described_entry(const struct upcr_image *image, const struct table *table, struct upcr_bytes *rest, uint64_t index, struct name *name)
{
    unsigned columns = (unsigned)upcr_fixed(rest, 1);
    struct upcr_bytes format = *rest;
    struct upcr_form_context context = {.image = image, .offset_size = table->offset_size, .version = table->version};
    for (unsigned i = 0; i < columns; i++) {
        upcr_uleb(rest);
        upcr_uleb(rest);
    }
    uint64_t count = upcr_uleb(rest);
    bool found = false;
    for (uint64_t i = 0; i < count && upcr_left(rest) != 0; i++) {
        struct upcr_bytes column = format;
        struct name entry = {NULL, 0};
        for (unsigned c = 0; c < columns; c++) {
            uint64_t content = upcr_uleb(&column), form = upcr_uleb(&column);
            struct upcr_value value;
            if (!upcr_read_form(rest, form, 0, &context, &value))
                return false;
            if (content == DW_LNCT_path)
                entry.text = value.text;
            if (content == DW_LNCT_directory_index)
                entry.folder = value.number;
        }
        if (i == index) {
            *name = entry;
            found = true;
        }
    }
    return found;
}

/* Versions 2 to 4: entries are counted from 1, and an empty one ends the list. */
static bool plain_entry(struct upcr_bytes *rest, bool is_file, uint64_t index, struct name *name)
{
    bool found = false;
    for (uint64_t i = 1;; i++) {
        struct name entry = {upcr_bytes_string(rest), 0};
        if (entry.text == NULL || *entry.text == '\0')
            return found;
        if (is_file) {
            entry.folder = upcr_uleb(rest);
            upcr_uleb(rest); /* time */
            upcr_uleb(rest); /* size */
        }
        if (i == index) {
            *name = entry;
            found = true;
        }
    }
}

static bool find_file(const struct upcr_image *image, const struct table *table, uint64_t index, struct upcr_file *file)
{
    struct upcr_bytes folders = table->names, files = folders;
    struct name name = {NULL, 0}, folder = {NULL, 0}, none;
    bool described = table->version >= 5, found;
    if (described) {
        described_entry(image, table, &files, UINT64_MAX, &none);
        found = described_entry(image, table, &files, index, &name);
    } else {
        plain_entry(&files, false, 0, &none);
        found = plain_entry(&files, true, index, &name);
    }
    if (!found || name.text == NULL)
        return false;
    /* Folder 0 is the compilation's. */
    if (name.folder != 0 && *name.text != '/') {
        if (described)
            described_entry(image, table, &folders, name.folder, &folder);
        else
            plain_entry(&folders, false, name.folder, &folder);
    }
    file->folder = folder.text;
    file->name = name.text;
    return true;
}

bool upcr_line_file(const struct upcr_image *image, uint64_t unit, uint64_t index, struct upcr_file *file)
{
    struct upcr_bytes rest = upcr_from(image->section[UPCR_DEBUG_LINE], unit);
    struct table table;
    return upcr_left(&rest) != 0 && read_table(image, &rest, &table) && find_file(image, &table, index, file);
}

/* ---- Rows ---------------------------------------------------------------------------------------------------------- */

struct row {
    uintptr_t address;
    uint64_t operation; /* operation within an instruction that has several */
    uint64_t file;
    uint64_t line;
    bool end; /* after the last instruction of a sequence */
};

static void advance(const struct table *table, struct row *row, uint64_t steps)
{
    if (table->operations <= 1) {
        row->address += steps * table->least_step;
        return;
    }
    row->address += (row->operation + steps) / table->operations * table->least_step;
    row->operation = (row->operation + steps) % table->operations;
}

static void extended(struct upcr_bytes *program, struct row *row)
{
    struct upcr_bytes operands = upcr_part(program, upcr_uleb(program));
    switch (upcr_fixed(&operands, 1)) {
    case DW_LNE_end_sequence:
        row->end = true;
        break;
    case DW_LNE_set_address:
        row->address = (uintptr_t)upcr_fixed(&operands, upcr_left(&operands) < 8 ? 4 : 8);
        row->operation = 0;
        break;
    default:
        break;
    }
}

/* Executes the operation. True: it makes a row. */
static bool step(const struct table *table, struct upcr_bytes *program, struct row *row)
{
    unsigned opcode = (unsigned)upcr_fixed(program, 1);
    if (opcode >= table->opcode_base) {
        unsigned both = opcode - table->opcode_base;
        advance(table, row, both / table->line_range);
        row->line += (uint64_t)(table->line_base + (int)(both % table->line_range));
        return true;
    }
    switch (opcode) {
    case 0:
        extended(program, row);
        return row->end;
    case DW_LNS_copy:
        return true;
    case DW_LNS_advance_pc:
        advance(table, row, upcr_uleb(program));
        return false;
    case DW_LNS_advance_line:
        row->line += (uint64_t)upcr_sleb(program);
        return false;
    case DW_LNS_set_file:
        row->file = upcr_uleb(program);
        return false;
    case DW_LNS_const_add_pc:
        advance(table, row, (255 - table->opcode_base) / table->line_range);
        return false;
    case DW_LNS_fixed_advance_pc:
        row->address += (uintptr_t)upcr_fixed(program, 2);
        row->operation = 0;
        return false;
    default:
        for (unsigned n = opcode - 1 < upcr_left(&table->lengths) ? table->lengths.at[opcode - 1] : 0; n > 0; n--)
            upcr_uleb(program);
        return false;
    }
}

static const struct row first_row = {.file = 1, .line = 1};

/* Makes the next row. False: the program has ended. */
static bool next_row(const struct table *table, struct upcr_bytes *program, struct row *row)
{
    if (row->end)
        *row = first_row;
    while (upcr_left(program) != 0)
        if (step(table, program, row))
            return true;
    return false;
}

/* ---- Index of all runs ---------------------------------------------------------------------------------------------- */

/* Visits every sequence of every table. Only counts them if runs is NULL. */
static size_t collect_runs(const struct upcr_image *image, struct upcr_run *runs)
{
    struct upcr_bytes rest = image->section[UPCR_DEBUG_LINE];
    size_t count = 0;
    while (upcr_left(&rest) != 0) {
        struct table table;
        if (!read_table(image, &rest, &table))
            continue;
        struct row row = first_row;
        uintptr_t low = 0;
        for (bool first = true; next_row(&table, &table.program, &row); first = row.end) {
            if (first)
                low = row.address;
            /* Sections that the linker has removed are at address 0. */
            if (!row.end || low == 0)
                continue;
            if (runs != NULL)
                runs[count] = (struct upcr_run){low, row.address, table.offset};
            count++;
        }
    }
    return count;
}

static void index_runs(struct upcr_image *image)
{
    image->indexed = true;
    size_t count = collect_runs(image, NULL);
    image->runs = count == 0 ? NULL : upcr_image_memory(count * sizeof *image->runs);
    if (image->runs != NULL)
        image->run_count = collect_runs(image, image->runs);
}

/* Finds the row for the address in one table. A row of line 0 belongs to no line, so the row before it is used. */
static bool find_in_table(const struct upcr_image *image, const struct upcr_run *run, uintptr_t address, struct upcr_line *found)
{
    struct upcr_bytes rest = upcr_from(image->section[UPCR_DEBUG_LINE], run->unit);
    struct table table;
    struct row row = first_row, known = {.line = 0};
    uintptr_t low = 0;
    if (!read_table(image, &rest, &table))
        return false;
    for (bool first = true; next_row(&table, &table.program, &row); first = row.end) {
        if (first) {
            low = row.address;
            known.line = 0;
        }
        if (low == run->low && row.address > address)
            break;
        if (row.line != 0 && !row.end)
            known = row;
    }
    if (known.line == 0)
        return false;
    found->line = (unsigned)known.line;
    found->unit = table.offset;
    return find_file(image, &table, known.file, &found->file);
}

bool upcr_line_find(struct upcr_image *image, uintptr_t address, struct upcr_line *found)
{
    if (!image->indexed)
        index_runs(image);
    for (size_t i = 0; i < image->run_count; i++)
        if (address - image->runs[i].low < image->runs[i].high - image->runs[i].low)
            return find_in_table(image, &image->runs[i], address, found);
    return false;
}
