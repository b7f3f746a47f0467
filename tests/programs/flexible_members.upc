// question: does an initialiser of a structure with a flexible array member give the object storage for the elements, shared and private?
// threads: 1 3
#include "check.h"
#include <stddef.h>
#include <string.h>

/* Each object stands between two others that must keep their values. */
#define AROUND(name, ...) \
    shared long before_##name = 77; \
    __VA_ARGS__; \
    shared long after_##name = 78

struct ints { int n; int of[]; };
struct text { int n; char of[]; };
struct wide { char n; double of[]; };
struct packed { char n; short m; int of[]; } __attribute__((packed));
struct aligned { int n; short of[]; } __attribute__((aligned(32)));
struct pair { int x, y; };
struct pairs { int n; struct pair of[]; };
struct rows { int n; int of[][2]; };
struct constant { const int n; const int of[]; };
struct volatiles { int n; volatile long of[]; };
typedef short shorts[];
struct named { int n; shorts of; };
struct pointing { int n; shared int *of[]; };
struct pointed { shared int *p; int of[]; };
struct pointers { int n; struct { int k; shared [] int *p; } of[]; };

shared int target[4 * THREADS];
shared [] int local[4];

AROUND(braces, shared struct ints braces = {1, {2, 3, 4}});
AROUND(elided, shared struct ints elided = {1, 2, 3, 4});
AROUND(designated, shared struct ints designated = {.n = 1, .of[4] = 5, .of = {[9] = 10, [2 ... 3] = 7}});
AROUND(later, shared struct ints later = {1, .of[3] = 4, 5, 6});
AROUND(none, shared struct ints none = {1});
AROUND(empty, shared struct ints empty = {1, {}});
AROUND(text, shared struct text text = {1, "abcdefgh"});
AROUND(in_braces, static shared struct text in_braces = {1, {"abcdefghijklmnop"}});
AROUND(wide, shared struct wide wide = {1, {2.5, 3.5}});
AROUND(packed, shared struct packed packed = {1, 2, {3, 4}});
AROUND(aligned, shared struct aligned aligned = {1, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}});
AROUND(pairs, shared struct pairs pairs = {1, {{2, 3}, {4}, {.y = 5}}});
AROUND(flat, shared struct pairs flat = {1, 2, 3, 4, 5});
AROUND(rows, shared struct rows rows = {1, {{2, 3}, {4, 5}}});
AROUND(constant, shared const struct constant constant = {1, {2, 3}});
AROUND(volatiles, strict shared struct volatiles volatiles = {1, {2, 3}});
AROUND(named, shared struct named named = {1, {2, 3, 4}});
AROUND(pointing, shared struct pointing pointing = {1, {&target[1], 0, target}});
AROUND(pointers, shared struct pointers pointers = {1, {{2, local}, {3, local + 3}}});
extern shared struct ints common;
shared struct ints common;
AROUND(common, shared struct ints common = {1, {2, 3}});
shared [] struct ints array[2] = {{1}, {2}};

/* Private objects with values that C cannot store, which the program stores before main. */
#define PRIVATELY_AROUND(name, ...) \
    static long private_before_##name = 77; \
    __VA_ARGS__; \
    static long private_after_##name = 78
PRIVATELY_AROUND(p, static struct pointing p = {1, {&target[1], 0, target + 3}});
PRIVATELY_AROUND(q, struct pointed q = {&target[2], {3, 4, 5}});
PRIVATELY_AROUND(r, const struct pointed r = {&target[2], 3, 4, 5});
PRIVATELY_AROUND(s, static const struct pointers s = {1, {{2, local}, {3, local + 1}}});
PRIVATELY_AROUND(t, struct pointed t = {NULL, 3, 4, 5});

#define CHECK_AROUND(name) CHECK(before_##name == 77 && after_##name == 78)

