// question: are strict accesses of every scalar type whole, and ordered with those of other sizes at the same place?
// threads: 2 3 4
#include "litmus.h"
#include <stdint.h>

/* One thread writes patterns, the others never read a mixture. */
#define WHOLE(name, T, a, b)                                                                                                           \
    static strict shared T place_##name;                                                                                               \
    static long name(void)                                                                                                             \
    {                                                                                                                                  \
        long wrong = 0;                                                                                                                \
        int i, count = repeats(20000);                                                                                                 \
        if (MYTHREAD == 0)                                                                                                             \
            place_##name = (a);                                                                                                        \
        upc_barrier;                                                                                                                   \
        for (i = 0; i < count; i++)                                                                                                    \
            if (MYTHREAD == 0) {                                                                                                       \
                place_##name = i % 2 ? (a) : (b);                                                                                      \
            } else {                                                                                                                   \
                T seen = place_##name;                                                                                                 \
                wrong += seen != (T)(a) && seen != (T)(b);                                                                             \
            }                                                                                                                          \
        upc_barrier;                                                                                                                   \
        return wrong;                                                                                                                  \
    }
WHOLE(whole_char, char, 0, -1)
WHOLE(whole_short, short, 0, -1)
WHOLE(whole_int, int, 0x01010101, -1)
WHOLE(whole_int64, int64_t, 0x0101010101010101, -1)
WHOLE(whole_float, float, 1.5f, -3e30f)
WHOLE(whole_double, double, 1.5, -3e300)
static shared [] int target[2];
typedef shared [] int *pointer;
WHOLE(whole_pointer, pointer, &target[0], &target[1])

/* A word and its halves: a half that is new comes with the other, for both were written at once, and later reads do not go back. */
static strict shared [] union {
    uint64_t word;
    uint32_t half[2];
} u[INSTANCES];
LITMUS(word_then_half, 2, u[i].word = 0, if (MYTHREAD == 0) { u[i].word = 0x0000000100000001; } else {
    mine[0][i] = (int)u[i].half[0]; mine[1][i] = (int)u[i].half[1]; }, R(1, 0) == 1 && R(1, 1) == 0)
LITMUS(halves_then_word, 2, u[i].word = 0, if (MYTHREAD == 0) { u[i].half[0] = 1; u[i].half[1] = 1; } else {
    uint64_t all = u[i].word; mine[0][i] = (int)all; mine[1][i] = (int)(all >> 32); },
    R(1, 1) == 1 && R(1, 0) == 0)

static void sum(const char *name, long wrong)
{
    if (wrong != 0) {
        printf("%s: %ld torn values on thread %d\n", name, wrong, MYTHREAD);
        upc_global_exit(1);
    }
}

int main(void)
{
    sum("char", whole_char());
    sum("short", whole_short());
    sum("int", whole_int());
    sum("int64_t", whole_int64());
    sum("float", whole_float());
    sum("double", whole_double());
    /* A pointer-to-shared may be more than a word. */
    if (sizeof(pointer) <= sizeof(void *))
        sum("pointer-to-shared", whole_pointer());
    FORBID(word_then_half);
    FORBID(halves_then_word);
    return verdict();
}
