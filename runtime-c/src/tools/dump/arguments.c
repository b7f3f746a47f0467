#include "runtime.h"

#include <gasp.h>
#include <gasp_upc.h>

#include "tools/dump/arguments.h"
#include "upc_types.h"
#include "upcr/atomic_ops.h"
#include "upcr/collective_ops.h"
#include "upcr/io_constants.h"

struct name {
    int value;
    const char *text;
};
#define NAME(name)  \
    {               \
        name, #name \
    }

static const struct name operations[] = {
    NAME(UPC_ADD), NAME(UPC_MULT), NAME(UPC_AND),   NAME(UPC_OR),  NAME(UPC_XOR), NAME(UPC_LOGAND), NAME(UPC_LOGOR), NAME(UPC_MIN),          NAME(UPC_MAX),
    NAME(UPC_GET), NAME(UPC_SET),  NAME(UPC_CSWAP), NAME(UPC_SUB), NAME(UPC_INC), NAME(UPC_DEC),    NAME(UPC_FUNC),  NAME(UPC_NONCOMM_FUNC), {0, NULL},
};

static const struct name flags[] = {
    NAME(UPC_IN_ALLSYNC), NAME(UPC_IN_MYSYNC), NAME(UPC_IN_NOSYNC), NAME(UPC_OUT_ALLSYNC), NAME(UPC_OUT_MYSYNC), NAME(UPC_OUT_NOSYNC), {0, NULL},
};

static const struct name file_flags[] = {
    NAME(UPC_RDONLY), NAME(UPC_WRONLY), NAME(UPC_RDWR),      NAME(UPC_INDIVIDUAL_FP), NAME(UPC_COMMON_FP),       NAME(UPC_APPEND),
    NAME(UPC_CREATE), NAME(UPC_EXCL),   NAME(UPC_STRONG_CA), NAME(UPC_TRUNC),         NAME(UPC_DELETE_ON_CLOSE), {0, NULL},
};

/* Writes the names of all bits that are set; bits without a name are written as a number. */
static void add_bits(struct upcr_text *text, const struct name *names, int value)
{
    const char *between = "";
    for (; names->text != NULL; names++) {
        if ((value & names->value) == 0)
            continue;
        upcr_text_add(text, "%s%s", between, names->text);
        value &= ~names->value;
        between = "|";
    }
    if (value != 0 || *between == '\0')
        upcr_text_add(text, "%s%d", between, value);
}

#define REDUCTION(suffix) [GASP_UPC_REDUCTION_##suffix] = #suffix
static const char *const reductions[] = {REDUCTION(C), REDUCTION(UC), REDUCTION(S), REDUCTION(US), REDUCTION(I), REDUCTION(UI),
                                         REDUCTION(L), REDUCTION(UL), REDUCTION(F), REDUCTION(D),  REDUCTION(LD)};

static void add_reduction(struct upcr_text *text, unsigned type)
{
    if (type < sizeof reductions / sizeof *reductions)
        upcr_text_add(text, "%s", reductions[type]);
    else
        upcr_text_add(text, "%u", type);
}

static void add_handle(struct upcr_text *text, gasp_upc_nb_handle_t handle)
{
    if (handle == GASP_UPC_NB_TRIVIAL)
        upcr_text_add(text, "complete");
    else
        upcr_text_add(text, "0x%llx", (unsigned long long)(uintptr_t)handle);
}

/* Writes a string as a C string literal. */
static void add_string(struct upcr_text *text, const char *string)
{
    if (string == NULL) {
        upcr_text_add(text, "NULL");
        return;
    }
    upcr_text_add(text, "\"");
    for (; *string != '\0'; string++) {
        unsigned char c = (unsigned char)*string;
        if (c == '"' || c == '\\')
            upcr_text_add(text, "\\%c", c);
        else if (c < ' ')
            upcr_text_add(text, "\\%03o", c);
        else
            upcr_text_add(text, "%c", c);
    }
    upcr_text_add(text, "\"");
}

void upcr_dump_arguments(struct upcr_text *text, const struct upcr_arg *arg, va_list arguments)
{
    const char *between = "";
    for (; arg->kind != UPCR_ARG_NONE; arg++, between = ", ") {
        upcr_text_add(text, "%s%s=", between, arg->name);
        switch (arg->kind) {
        case UPCR_ARG_NONE:
            break;
        case UPCR_ARG_INT:
            upcr_text_add(text, "%d", va_arg(arguments, int));
            break;
        case UPCR_ARG_SIZE:
            upcr_text_add(text, "%zu", va_arg(arguments, size_t));
            break;
        case UPCR_ARG_POINTER:
            upcr_text_add(text, "%p", va_arg(arguments, void *));
            break;
        case UPCR_ARG_SHARED:
            upcr_dump_place(text, *va_arg(arguments, upcr_pts_t *));
            break;
        case UPCR_ARG_LOCK:
            upcr_text_add(text, "lock ");
            upcr_dump_place(text, *va_arg(arguments, upcr_pts_t *));
            break;
        case UPCR_ARG_TEXT:
            add_string(text, va_arg(arguments, const char *));
            break;
        case UPCR_ARG_FLAGS:
            add_bits(text, flags, va_arg(arguments, int));
            break;
        case UPCR_ARG_FILE_FLAGS:
            add_bits(text, file_flags, va_arg(arguments, int));
            break;
        case UPCR_ARG_OFFSET:
            upcr_text_add(text, "%lld", (long long)va_arg(arguments, int64_t));
            break;
        case UPCR_ARG_OPERATION:
            add_bits(text, operations, va_arg(arguments, int));
            break;
        case UPCR_ARG_REDUCTION:
            add_reduction(text, va_arg(arguments, unsigned));
            break;
        case UPCR_ARG_HANDLE:
            add_handle(text, va_arg(arguments, gasp_upc_nb_handle_t));
            break;
        }
    }
}
