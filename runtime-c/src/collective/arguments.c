/* The check that arguments are the same on all threads, in checked programs. */
#include "checks/checks.h"
#include "collective/collective.h"

void upcr_arguments_check(const struct upcr_arguments *arguments)
{
    if (!upcr_is_checked())
        return;
    const struct upcr_argument list[] = {
        upcr_place_argument("dst", arguments->dst),
        upcr_place_argument("src", arguments->src),
        upcr_place_argument("perm", arguments->perm),
        upcr_number_argument(arguments->count_name, arguments->count),
        upcr_number_argument("blk_size", arguments->block),
        upcr_number_argument("elem_size", arguments->size),
        /* Processes that are started separately have the program at different addresses. */
        upcr_number_argument("func", arguments->func != NULL ? (uintptr_t)arguments->func - (uintptr_t)upcr_arguments_check : 0),
        upcr_number_argument("op", (uint64_t)arguments->op),
        upcr_number_argument("flags", (uint64_t)arguments->flags),
    };
    upcr_checks.arguments(list, sizeof list / sizeof *list);
    /* Whatever the flags are, no thread continues before all have recorded their arguments. */
    upcr_internal_barrier(arguments->function);
}
