// W0615: the address of a private object in shared memory.
#include <upc.h>
#include <stdlib.h>

int *shared p;
int *shared all[THREADS];
shared struct { int *at; void (*call)(void); const char *text; } box;
shared int *shared good;
shared int data;
shared struct node { int *at; } *found;
int global, list[10], rank;
void call(void);

void wrong(void)
{
    int x = 0;
    static int kept;
    p = &x; //~ W0615 @9 the address of the private object `x` is stored in shared memory
    p = list; //~ W0615
    all[0] = &global; //~ W0615
    box.at = &kept; //~ W0615
    box.at = (int *)&x; //~ W0615
    p = &list[3]; //~ W0615 @9 the private object `list`
    all[2] = list + 1; //~ W0615
    found->at = &x; //~ W0615
    int *mine = &x, *const third = list + 3;
    p = mine; //~ W0615 @9 the private object `x`
    box.at = third + 1; //~ W0615
}

// Silent: a thread's own notes, the heap, functions, what is shared.
void right(int *q)
{
    int x = 0;
    all[MYTHREAD] = &x;
    p = q;
    p = malloc(4);
    p = 0;
    box.call = call;
    box.text = "text";
    good = &data;
    p = (int *)&data;
    p = &q[1];
    // The element, or what the pointer points to, may be the thread's own.
    all[rank] = list;
    all[(rank + 1) % THREADS] = &global;
    upc_forall (int i = 0; i < THREADS; i++; &all[i])
        all[i] = &x;
    found->at = list;
    // A pointer that may point elsewhere.
    int *moves = &x, *given = &x, **to = &given;
    moves = q;
    p = moves;
    *to = q;
    p = given;
}
