#include "runtime.h"

#include <stdio.h>

#include "text.h"

void upcr_text_add_list(struct upcr_text *text, const char *format, va_list arguments)
{
    size_t room = text->capacity - text->length;
    int length = vsnprintf(text->bytes + text->length, room, format, arguments);
    if (length > 0 && room > 0)
        text->length += (size_t)length < room ? (size_t)length : room - 1;
}

void upcr_text_add(struct upcr_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    upcr_text_add_list(text, format, arguments);
    va_end(arguments);
}
