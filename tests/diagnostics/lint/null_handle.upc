// W0622: locks and files that do not exist.
#include <stddef.h>
#include <upc.h>
#include <upc_io.h>

static upc_lock_t *forgotten;
static upc_lock_t *later;
upc_lock_t *of_another_unit;
extern upc_lock_t *declared;
static upc_file_t *file;
static upc_lock_t *list[4];
static upc_lock_t *shared all;

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
}

void allocate(upc_lock_t **);

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
    upc_lock(list[i]);
    upc_all_fclose(open);
    upc_lock_free(NULL);
    upc_all_lock_free(NULL);
}
