// Constraints of C11 that the C compiler would find in translated text.
#include <upc.h>

// Initialisers of static objects (6.7.9).
int run, other;
shared int in_all;
int reads = run; //~ E0230 @13 `run` gets its value at run time
struct { shared int *to; int n; } mixed = { 0, run }; //~ E0230 @48
int sums = run + 1, of_two = run * other; //~ E0230 @12 //~ E0230 @30
int chosen = run ? 1 : 2; //~ E0230 @14
int narrow = (int)&run; //~ E0230 @14 an address
long negated = -(long)&run; //~ E0230
int comma = (1, 2); //~ E0230
int zero = 1 / 0; //~ E0230 divides by zero
int *through = &mixed.n, **beyond = &through + run; //~ E0230
_Thread_local int each;
int *of_each = &each; //~ E0230 differs between calls or threads
int *literal = (int[]){ 1, run }; //~ E0230
int own(void) { return 1; }
int called = own(); //~ E0230
int automatic(int n)
{
    static int copy = n; //~ E0230
    static int *to = &n, *of_literal = (int[]){ 1 }; //~ E0230 @23 //~ E0230
    static int fine[] = { sizeof n, 0 && n, 0 * n };
    return copy + *to + *of_literal + fine[0];
}
long folded = (long)&run + 8, difference = &mixed.n - &mixed.n, none = 0 && run, all = 1 || own();
_Bool there = &run;
unsigned short low = (unsigned short)3.9;
int at_start = THREADS, in_memory = sizeof in_all;
char *strings[] = { "a", &"bc"[1], __FILE__ "d" + 1 };

// Storage classes (6.7.1).
auto int file_auto; //~ E0231
register int file_register; //~ E0231
register int f(void); //~ E0231
_Thread_local int function(void); //~ E0231
typedef int with_value = 3; //~ E0231
typedef int with_body(void) { return 1; } //~ E0231
int old(a) static int a; { return a; } //~ E0231
void classes(void)
{
    extern int both = 1; //~ E0231
    _Thread_local int alone; //~ E0231
    static int inner(void); //~ E0231
    for (static int i = 0; i < 3; i++) //~ E0231
        ;
    upc_forall (extern int j; j < 3; j++; j) //~ E0231
        ;
    for (struct tagged { int a; } k = { 0 }; k.a < 3; k.a++) //~ E0231
        ;
}
static int internal;
int internal; //~ E0225
extern int outside;
_Thread_local int outside; //~ E0200

// Sizes (6.5.3.4, 6.7.2.1, 6.7.6.2) and enumerators (6.7.2.2).
extern double wide[1L << 40][1L << 40]; //~ E0232
struct big { char a[1L << 62], b[1L << 62]; }; //~ E0232
enum limits { LAST = 2147483647, AFTER }; //~ E0233 AFTER
enum wider { ABOVE = 2147483648, UP, SAME = ABOVE, AND_UP };
struct later;
int aligned = _Alignof(struct later); //~ E0316
struct bits { int a : 3; } bits;
int of_bits = __alignof__(bits.a); //~ E0316
enum never unfinished; //~ E0204

// Jumps (6.8.6.1, 6.8.4.2).
int jumps(int n)
{
    goto past; //~ E0411
    goto into; //~ E0411
    int a[n];
past:
    switch (n) {
        int (*p)[n];
    case 1: //~ E0411
        goto past;
    }
    n += ({ into: n; });
    {
        typedef int t[n];
        goto out;
    }
out:
    return a[0];
}

// Arrays of variable length (6.7.6.2, 6.7.9).
int lengths(int n)
{
    static int fixed[n]; //~ E0221
    extern int linked[n]; //~ E0221
    int filled[n] = { 1 }; //~ E0221
    return _Generic(n, int[n]: 1, default: 2); //~ E0319
}

// Types and values.
int twice_default = _Generic(1, default: 1, default: 2); //~ E0319
int of_open = _Generic(1, struct later: 1, default: 2); //~ E0319
_Atomic(int[3]) array; //~ E0234
_Atomic(const int) qualified; //~ E0234
char letters[] = L"abc"; //~ E0213
struct held { const int c; int v; } held;
void values(struct held other, int *p, char *q, __builtin_va_list list)
{
    held = other; //~ E0304
    long between = p - q; //~ E0302
    register int quick = 1;
    int *address = &quick; //~ E0314
    (struct later){ 0 }; //~ E0204
    __builtin_va_arg(list, struct later); //~ E0320
    __builtin_va_arg(list, int(void)); //~ E0320
    __builtin_va_arg(*p, int); //~ E0320 which is not a va_list
    goto *5; //~ E0324
    goto *other.v; //~ E0324 @11
    goto *(void *)0;
    goto *0;
}
char *capital = "\u0041", *dollar = "\u0024", *accent = "\u00e9"; //~ E0103 basic or control character

// Alignments (6.7.5).
_Alignas(16) int strong;
_Alignas(2) int weak; //~ E0216 weaker than that of `int`, which is 4
_Alignas(1) shared [] int *weak_pointer; //~ E0216
_Alignas(char) short several[3]; //~ E0216
_Alignas(1 << 29) char huge; //~ E0216
_Alignas(struct later) int unknown; //~ E0316
typedef _Alignas(8) int alias; //~ E0216 a typedef
typedef int lowered __attribute__((aligned(2)));
_Alignas(2) lowered fits;
_Alignas(8) void aligned_function(void); //~ E0216 a function
_Alignas(8) int defined(void) { return 1; } //~ E0216 a function
int aligned_size = sizeof(_Alignas(8) int); //~ E0216 a type name
int of_three __attribute__((aligned(3))); //~ E0105 3 is not an alignment
typedef int below_zero __attribute__((aligned(2 - 6))); //~ E0105 -4 is not an alignment
typedef int of_vector __attribute__((vector_size(6))); //~ E0105 vector size 6
int *aligned_literal = &(_Alignas(8) int){ 1 };
struct aligned_members {
    _Alignas(8) int bits : 3; //~ E0216 a bit-field
    _Alignas(1) int weak; //~ E0216
    _Alignas(1) struct { int x; }; //~ E0216
    _Alignas(1) char fine;
} __attribute__((packed));
void takes_aligned(_Alignas(8) int parameter) //~ E0216 a parameter
{
    register _Alignas(8) int quick; //~ E0216 a `register` object
    _Alignas(8) int slow;
}
int aligned_old(p) _Alignas(8) int p; { return p; } //~ E0216 a parameter
// An alignment of 0 has no effect, but is a constraint violation in the same places.
_Alignas(0) int unaligned;
typedef _Alignas(0) int alias_of_none; //~ E0216 a typedef
_Alignas(0) void function_of_none(void); //~ E0216 a function
_Alignas(0) int defined_of_none(void) { return 1; } //~ E0216 a function
int size_of_none = sizeof(_Alignas(0) int); //~ E0216 a type name
int *literal_of_none = &(_Alignas(0) int){ 1 };
struct aligned_by_none {
    _Alignas(0) int bits : 3; //~ E0216 a bit-field
    _Alignas(0) int whole;
};
void takes_none(_Alignas(0) int parameter) //~ E0216 a parameter
{
    register _Alignas(0) int quick; //~ E0216 a `register` object
    _Alignas(0) int slow;
}
int old_of_none(p) _Alignas(0) int p; { return p; } //~ E0216 a parameter
