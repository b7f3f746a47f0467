// Attributes with arguments that no compiler takes, and on declarations that they are not for.
// tests/attributes.rs compares the whole table with gcc.
#include <upc.h>

#define SECTION(...) __attribute__((section(__VA_ARGS__)))

int takes_none __attribute__((noinline(5))); //~ E0105 @31 attribute `noinline` takes no arguments
int takes_one SECTION("a", "b"); //~ E0105 takes 1 argument, but has 2
int takes_some __attribute__((access)); //~ E0105 takes 1 to 3 arguments, but has none
int takes_many(void) __attribute__((target())); //~ E0105 takes at least 1 argument, but has none
struct record { int a; } __attribute__((packed(1))); //~ E0105 takes no arguments
shared int apart[THREADS] __attribute__((aligned(8, 16))); //~ E0105 at most 1 argument, but has 2

int kept SECTION(5); //~ E0105 takes a string literal, not `5`
int shown __attribute__((visibility("hiden"))); //~ E0105 @37 not `"hiden"`
enum { OLD __attribute__((deprecated(5))) }; //~ E0105 a string literal
int odd __attribute__((warn_if_not_aligned(3))); //~ E0105 a positive power of two //~ E0105 not allowed on the definition of a variable
int wide __attribute__((mode(XX))); //~ E0105 a machine mode
void early(void) __attribute__((constructor(1.5))); //~ E0105 an integer from 0 to 65535
void readonly(int *p) __attribute__((access(readonly, 1))); //~ E0105 one of a few words
void named(void) __attribute__((symver("named"))); //~ E0105 name and version
void *made(void) __attribute__((malloc(nosuch))); //~ E0105 `nosuch` of attribute `malloc` is not declared
void *given(void) __attribute__((malloc(kept))); //~ E0105 `kept` is not a function
void quick(void) __attribute__((optimize(level))); //~ E0105 `level`, an argument of attribute `optimize`
void print(const char *f, int n, ...) __attribute__((format(printf, 1, 2))); //~ E0105 begin with number 3, not 2
void write(int fd, const char *f, ...) __attribute__((format(printf, 1, 3))); //~ E0105 parameter 1 is not a string, but `int`
void fill(const int *p, long n) __attribute__((access(write_only, 1, 2))); //~ E0105 cannot be written through
void far(int *p) __attribute__((access(read_only, 2))); //~ E0105 the function has no parameter 2
int none(void) __attribute__((returns_nonnull)); //~ E0105 does not return a pointer, but `int`
typedef float fast __attribute__((mode(SI))); //~ E0105 machine mode `SI` does not fit type `float`
typedef struct record vector __attribute__((vector_size(8))); //~ E0105 no type for the elements of a vector
void other(void) __attribute__((alias("nosuch"))); //~ E0105 not a function or variable of this translation unit
void again(void) __attribute__((alias("takes_it")));

void takes_it(int p __attribute__((aligned(8)))) //~ E0105 not allowed on a parameter
{
    int own SECTION("a"); //~ E0105 not allowed on a local variable
    int left __attribute__((cleanup(kept))); //~ E0105 `kept` is not a function
    typedef int local SECTION("a"); //~ E0105 not allowed on a typedef
    p += own + left + sizeof(local);
}
static void hidden(void) __attribute__((weak)); //~ E0105 not allowed on a `static` function

// What gcc takes: unknown attributes, expressions, warnings, positions where it ignores them.
int fine_1 __attribute__((nosuch(1, "a", b)));
int fine_2 __attribute__((aligned(sizeof(long) * 2), unused, used, section("a" "b")));
int fine_3 __attribute__((aligned(0), hot, tls_model("foo")));
void fine_4(int n) { if (n) __attribute__((cold(1))); }
struct __attribute__((packed(1))) forward;
void *fine_5(int) __attribute__((malloc(__builtin_free), alloc_size(9), nonnull(7)));
int fine_6 __attribute__((
# 100 "section/weak(.h" 3 4
    unused
# 43 "attributes.upc"
));
