// UPC 1.3, 6.5.2.1, dynamic THREADS environment: the second example of that section, and its neighbours.
#include <upc.h>

shared int ok1[10 * THREADS];
shared int ok2[THREADS * (100 * 20)];
shared [] int ok3[10];
shared int ok4[2][THREADS];
shared [*] int ok5[4 * THREADS][3];
extern shared int ok6[];

shared int x1[10 + THREADS]; //~ E0512 @14 must be THREADS or a product of THREADS and constants
shared int x14[+THREADS * 2]; //~ E0512 @15 without other operators and casts
shared int x15[(int)THREADS * 2]; //~ E0512 @15 without other operators and casts
shared int x16[THREADS << 1]; //~ E0512 @15 without other operators and casts
shared [] int x2[THREADS]; //~ E0519
shared int x3[10]; //~ E0510
shared int x4[THREADS][4 * THREADS]; //~ E0511
shared int x5[THREADS * THREADS]; //~ E0512 @14 THREADS may appear only once in the size of a shared array
shared int x6[THREADS * 100 * 20]; //~ W0521
shared int x10[2 * (THREADS * 3)]; //~ W0521
shared int x11[2 * THREADS * (3 - 3)]; //~ E0512
shared int x12[2 * THREADS * 3 * THREADS]; //~ E0512
shared int x13[2 * (THREADS + 3)]; //~ E0512
shared [3] double x7[7][2]; //~ E0510
shared int x8[THREADS * 0]; //~ E0512
shared int x9[THREADS * -2]; //~ E0512
shared int (**p1)[THREADS][THREADS]; //~ E0511
int private_array[THREADS]; //~ E0221
typedef shared int (*t1)[THREADS][13][THREADS]; //~ E0511
