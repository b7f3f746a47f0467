// W0623: updates of one shared object by all threads.
#include <math.h>
#include <stdlib.h>
#include <upc.h>
#include <upc_castable.h>
#define N 64

shared int count, hits, most, least, where;
shared double sum, highest;
shared [] int histogram[16];
shared int a[N * THREADS];
shared struct { int n; double mean; } result;
shared [] int *shared list;
strict shared int tickets;

static void add(int n)
{
    count += n; //~ W0623 @5 all threads update `count`
}

// Not all threads are known to call this function, but the loop gives iterations to several.
void total(void)
{
    int i;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i])
        sum += a[i]; //~ W0623 @9
}

// What a pointer points to, if all threads set the pointer alike.
static void pointers(void)
{
    shared int *p = &count;
    shared [] int *walk = histogram;
    (*p)++; //~ W0623 @5 all threads update `(*p)`
    p = &hits;
    *p = *p + 2; //~ W0623
    for (int i = 0; i < 16; i++)
        *walk++ += i; //~ W0623
    for (shared [] int *q = histogram; q < histogram + 16; q++)
        (*q)--; //~ W0623
    shared int *made = upc_all_alloc(1, sizeof(int));
    made[0]++; //~ W0623
    int *mine = upc_cast(&count);
    *mine += 3; //~ W0623
    mine = (int *)&hits;
    ++*mine; //~ W0623
    upc_forall (int i = 0; i < N; i++; i) {
        shared double *to = &sum;
        *to += 1; //~ W0623
    }
}

// Several keys are the same, so several threads come to the same element.
static void data(void)
{
    int i;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i])
        histogram[a[i]]++; //~ W0623 @9 several threads may update the same element `histogram[a[i]]`
    upc_forall (i = 0; i < N; i++; i) {
        int key = a[i] / 4;
        histogram[key % 16] += 1; //~ W0623
    }
    for (i = 0; i < N; i++)
        ++histogram[rand() % 16]; //~ W0623
}

void elsewhere(void);

// No thread holds a lock at a barrier.
static void call_elsewhere(void)
{
    elsewhere();
    upc_barrier;
    count++; //~ W0623
    elsewhere();
    hits++; //~ W0623
    upc_barrier;
    elsewhere();
    upc_forall (int i = 0; i < N; i++; &a[i])
        sum += a[i]; //~ W0623
    upc_barrier 1;
    if (a[3] > 2)
        elsewhere();
    count++; //~ W0623
    upc_barrier;
}

int main(void)
{
    int i, n = 0;
    count++; //~ W0623 @5 an update between another thread's read and write is lost
    count = count + 1; //~ W0623
    count = 2 * (3 + count); //~ W0623
    --result.n; //~ W0623
    list[0] |= 4; //~ W0623
    tickets++; //~ W0623 @5 Strict accesses are ordered, but not atomic
    for (i = 0; i < 16; i++)
        histogram[i] += i; //~ W0623
    for (i = MYTHREAD; i < N; i += THREADS)
        if (a[i] > 3)
            hits++; //~ W0623
    for (i = 0; i < N; i++) {
        double x = drand48(), y = drand48();
        if (x * x + y * y <= 1.0)
            hits++; //~ W0623
    }
    upc_forall (i = 0; i < N; i++; i) {
        n += i;
        histogram[3] += a[i]; //~ W0623
    }
    add(n);
    most = n > most ? n : most; //~ W0623 @5 all threads update `most`
    highest = fmax(highest, drand48()); //~ W0623
    if (n > most)
        most = n; //~ W0623 @9
    if (least >= n) {
        least = n; //~ W0623 @9
        where = MYTHREAD;
    }
    pointers();
    data();
    call_elsewhere();
    return 0;
}
