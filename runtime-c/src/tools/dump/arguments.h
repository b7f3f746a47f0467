/* The formats of arguments in a line. */
#ifndef UPCR_DUMP_ARGUMENTS_H
#define UPCR_DUMP_ARGUMENTS_H

#include <stdarg.h>

#include "text.h"
#include "tools/events.h"
#include "upcr/upcr.h"

/* Appends the arguments of an event: "name=value, name=value". */
void upcr_dump_arguments(struct upcr_text *text, const struct upcr_arg *arg, va_list arguments);

/* Appends "grid[2][7] <thread=1 phase=3 addrfield=0x10008>", with a name only if the place is in a static object. */
void upcr_dump_place(struct upcr_text *text, upcr_pts_t p);

#endif
