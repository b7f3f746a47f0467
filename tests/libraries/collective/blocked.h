/* Arrays whose block size is chosen at run time: the compiler's own pointer arithmetic finds the elements. */
#include "collective.h"

#define BLOCK_SIZES(X) X(1) X(2) X(3) X(5) X(16) X(64) X(1000)

static const int block_sizes[] = {
#define X(B) B,
    BLOCK_SIZES(X)
#undef X
    0};
enum { BLOCK_SIZE_COUNT = sizeof block_sizes / sizeof *block_sizes };

/* Element k of "shared [block] T" at base; block 0: indefinite. A generic pointer, which keeps the phase. */
#define DEFINE_ELEMENT(NAME)                                                                                                   \
    static shared void *NAME(shared void *base, int block, size_t k)                                                           \
    {                                                                                                                          \
        switch (block) {                                                                                                       \
            BLOCK_SIZES(ELEMENT_CASE)                                                                                          \
        default:                                                                                                               \
            return (shared [] ELEMENT_TYPE *)base + k;                                                                         \
        }                                                                                                                      \
    }
#define ELEMENT_CASE(B)                                                                                                        \
    case B:                                                                                                                    \
        return (shared [B] ELEMENT_TYPE *)base + k;
