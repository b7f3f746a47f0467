// UPC 6.5.2 p8: parameters and results are not shared objects; a parameter that is a shared array is a pointer-to-shared.

typedef shared int shared_t;

void a(shared int x); //~ E0513 @8 a parameter cannot be shared: `shared int` is passed by value
void b(shared_t x) { } //~ E0513 @8
int c(int *shared x); //~ E0513 @7
shared int d(void); //~ E0513 @13
int (*e)(shared int); //~ E0513 @10
void f(shared int *x, shared [4] int y[], shared int z[THREADS]);
shared int *g(void);
shared_t *h(shared_t *x);
_Thread_local shared int i; //~ E0518 @26 `i` is shared, so it cannot be thread-local or `register`
