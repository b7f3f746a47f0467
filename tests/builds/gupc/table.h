#define ROWS 16
extern shared int table[ROWS * THREADS];
void fill(void);
