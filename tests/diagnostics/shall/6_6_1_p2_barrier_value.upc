// UPC 6.6.1 p2: the value of a barrier is something that can be assigned to an int.

struct s { int x; } s;
int *p;
shared int *q;
shared int counter;
void nothing(void);

void f(void)
{
    upc_notify s; //~ E0700 @16 the value of a barrier is an int; a `struct s` cannot be assigned to one
    upc_wait p; //~ E0700 @14
    upc_barrier q; //~ E0700 @17
    upc_barrier nothing(); //~ E0700 @17
    upc_barrier f; //~ E0700 @17
    upc_notify 1;
    upc_wait s.x;
    upc_barrier 3.5;
    upc_barrier counter + 'c';
    upc_barrier (short)2;
    upc_barrier;
}
