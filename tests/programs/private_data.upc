// question: each thread has its own globals, statics, heap and errno, and C libraries work as in a process of one thread
#include "check.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int global = 5;
static char buffer[100];
static int *heap;

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void)
{
    int i;
    heap = malloc(1000 * sizeof *heap);
    global += MYTHREAD;
    snprintf(buffer, sizeof buffer, "thread %d", MYTHREAD);
    srand(MYTHREAD);
    for (i = 0; i < 1000; i++)
        heap[i] = rand();
    qsort(heap, 1000, sizeof *heap, compare);
    errno = MYTHREAD;
    upc_barrier;
    CHECK(global == 5 + MYTHREAD && atoi(buffer + 7) == MYTHREAD && errno == MYTHREAD);
    for (i = 1; i < 1000; i++)
        CHECK(heap[i - 1] <= heap[i]);
    CHECK(strtol("12x", NULL, 10) == 12 && time(NULL) > 1000000);
    free(heap);
    return pass();
}
