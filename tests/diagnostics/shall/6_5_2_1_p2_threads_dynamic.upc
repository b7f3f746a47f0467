// UPC 6.5.2.1 p2: in the dynamic environment a shared array of definite block size has THREADS once, alone or times a positive constant; a type has it at most once.

typedef shared int row_t[THREADS];
typedef shared int fixed_t[10];
typedef shared [2] int blocked_t[3];
shared void *q;

shared int a[10]; //~ E0510 @12 the number of elements of `shared int[10]` does not depend on THREADS
shared [5] double b[7][2]; //~ E0510 @19
shared [2] char c[2][3]; //~ E0510 @17
fixed_t d; //~ E0510 @9
static shared int e[1]; //~ E0510 @19
shared int f[10 + THREADS]; //~ E0512 @13 the size of a shared array must be THREADS or a product of THREADS and constants
shared int g[THREADS * THREADS]; //~ E0512 @13
shared int h[THREADS * 100 * 20]; //~ W0521 @13 THREADS is multiplied by 2 constants
shared int i[THREADS / 2]; //~ E0512 @13
shared int j[THREADS * 0]; //~ E0512 @13
shared int k[-3 * THREADS]; //~ E0512 @13
shared int l[THREADS * 1.5]; //~ E0205 @13 the size of an array must be an integer, not `double`
shared int m[THREADS][4 * THREADS]; //~ E0511 @13 THREADS in a second dimension of a shared array
row_t n[THREADS]; //~ E0511 @8
shared int (**o)[THREADS][THREADS]; //~ E0511 @17
typedef shared int (*p)[THREADS][13][THREADS]; //~ E0511 @24
void r(shared int x[3][THREADS][THREADS]); //~ E0511 @23
void s(void)
{
    q = (shared int (*)[THREADS][THREADS])q; //~ E0511 @24
    static shared int t[5]; //~ E0510 @23
}

shared int ok1[10 * THREADS];
shared int ok2[THREADS * (100 * 20)];
shared [] int ok3[10];
shared int ok4[2][THREADS][3];
shared int ok5[(THREADS)];
shared int (*ok6)[10];
row_t ok7, ok8[4];
blocked_t ok9[2 * THREADS];
extern shared int ok10[];
void ok11(shared int x[10]);
shared int ok12;
