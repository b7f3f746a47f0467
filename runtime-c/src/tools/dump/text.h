/* A line that is being written, and the formats of arguments in it. */
#ifndef UPCR_DUMP_TEXT_H
#define UPCR_DUMP_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#include "tools/events.h"
#include "upcr/upcr.h"

enum { UPCR_DUMP_LINE = 2048 };

/* Text that does not fit is cut off; there is always space for the end of the line. */
struct upcr_dump_text {
    size_t length;
    char line[UPCR_DUMP_LINE];
};

void upcr_dump_add(struct upcr_dump_text *text, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));
void upcr_dump_add_list(struct upcr_dump_text *text, const char *format, va_list arguments) __attribute__((__format__(__printf__, 2, 0)));

/* Appends the arguments of an event: "name=value, name=value". */
void upcr_dump_arguments(struct upcr_dump_text *text, const struct upcr_arg *arg, va_list arguments);

/* Appends "grid[2][7] <thread=1 phase=3 addrfield=0x10008>", with a name only if the place is in a static object. */
void upcr_dump_place(struct upcr_dump_text *text, upcr_pts_t p);

#endif
