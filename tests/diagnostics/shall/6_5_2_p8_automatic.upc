// UPC 6.5.2 p8: no object with automatic storage duration has a shared type.

typedef shared [2] int two_t;
typedef shared int row_t[4 * THREADS];

void f(void)
{
    shared int a; //~ E0500 @16 shared object `a` with automatic storage duration
    int *shared b; //~ E0500 @17
    shared [2] int c[2 * THREADS]; //~ E0500 @20
    two_t d; //~ E0500 @11
    row_t e; //~ E0500 @11
    auto shared int g; //~ E0500 @21
    register shared int h; //~ E0518 @25 `h` is shared, so it cannot be thread-local or `register`
    for (shared int i = 0;;) //~ E0500 @21
        break;
    (void)(shared int){ 1 }; //~ E0500 @11
    static shared int k;
    static two_t l;
    extern shared int m;
    shared int *n = &k;
    two_t *o = &l;
    m = *n + *o;
}
