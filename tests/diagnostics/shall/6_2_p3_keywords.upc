// UPC 6.2 p3: the keywords of UPC are not used for anything else.
#include <upc.h>

int THREADS; //~ E0100 @5 before `THREADS`
int MYTHREAD(void); //~ E0100 @5 before `MYTHREAD`
int upc_forall; //~ E0100 @5 before `upc_forall`
void upc_barrier(void); //~ E0100 @6 before `upc_barrier`
struct upc_fence { int x; }; //~ E0100 @8 before `upc_fence`
int f(void)
{
    goto upc_wait; //~ E0100 @10
    return 0;
}

// Longer names and other spellings are free.
int threads, Shared, upc_forall_, my_THREADS, upc_notify_all;
struct strict_list { int shared_x; };
