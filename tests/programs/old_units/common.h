/* Without a guard: headers of the time were included twice. */
#include <upc.h>
#include <upc_relaxed.h>
#define barrier upc_barrier
static shared int own[THREADS];
shared int common[2 * THREADS];
extern shared int common[2 * THREADS];
shared [] int at_zero;
int tentative;
extern void fill();
