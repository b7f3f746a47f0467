// UPC 6.6.2 p8: an integer affinity is not negative: a constant one is reported as the constant that it is.

shared int a[THREADS];

void f(int n)
{
    upc_forall (int i = 0; i < n; i++; -1) //~ W0705 @40 the affinity `-1` is the same in every iteration: one thread executes all iterations
        a[i] = i;
    upc_forall (int i = 0; i < n; i++; i + 1)
        a[i] = i;
}
