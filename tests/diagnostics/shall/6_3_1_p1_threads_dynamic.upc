// UPC 6.3.1 p1: THREADS is not a constant in the dynamic environment.

#ifdef THREADS
#error "THREADS is not a macro"
#endif
int list[THREADS]; //~ E0221 @9 the size of this array depends on THREADS, which is not a constant in the dynamic THREADS environment
enum { many = THREADS }; //~ E0317 @15 the value of an enumerator is not an integer constant expression
struct bits { int f : THREADS; }; //~ E0317 @23
int f(int n)
{
    switch (n) {
    case THREADS: //~ E0317 @10
        return 1;
    }
    int on_the_stack[THREADS];
    return on_the_stack[0] = 1;
}
