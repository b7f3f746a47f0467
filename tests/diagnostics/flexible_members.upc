// Initialisers of flexible array members, which GNU C allows for whole objects with static storage.
#include <upc.h>

struct s { int n; int of[]; };
struct text { int n; char of[]; };
struct outer { int n; struct s s; };
struct unnamed { int n; struct { int m; int of[]; }; };

struct s plain = { 1, { 2, 3 } }, elided = { 1, 2, 3 };
static struct s designated = { .of = { [3] = 4 } };
shared struct s of_thread_0 = { 1, { 2, 3 } };
shared struct text words = { 1, "words" };
_Thread_local struct s each = { 1, { 2 } };
struct outer whole = { 1, { 2 } }, empty = { 1, { 2, {} } };
struct s without[2] = { { 1 }, { 2 } };

shared struct outer nested = { 1, { 2, { 3 } } }; //~ E0235 @40 itself a member
struct outer private_nested = { 1, { 2, { 3 } } }; //~ E0235 @41
struct outer flat = { 1, 2, 3 }; //~ E0235 @29
struct outer by_name = { .s.of[2] = 3 }; //~ E0235 @32
shared [] struct s elements[2] = { { 1, { 2 } }, { 1, 2 } }; //~ E0235 @41 //~ E0235 @55
struct unnamed inside = { 1, { 2, { 3 } } }; //~ E0235
struct unnamed through = { 1, .of = { 3 } }; //~ E0235
struct s *literal = &(struct s){ 1, { 2 } }; //~ E0235 @37 of a compound literal

int f(void)
{
    struct s automatic = { 1, { 2, 3 } }; //~ E0235 @31 of an automatic variable
    struct text text = { 1, "abc" }; //~ E0235 @29
    struct s elided = { 1, 2 }; //~ E0235 @28
    struct s one = { 1 };
    static struct s fixed = { 1, { 2, 3 } };
    static shared struct s here = { 1, { 2, 3 } };
    struct s *p = &(struct s){ 1, { 2 } }; //~ E0235 @35 of a compound literal
    return automatic.n + text.n + elided.n + one.n + fixed.n + here.n + p->n;
}

struct only { int of[]; }; //~ E0224 @19 cannot be the only member with a name
struct padded { int : 3; int of[]; }; //~ E0224 @30
union either { int n; int of[]; }; //~ E0224 @27 a union cannot have
struct behind { struct { int n; }; int of[]; };
