// Qualifiers of what a pointer-to-shared points at are not lost in silence (C11 6.5.16.1). tests/constraints.rs has those that C knows.
#include <upc.h>

strict shared int flag;
relaxed shared int count;
shared const int fixed;
typedef strict shared int strict_t;

void take(shared int *p);
void take_const(shared const int *p);

shared int *returned(void) { return &flag; } //~ W0307 @37 return converts `strict shared int *` to `shared int *` and discards `strict`
strict shared int *strictly(void) { return &flag; }
shared int *start = &flag; //~ W0307 @21 initialisation converts

void assigned(strict_t *s, relaxed shared int *r, shared int *p, strict shared const int *sc)
{
    p = s; //~ W0307 @9 `strict_t *` (aka `strict shared int *`) to `shared int *` and discards `strict`
    p = r; //~ W0307 discards `relaxed`
    p = sc; //~ W0307 discards `strict` and `const`
    s = r; //~ W0307 discards `relaxed`
    s = p;
    r = p;
    p = (shared int *)s;
    take(s); //~ W0307 @10 argument 1 of `take` converts
    take_const(s); //~ W0307 discards `strict`
    take(&fixed); //~ W0307 discards `const`
    take_const(&fixed);
    p = r ? p : r; //~ W0307 discards `relaxed`
    (void)(s == p);
    (void)(s - p);
}

// Nothing is accessed through the generic pointer.
size_t generic(strict shared int *s, int *l, shared void *v)
{
    v = s;
    v = &fixed; //~ W0307 discards `const`
    upc_memget(l, s, sizeof *l);
    upc_free(s);
    return upc_threadof(s) + upc_phaseof(&fixed);
}

// Pointers to pointers-to-shared are of one type to the C compiler.
void inner(shared int **pp, strict shared int **ss, shared int *const *cc)
{
    pp = ss; //~ W0306 incompatible pointer types
    pp = cc; //~ W0307 `shared int *const *` to `shared int **` and discards `const`
    cc = pp;
}

// Differences need compatible types (C11 6.5.6p3), block sizes included.
ptrdiff_t difference(shared int *p, shared double *d, shared [4] int *b, shared int **pp, shared double **dd)
{
    ptrdiff_t n = p - d; //~ E0302 @19 operator - cannot be applied to `shared int *` and `shared double *`
    n += p - b; //~ E0302
    n += pp - dd; //~ E0302
    return n + (p - &count);
}

shared int restrict x; //~ E0227 @1 `restrict` on `int`, which is not a pointer to an object type
shared int *restrict y;
shared int *restrict array[3];
int (*restrict function)(void); //~ E0227
static static shared int twice; //~ E0202 @8 `static` twice
inline shared int fast; //~ W0228 `inline` in the declaration of `fast`, which is not a function
shared long long long wide; //~ E0202
shared long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long wider; //~ E0202