static void check_shared(void)
{
    for (int i = 0; i < 3; i++) {
        CHECK(braces.of[i] == i + 2);
        CHECK(elided.of[i] == i + 2);
        CHECK(later.of[3 + i] == 4 + i && later.of[i] == 0);
    }
    CHECK(designated.of[2] == 7 && designated.of[3] == 7 && designated.of[9] == 10 && designated.of[8] == 0);
    CHECK(none.n == 1 && empty.n == 1);
    for (int i = 0; i < 8; i++)
        CHECK(text.of[i] == 'a' + i);
    CHECK(text.of[8] == 0);
    for (int i = 0; i < 16; i++)
        CHECK(in_braces.of[i] == 'a' + i);
    CHECK(wide.n == 1 && wide.of[0] == 2.5 && wide.of[1] == 3.5);
    CHECK(packed.n == 1 && packed.m == 2 && packed.of[0] == 3 && packed.of[1] == 4);
    for (int i = 0; i < 17; i++)
        CHECK(aligned.of[i] == i + 2);
    CHECK(upc_addrfield(&aligned) % 32 == 0);
    CHECK(pairs.of[0].x == 2 && pairs.of[0].y == 3 && pairs.of[1].x == 4 && pairs.of[1].y == 0 && pairs.of[2].y == 5);
    CHECK(flat.of[0].x == 2 && flat.of[0].y == 3 && flat.of[1].x == 4 && flat.of[1].y == 5);
    CHECK(rows.of[0][0] == 2 && rows.of[0][1] == 3 && rows.of[1][0] == 4 && rows.of[1][1] == 5);
    CHECK(constant.n == 1 && constant.of[0] == 2 && constant.of[1] == 3);
    CHECK(volatiles.n == 1 && volatiles.of[0] == 2 && volatiles.of[1] == 3);
    CHECK(named.of[0] == 2 && named.of[1] == 3 && named.of[2] == 4);
    CHECK(pointing.of[0] == &target[1] && pointing.of[1] == NULL && pointing.of[2] == target);
    CHECK(pointers.of[0].k == 2 && pointers.of[0].p == local && pointers.of[1].k == 3 && pointers.of[1].p == local + 3);
    CHECK(common.n == 1 && common.of[0] == 2 && common.of[1] == 3);
    CHECK(array[0].n == 1 && array[1].n == 2);
    CHECK_AROUND(braces); CHECK_AROUND(elided); CHECK_AROUND(designated); CHECK_AROUND(later); CHECK_AROUND(none);
    CHECK_AROUND(empty); CHECK_AROUND(text); CHECK_AROUND(in_braces); CHECK_AROUND(wide); CHECK_AROUND(packed);
    CHECK_AROUND(aligned); CHECK_AROUND(pairs); CHECK_AROUND(flat); CHECK_AROUND(rows); CHECK_AROUND(constant);
    CHECK_AROUND(volatiles); CHECK_AROUND(named); CHECK_AROUND(pointing); CHECK_AROUND(pointers); CHECK_AROUND(common);
}

static void check_private(void)
{
    CHECK(p.of[0] == &target[1] && p.of[1] == NULL && p.of[2] == target + 3);
    CHECK(q.p == &target[2] && q.of[0] == 3 && q.of[1] == 4 && q.of[2] == 5);
    CHECK(r.p == &target[2] && r.of[0] == 3 && r.of[1] == 4 && r.of[2] == 5);
    CHECK(s.of[0].p == local && s.of[0].k == 2 && s.of[1].p == local + 1 && s.of[1].k == 3);
    CHECK(t.p == NULL && t.of[0] == 3 && t.of[1] == 4 && t.of[2] == 5);
    CHECK(private_before_p == 77 && private_after_p == 78 && private_before_q == 77 && private_after_q == 78);
    CHECK(private_before_r == 77 && private_after_r == 78 && private_before_s == 77 && private_after_s == 78);
    CHECK(private_before_t == 77 && private_after_t == 78);
}

/* Statics of a block, also of a type that only the block knows. */
static void check_block(void)
{
    struct here { int n; shared int *of[]; };
    static shared struct ints in_block = {1, {2, 3, 4}};
    static shared long behind = 79;
    static struct pointing moved = {1, {&target[2], &target[3]}};
    static struct here kept = {1, {&target[2], &target[3]}};
    static long last = 80;
    for (int i = 0; i < 3; i++)
        CHECK(in_block.of[i] == i + 2);
    for (int i = 0; i < 2; i++)
        CHECK(moved.of[i] == &target[2 + i] && kept.of[i] == &target[2 + i]);
    CHECK(behind == 79 && last == 80);
}

int main(void)
{
    upc_barrier;
    check_shared();
    check_private();
    check_block();
    /* The sizes are those of the types. */
    CHECK(sizeof braces == sizeof(int) && upc_localsizeof(braces) == sizeof(int) && upc_elemsizeof(braces) == sizeof(int));
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        braces.of[2] = 5;
        text.of[8] = 'i';
    }
    upc_barrier;
    CHECK(braces.of[2] == 5 && text.of[8] == 'i' && after_braces == 78 && after_text == 78);
    upc_barrier;
    return pass();
}
