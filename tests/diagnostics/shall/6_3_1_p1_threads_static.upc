// UPC 6.3.1 p1: THREADS is a constant, fit for #if, in the static environment only.
// flags: -T=3

#if THREADS != 3
#error "THREADS is 3"
#endif
int list[THREADS];
enum { three = THREADS };
struct bits { int f : THREADS; };
int f(int n)
{
    static int kept = THREADS;
    switch (n) {
    case THREADS:
        return kept;
    }
    THREADS = 3; //~ E0303 @5 this is a value, not an object: it cannot be assigned to
    return 0;
}
