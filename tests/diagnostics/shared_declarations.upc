// UPC 1.3, 6.5: what a declaration of a shared type must not be.
#include <upc.h>

shared int fine;
shared [4] int fine_block[4 * THREADS];
typedef shared [3] int three_t;
typedef strict shared int strict_t;
typedef relaxed shared int relaxed_t;

void automatic(void)
{
    shared int x; //~ E0500
    int *shared y; //~ E0500
    shared int *z;
    static shared int w;
    shared [5] int list[5 * THREADS]; //~ E0500
    three_t t; //~ E0500
    z = &w;
    (void)z;
}

struct member {
    shared int bad; //~ E0501
    shared int *good;
    char *shared worse; //~ E0501
    shared int list[4]; //~ E0501
    struct { int ok; } in;
};
union member_too { shared long l; }; //~ E0501

shared [2] three_t two_sizes[6 * THREADS]; //~ E0502
shared [2] shared [3] int two_here[6 * THREADS]; //~ E0502
shared [2] three_t *pointer_two; //~ E0502
strict relaxed shared int both; //~ E0503
strict relaxed_t both_by_typedef; //~ E0503
relaxed strict_t both_again; //~ E0503
strict int no_shared; //~ E0504
relaxed char *no_shared_either; //~ E0504
shared [*] int *star_pointer; //~ E0505
typedef shared [*] int star_t[10 * THREADS]; //~ E0506
shared [5] void *void_layout; //~ E0507
shared [] void *void_indefinite; //~ E0507
shared [UPC_MAX_BLOCK_SIZE + 1] char too_long[THREADS]; //~ E0508
shared [-1] char negative[THREADS]; //~ E0508
int n = 4;
shared [n] int not_constant[THREADS]; //~ E0509
shared [2.5] int not_integer[5 * THREADS]; //~ E0509

void parameter(shared int p); //~ E0513
void parameter_pointer(shared int *p, shared [4] int array[]);
shared int result(void); //~ E0513
shared int *result_pointer(void);
shared [*] int unknown_size[]; //~ E0515
_Thread_local shared int thread_local_shared; //~ E0518
void reg(void)
{
    register shared int r; //~ E0518
}
shared int initialised_array[2 * THREADS] = { 1, 2 }; //~ E0514
shared [] char huge[1ul << 60]; //~ E0516
void variable(int length)
{
    shared [] int (*p)[length];
    (void)p;
    static shared [3] int object_of_length[length]; //~ E0517
    extern shared int extern_of_length[length]; //~ E0517
    typedef shared int shared_row[length];
    static shared_row object_by_typedef; //~ E0517
    int size = sizeof(*(shared int (*[])[length]){ 0 }[0]);
    *(shared int (*[])[length]){ 0 }; //~ E0517
    typedef int row[length];
    shared [3] row *by_typedef; //~ E0517
    static shared row object; //~ E0517
    shared [] __typeof__(row[2]) *by_typeof; //~ E0517
}

typedef int row_of_threads[THREADS]; //~ E0221
shared [2] row_of_threads rows[3 * THREADS]; //~ E0517
void use_rows(void)
{
    upc_forall (int i = 0; i < 3 * THREADS; i++; &rows[i])
        continue;
    (void)upc_threadof(&rows[1]);
}
_Atomic shared int atomic_shared; //~ E0613
extern shared int several_errors_are_all_reported;
