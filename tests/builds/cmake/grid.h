#ifndef GRID_H
#define GRID_H
#include <upc.h>
#define BLOCK 8
extern shared [BLOCK] int grid[BLOCK * THREADS];
void grid_fill(void);
long grid_sum(void);
int plain(int x);
#endif
