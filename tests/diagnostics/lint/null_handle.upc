// W0622: locks and files that do not exist.
#include <stddef.h>
#include <upc.h>
#include <upc_io.h>

static upc_lock_t *forgotten;
static upc_lock_t *later;
upc_lock_t *of_another_unit;
extern upc_lock_t *declared;
static upc_file_t *file;
static upc_lock_t *list[4], *nulls[2] = {NULL, NULL}, *rows[2][2], *shared spread[THREADS];
static upc_lock_t *shared all;
static struct account {
    long balance;
    struct { upc_lock_t *lock; int count; } guard;
    union { upc_lock_t *lock; long bits; } either;
} accounts[2] = {{100, {NULL, 1}}, {.balance = 5}}, one;

void wrong(int *flag)
{
    static upc_lock_t *kept;
    upc_lock_t *fresh, *null = NULL;
    upc_lock(NULL); //~ W0622 @5 `upc_lock` gets a null pointer where it needs a lock
    upc_unlock((upc_lock_t *)0); //~ W0622
    upc_lock(forgotten); //~ W0622 @14 nothing assigns one to `forgotten`
    upc_lock(kept); //~ W0622
    upc_lock(all); //~ W0622
    if (upc_lock_attempt(fresh)) //~ W0622 @26 nothing assigns one to `fresh`
        upc_unlock(null); //~ W0622 @20
    upc_all_fclose(file); //~ W0622 @20 `upc_all_fclose` needs a file
    upc_all_fread_local(file, flag, 4, 1, 0); //~ W0622
    upc_all_fsync(NULL); //~ W0622 @5 where it needs a file
    upc_lock(list[*flag]); //~ W0622 @14 nothing assigns one to `list[*flag]`
    upc_lock(*nulls); //~ W0622
    upc_lock(rows[1][*flag]); //~ W0622
    upc_lock(spread[MYTHREAD]); //~ W0622
    one.balance = accounts[1].balance++;
    upc_lock(accounts[1].guard.lock); //~ W0622 @14 nothing assigns one to `accounts[1].guard.lock`
    upc_lock(one.either.lock); //~ W0622
    struct account local = {.guard.count = 1};
    upc_lock_t *mine[2];
    upc_lock(local.guard.lock); //~ W0622
    upc_lock(mine[0]); //~ W0622
}

void allocate(upc_lock_t **);
static upc_lock_t *some[4], *pair[2], *shared dealt[THREADS];
static struct account given_later, whole, by_bits, others[2];
upc_lock_t *list_of_another_unit[2];

// Silent: what has a value, what another unit may set, what null is allowed for.
void right(upc_lock_t *given, int i, int *flag)
{
    upc_lock_t *mine = upc_global_lock_alloc(), *found = NULL, *by_address;
    upc_file_t *open = upc_all_fopen("data", UPC_RDONLY | UPC_INDIVIDUAL_FP, 0, NULL);
    later = upc_all_lock_alloc();
    allocate(&by_address);
    if (i)
        found = mine;
    upc_lock(later);
    upc_lock(of_another_unit);
    upc_lock(declared);
    upc_lock(given);
    upc_lock(mine);
    upc_lock(found);
    upc_lock(by_address);
    upc_lock(some[i]);
    some[3] = mine;
    dealt[MYTHREAD] = mine;
    upc_lock(dealt[0]);
    allocate(pair);
    upc_lock(pair[i]);
    given_later.guard.lock = mine;
    upc_lock(given_later.guard.lock);
    whole = given_later;
    upc_lock(whole.guard.lock);
    by_bits.either.bits = i;
    upc_lock(by_bits.either.lock);
    allocate(&others[1].guard.lock);
    upc_lock(others[0].guard.lock);
    upc_lock(list_of_another_unit[0]);
    upc_lock_t *two[2] = {mine, NULL}, *set_later[2];
    set_later[i] = mine;
    upc_lock(two[1]);
    upc_lock(set_later[0]);
    upc_all_fclose(open);
    upc_lock_free(NULL);
    upc_all_lock_free(NULL);
}
