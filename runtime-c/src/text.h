/* Text that is put together in a buffer of the caller. What does not fit is cut off. */
#ifndef UPCR_TEXT_H
#define UPCR_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* bytes: always a string, unless the capacity is 0; length: without the byte 0 at its end. */
struct upcr_text {
    char *bytes;
    size_t capacity, length;
};

/* An empty text in an array of char. */
#define UPCR_TEXT_IN(array)       \
    {                             \
        (array), sizeof(array), 0 \
    }

void upcr_text_add(struct upcr_text *text, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));
void upcr_text_add_list(struct upcr_text *text, const char *format, va_list arguments) __attribute__((__format__(__printf__, 2, 0)));

#endif
