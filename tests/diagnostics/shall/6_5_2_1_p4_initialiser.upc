// UPC 6.5.2.1 p4: what the initialiser of a shared array does is up to the implementation: ours needs a number of elements that is known.

shared int a[2 * THREADS] = { 1, 2 }; //~ E0514 @12 a shared array whose size depends on THREADS cannot have an initialiser
static shared int b[THREADS] = { 0 }; //~ E0514 @19
shared [] int c[3] = { 1, 2, 3 };
shared int d = 4;
shared [] char e[] = "text";
