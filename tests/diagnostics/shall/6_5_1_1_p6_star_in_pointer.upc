// UPC 6.5.1.1 p6: the layout [*] is for declared arrays, not for what a pointer points at.

typedef int plain_t;

shared [*] int *a; //~ E0505 @16 layout qualifier `[*]` for the target of a pointer: the block size can be computed only in the declaration of an array
shared [*] plain_t *b; //~ E0505 @20
shared [*] int (*c)[4]; //~ E0505 @16
void f(shared [*] int *x); //~ E0505 @8
struct s { shared [*] int *x; }; //~ E0505 @27
void *g(shared void *x)
{
    return (shared [*] int *)x == 0; //~ E0505 @28
}
shared [*] int d[4 * THREADS];
shared int *shared [*] e[4 * THREADS];
