// THREADS in no dimension, and in two
#include <upc.h>
#define N 100

shared double grid[N][N]; //~ E0510 @15
shared double matrix[THREADS][THREADS]; //~ E0511 @21
