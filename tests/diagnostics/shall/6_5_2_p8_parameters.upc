// UPC 6.5.2 p8: parameters and results are not shared objects; a parameter that is a shared array is a pointer-to-shared.

typedef shared int shared_t;

void a(shared int x); //~ E0513 @8
void b(shared_t x) { } //~ E0513
int c(int *shared x); //~ E0513
shared int d(void); //~ E0513 @13
int (*e)(shared int); //~ E0513
void f(shared int *x, shared [4] int y[], shared int z[THREADS]);
shared int *g(void);
shared_t *h(shared_t *x);
_Thread_local shared int i; //~ E0518 @26
