/* Text that is put together for reports. What does not fit is cut off. */
#ifndef UPCR_RACES_TEXT_H
#define UPCR_RACES_TEXT_H

#include <stddef.h>

#include "races/detector.h"

enum { UPCR_TEXT_CAPACITY = 6000 };

/* All zero: empty. */
struct upcr_text {
    size_t length;
    char bytes[UPCR_TEXT_CAPACITY];
};

void upcr_text_add(struct upcr_text *text, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));

/* Adds a string of JSON. */
void upcr_text_add_string(struct upcr_text *text, const char *string);

/* Adds "heat.upc:34 (main)". */
void upcr_text_add_place(struct upcr_text *text, const struct upcr_race_place *place);

#endif
