/* UPC locks (library section, "Lock functions"): objects in shared memory whose queue the transport manages. */
#include "runtime.h"

#include "child.h"
#include "checks/checks.h"
#include "races/races.h"
#include "transport/transport.h"

#pragma GCC visibility push(default)
upcr_pts_t upc_global_lock_alloc(void);
upcr_pts_t upc_all_lock_alloc(void);
void upc_lock_free(upcr_pts_t lock);
void upc_all_lock_free(upcr_pts_t lock);
void upc_lock(upcr_pts_t lock);
int upc_lock_attempt(upcr_pts_t lock);
void upc_unlock(upcr_pts_t lock);
void upc_lock_init(upcr_pts_t lock);
#pragma GCC visibility pop

static upcr_pts_t new_lock(const char *function, const void *caller)
{
    struct upcr_heap_usage usage;
    upcr_thread_only(function);
    uint64_t offset = upcr_tp_alloc_local(UPCR_LOCK_BYTES, &usage);
    if (offset == 0)
        upcr_die("%s: the shared heap is exhausted", function);
    upcr_pts_t lock = upcr_make((size_t)upcr_mythread, 0, offset);
    upcr_tp_lock_init(lock, caller);
    if (upcr_is_checked())
        upcr_checks.born(lock, 1, UPCR_LOCK_BYTES, UPCR_BLOCK_LOCK);
    return lock;
}

/* Checks the lock of a call. Every function except the two that free requires one that is not null. */
static void require(upcr_pts_t lock, const char *function)
{
    upcr_thread_only(function);
    if (__builtin_expect(upcr_is_null(lock), 0))
        upcr_die(CHECK_LOCK_NULL, function);
    if (upcr_is_checked())
        upcr_checks.lock(lock, function);
}

upcr_pts_t upc_global_lock_alloc(void)
{
    return new_lock("upc_global_lock_alloc", __builtin_return_address(0));
}

upcr_pts_t upc_all_lock_alloc(void)
{
    upcr_pts_t lock = UPCR_NULL;
    upcr_collective_enter("upc_all_lock_alloc");
    if (upcr_mythread == 0)
        lock = new_lock("upc_all_lock_alloc", __builtin_return_address(0));
    upcr_broadcast(&lock, sizeof lock, "upc_all_lock_alloc");
    return lock;
}

static void free_lock(upcr_pts_t lock, const char *function)
{
    upcr_thread_only(function);
    if (upcr_is_null(lock))
        return;
    if (upcr_is_checked())
        upcr_checks.freed(lock, function, true);
    upcr_tp_lock_destroy(lock);
    if (!upcr_tp_free((int)upcr_threadof(lock), upcr_addrfield(lock)))
        upcr_die(CHECK_LOCK_NONE, function, upcr_threadof(lock), upcr_addrfield(lock));
}

void upc_lock_free(upcr_pts_t lock)
{
    free_lock(lock, "upc_lock_free");
}

void upc_all_lock_free(upcr_pts_t lock)
{
    upcr_collective_enter("upc_all_lock_free");
    if (upcr_is_checked())
        upcr_checks.arguments((struct upcr_argument[]){upcr_place_argument("ptr", lock)}, 1);
    upcr_internal_barrier("upc_all_lock_free");
    if (upcr_mythread == 0)
        free_lock(lock, "upc_all_lock_free");
}

void upc_lock(upcr_pts_t lock)
{
    require(lock, "upc_lock");
    if (upcr_is_racing())
        upcr_races.locking();
    upcr_tp_lock(lock, __builtin_return_address(0));
    if (upcr_is_racing())
        upcr_races.locked(lock, __builtin_return_address(0), true);
    upcr_fence();
}

int upc_lock_attempt(upcr_pts_t lock)
{
    require(lock, "upc_lock_attempt");
    if (upcr_is_racing())
        upcr_races.locking();
    if (!upcr_tp_lock_attempt(lock, __builtin_return_address(0)))
        return 0;
    if (upcr_is_racing())
        upcr_races.locked(lock, __builtin_return_address(0), false);
    upcr_fence();
    return 1;
}

void upc_unlock(upcr_pts_t lock)
{
    require(lock, "upc_unlock");
    if (upcr_is_racing())
        upcr_races.unlocking(lock);
    upcr_fence();
    upcr_tp_unlock(lock);
}

/* Does nothing: threads called it one after the other, when the first might already hold the lock. */
void upc_lock_init(upcr_pts_t lock)
{
    require(lock, "upc_lock_init");
}
