// question: are structures copied with the bytes between their members, wherever gcc keeps those in plain C?
// threads: 1 3
// counts: UPC_BARRIER=THREADS, UPC_MEMPUT=8*THREADS, UPC_MEMGET=16*THREADS, UPC_MEMSET=8*THREADS, C_MALLOC=8*THREADS, C_FREE=8*THREADS
// counts: UPC_PUT=16*THREADS, UPC_PUT.remote=16*THREADS*(THREADS>1), UPC_GET=72*THREADS, UPC_GET.remote=72*THREADS*(THREADS>1)
#include <stdlib.h>
#include <string.h>

#include "check.h"

struct small { char c; long long l; };
struct mixed { char c; int i; short s; double d[2]; };
struct tail { char a[3]; int x; char end; };
struct large { char c; struct small in[9]; };

static unsigned char pattern[256];

#define SAME(x) (memcmp(&(x), pattern, sizeof(x)) == 0)
#define CLEAR(x) memset(&(x), 0, sizeof(x))

#define COPIES(T, KIND)                                                                                                                \
    KIND shared struct T from_##KIND##_##T[THREADS], to_##KIND##_##T[THREADS];                                                         \
    static void copies_##KIND##_##T(int t)                                                                                             \
    {                                                                                                                                  \
        struct T g, h, *heap = malloc(sizeof *heap);                                                                                   \
        unsigned char back[sizeof g];                                                                                                  \
        KIND shared struct T *from = &from_##KIND##_##T[t], *to = &to_##KIND##_##T[t];                                                 \
        upc_memput((shared void *)from, pattern, sizeof g);                                                                            \
        CLEAR(g), CLEAR(h), CLEAR(*heap);                                                                                              \
        g = *from;                                                                                                                     \
        CHECK(SAME(g));                                                                                                                \
        *heap = from_##KIND##_##T[t];                                                                                                  \
        CHECK(SAME(*heap));                                                                                                            \
        struct T made = *from, array[2] = {*from, from_##KIND##_##T[t]};                                                               \
        struct { int n; struct T in; } around = {1, *from};                                                                            \
        CHECK(SAME(made) && SAME(array[0]) && SAME(array[1]) && SAME(around.in));                                                      \
        h = t >= 0 ? *from : g;                                                                                                        \
        CHECK(SAME(h));                                                                                                                \
        CLEAR(g), CLEAR(h);                                                                                                            \
        h = g = *from;                                                                                                                 \
        CHECK(SAME(g) && SAME(h));                                                                                                     \
        memcpy(&g, pattern, sizeof g);                                                                                                 \
        *to = g;                                                                                                                       \
        upc_memget(back, (shared void *)to, sizeof g);                                                                                 \
        CHECK(SAME(back));                                                                                                             \
        upc_memset((shared void *)to, 0, sizeof g), CLEAR(h);                                                                          \
        h = *to = *from;                                                                                                               \
        upc_memget(back, (shared void *)to, sizeof g);                                                                                 \
        CHECK(SAME(back) && SAME(h));                                                                                                  \
        free(heap);                                                                                                                    \
    }

COPIES(small, relaxed)
COPIES(mixed, relaxed)
COPIES(tail, relaxed)
COPIES(large, relaxed)
COPIES(small, strict)
COPIES(mixed, strict)
COPIES(tail, strict)
COPIES(large, strict)

int main(void)
{
    const int next = (MYTHREAD + 1) % THREADS;
    memset(pattern, 0x5a, sizeof pattern);
    copies_relaxed_small(next), copies_relaxed_mixed(next), copies_relaxed_tail(next), copies_relaxed_large(next);
    copies_strict_small(next), copies_strict_mixed(next), copies_strict_tail(next), copies_strict_large(next);
    return pass();
}
