/* Parts of reports. */
#ifndef UPCR_RACES_WORDS_H
#define UPCR_RACES_WORDS_H

#include "races/detector.h"
#include "text.h"

/* Adds a string of JSON. */
void upcr_race_add_string(struct upcr_text *text, const char *string);

/* Adds "heat.upc:34 (main)". */
void upcr_race_add_place(struct upcr_text *text, const struct upcr_race_place *place);

#endif
