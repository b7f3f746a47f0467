/* Names places in shared memory as the user's source does. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include "objects.h"
#include "tools/dump/arguments.h"

enum { MOST_EXTENTS = 16 };

/* Reads "10*THREADS" up to the bracket; *end is set to the position after it. Returns 0 for any other text. */
static uint64_t read_extent(const char *text, const char **end)
{
    uint64_t product = 1;
    for (;;) {
        char *behind;
        if (strncmp(text, "THREADS", 7) == 0) {
            product *= (uint64_t)upcr_threads;
            behind = (char *)text + 7;
        } else {
            product *= strtoull(text, &behind, 10);
            if (behind == text)
                return 0;
        }
        text = behind;
        if (*text == ']') {
            *end = text + 1;
            return product;
        }
        if (*text++ != '*')
            return 0;
    }
}

/* Reads the extents of an array of this number of elements from the brackets at the end of its type. Returns the number of extents; 0: the object
   is not an array, or its type does not show it, as for a pointer to an array. */
static int read_extents(const char *type, uint64_t total, uint64_t *extents)
{
    const char *start = type + strlen(type);
    while (start > type && start[-1] == ']') {
        do
            start--;
        while (start > type && *start != '[');
    }
    int count = 0;
    uint64_t product = 1;
    while (*start == '[' && count < MOST_EXTENTS) {
        extents[count] = read_extent(start + 1, &start);
        product *= extents[count++];
        if (product == 0)
            return 0;
    }
    return *start == '\0' && product == total ? count : 0;
}

static void add_name(struct upcr_text *text, const upcr_object *object, uint64_t element)
{
    uint64_t extents[MOST_EXTENTS], total = object->count * (object->per_thread ? (uint64_t)upcr_threads : 1);
    int count = read_extents(object->type, total, extents);
    upcr_text_add(text, "%s", object->name);
    for (int i = 0; i < count; i++) {
        total /= extents[i];
        upcr_text_add(text, "[%llu]", (unsigned long long)(element / total));
        element %= total;
    }
    if (count == 0 && total > 1)
        upcr_text_add(text, "[%llu]", (unsigned long long)element);
}

void upcr_dump_place(struct upcr_text *text, upcr_pts_t p)
{
    uint64_t element, start, address = upcr_addrfield(p);
    size_t thread = upcr_threadof(p);
    if (upcr_is_null(p)) {
        upcr_text_add(text, "<null>");
        return;
    }
    const upcr_object *object = thread < (size_t)upcr_threads ? upcr_object_at((int)thread, address, &element) : NULL;
    if (object != NULL) {
        add_name(text, object, element);
        upcr_object_before(address, &start);
        if (object->elem != 0 && (address - start) % object->elem != 0)
            upcr_text_add(text, "+%llu", (unsigned long long)((address - start) % object->elem));
        upcr_text_add(text, " ");
    }
    upcr_text_add(text, "<thread=%zu phase=%zu addrfield=0x%llx>", thread, (size_t)upcr_phaseof(p), (unsigned long long)address);
}
