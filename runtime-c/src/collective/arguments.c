/* Checks of arguments in checked programs: single-valued, and within what the specification allows. */
#include "collective/collective.h"

void upcr_arguments_check(const struct upcr_arguments *arguments)
{
    (void)arguments;
}
