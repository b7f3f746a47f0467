// question: does a list in an initialiser override all that earlier items gave the same place, where the program stores the values itself?
// threads: 1 3
#include "check.h"
#include <string.h>

shared int target[THREADS];

struct inner { int a, b, c[3]; };
struct outer { int n; struct inner in; struct inner many[4]; char text[8]; };
/* With a pointer-to-shared, so that C cannot initialise it. */
struct with { struct outer o; shared int *p; };
struct flexible { int n; int of[]; };

#define TWICE(name, ...) \
    static struct outer c_##name = __VA_ARGS__; \
    shared struct outer s_##name = __VA_ARGS__; \
    static struct with p_##name = {__VA_ARGS__, target}

TWICE(whole, {1, {2, 3, {4, 5, 6}}, .in = {.b = 7}});
TWICE(part_first, {.in.c[1] = 9, .in = {8, 7}, .n = 2});
TWICE(array, {.many[2].a = 5, .many[1].c[2] = 6, .many = {[3] = {1}, [0].b = 2}});
TWICE(range, {.many[0 ... 3] = {1, 2, {3, 4, 5}}, .many[1] = {.a = 6}, .many[2].b = 7});
TWICE(twice, {.many[1 ... 2] = {1, 2, {3, 4, 5}}, .many[0 ... 1] = {.c = {[1] = 8}}});
TWICE(back, {.in.c = {1, 2, 3}, .n = 4, .in.c = {5}});
TWICE(string, {.text = "abcdefg", .n = 1, .text = "xy"});
TWICE(elided, {1, 2, 3, 4, 5, 6, .in.b = 9, .many[0] = {1}});
TWICE(elided_after, {.many[1].b = 3, .n = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
shared struct flexible flexible = {1, .of[4] = 5, .of[1] = 6, .of = {7, [2] = 8}};

#define CHECK_TWICE(name)                                         \
    do {                                                          \
        struct outer copy = s_##name;                             \
        CHECK(memcmp(&copy, &c_##name, sizeof copy) == 0);        \
        CHECK(memcmp(&p_##name.o, &c_##name, sizeof copy) == 0);  \
        CHECK(p_##name.p == target);                              \
    } while (0)

int main(void)
{
    upc_barrier;
    CHECK_TWICE(whole);
    CHECK_TWICE(part_first);
    CHECK_TWICE(array);
    CHECK_TWICE(range);
    CHECK_TWICE(twice);
    CHECK_TWICE(back);
    CHECK_TWICE(string);
    CHECK_TWICE(elided);
    CHECK_TWICE(elided_after);
    CHECK(flexible.n == 1 && flexible.of[0] == 7 && flexible.of[1] == 0 && flexible.of[2] == 8 && flexible.of[4] == 0);
    CHECK(s_whole.in.a == 0 && s_whole.in.b == 7 && s_whole.in.c[2] == 0);
    CHECK(s_range.many[1].b == 0 && s_range.many[2].b == 7 && s_range.many[2].a == 1);
    return pass();
}
