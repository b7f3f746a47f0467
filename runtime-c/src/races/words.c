#include "runtime.h"

#include "races/words.h"

void upcr_race_add_string(struct upcr_text *text, const char *string)
{
    upcr_text_add(text, "\"");
    for (const char *c = string; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            upcr_text_add(text, "\\%c", *c);
        else if ((unsigned char)*c < ' ')
            upcr_text_add(text, "\\u%04x", (unsigned)*c);
        else
            upcr_text_add(text, "%c", *c);
    }
    upcr_text_add(text, "\"");
}

void upcr_race_add_place(struct upcr_text *text, const struct upcr_race_place *place)
{
    if (place->line == 0)
        upcr_text_add(text, "an unknown place (compile with -g)");
    else
        upcr_text_add(text, "%s:%d", place->file, place->line);
    if (place->function[0] != '\0')
        upcr_text_add(text, " (%s)", place->function);
}
