// UPC 6.6.2 p4: the affinity is an integer or a pointer-to-shared.

shared int a[THREADS];
int private[10];
struct s { int x; } s;
enum colour { red } colour;

void f(int i)
{
    upc_forall (i = 0; i < 10; i++; private) //~ E0701 @37 the affinity of upc_forall is a `int *`, which is neither an integer nor a pointer-to-shared
        a[i] = 0;
    upc_forall (i = 0; i < 10; i++; &private[i]) //~ E0701 @37
        a[i] = 0;
    upc_forall (i = 0; i < 10; i++; 1.5 * i) //~ E0701 @37
        a[i] = 0;
    upc_forall (i = 0; i < 10; i++; s) //~ E0701 @37
        a[i] = 0;
    upc_forall (i = 0; i < 10; i++; (void)i) //~ E0701 @37
        a[i] = 0;
    upc_forall (i = 0; i < 10; i++; &a[i])
        a[i] = 0;
    upc_forall (i = 0; i < 10; i++; (shared void *)&a[i])
        a[i] = 0;
    upc_forall (i = 0; i < 10; i++; (char)i)
        a[i] = 0;
    upc_forall (i = 0; i < 10; i++; colour = i) //~ W0706 @37 a side effect in the affinity: it happens once for each iteration on every thread, not only where the body runs
        a[i] = 0;
    upc_forall (i = 0; i < 10; i++; continue)
        a[i] = 0;
    upc_forall (i = 0; i < 10; i++;)
        a[i] = 0;
}
