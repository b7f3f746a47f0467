/* <upc_atomic.h> (library section, "UPC atomic memory operations"). */
#include "runtime.h"

#include <stdio.h>
#include <string.h>

#include "atomic/atomic.h"
#include "atomic/cell.h"
#include "checks/checks.h"
#include "remote/remote.h"
#include "upc_types.h"
#include "upcr/atomic_ops.h"

/* Every thread has its own copy, at the same offset of all segments, so that a thread reads only its own memory. */
struct domain {
    uint32_t mark;
    enum upcr_cell cell;
    int operations;
};

static const uint32_t domain_mark = 0xa70312c0;

upcr_pts_t upc_all_alloc(size_t nblocks, size_t nbytes);
void upc_all_free(upcr_pts_t ptr);
#pragma GCC visibility push(default)
upcr_pts_t upc_all_atomicdomain_alloc(int type, int operations, int hints);
void upc_all_atomicdomain_free(upcr_pts_t ptr);
void upc_atomic_strict(upcr_pts_t domain, void *fetch, int op, upcr_pts_t target, const void *operand1, const void *operand2);
void upc_atomic_relaxed(upcr_pts_t domain, void *fetch, int op, upcr_pts_t target, const void *operand1, const void *operand2);
int upc_atomic_isfast(int type, int operations, upcr_pts_t place);
#pragma GCC visibility pop

static const struct {
    int op;
    const char *name;
} names[] = {
    {UPC_ADD, "UPC_ADD"}, {UPC_MULT, "UPC_MULT"}, {UPC_AND, "UPC_AND"}, {UPC_OR, "UPC_OR"},         {UPC_XOR, "UPC_XOR"},
    {UPC_MIN, "UPC_MIN"}, {UPC_MAX, "UPC_MAX"},   {UPC_GET, "UPC_GET"}, {UPC_SET, "UPC_SET"},       {UPC_CSWAP, "UPC_CSWAP"},
    {UPC_SUB, "UPC_SUB"}, {UPC_INC, "UPC_INC"},   {UPC_DEC, "UPC_DEC"}, {UPC_LOGAND, "UPC_LOGAND"}, {UPC_LOGOR, "UPC_LOGOR"},
};

static const char *name_of(int op)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].op == op)
            return names[i].name;
    return "a value that is not an operation";
}

/* Returns the first operation in a set. */
static int lowest(int operations)
{
    return operations & -operations;
}

static struct domain *domain_at(upcr_pts_t place, const char *function)
{
    struct domain *domain = upcr_addr(upcr_make((size_t)upcr_mythread, 0, upcr_addrfield(place)));
    if (upcr_is_null(place))
        upcr_die("%s: the atomicity domain is a null pointer", function);
    if (domain->mark != domain_mark)
        upcr_die("%s: not an atomicity domain, or one that was freed", function);
    return domain;
}

upcr_pts_t upc_all_atomicdomain_alloc(int type, int operations, int hints)
{
    static const char function[] = "upc_all_atomicdomain_alloc";
    int first[] = {type, operations, hints};
    enum upcr_cell cell = upcr_cell_of(type);
    upcr_collective_enter(function);
    upcr_broadcast(first, sizeof first, function);
    if (first[0] != type || first[1] != operations || first[2] != hints)
        upcr_die("%s: the arguments differ from those of thread 0: they must be the same on all threads", function);
    if (cell == UPCR_CELL_NONE)
        upcr_die("%s: atomic operations are not defined for type %d", function, type);
    int wrong = operations & ~upcr_cell_operations(cell);
    if (wrong != 0)
        upcr_die("%s: %s is not defined for this type", function, name_of(lowest(wrong)));
    upcr_pts_t place = upc_all_alloc((size_t)upcr_threads, sizeof(struct domain));
    if (!upcr_is_null(place)) {
        struct domain *mine = upcr_addr(upcr_make((size_t)upcr_mythread, 0, upcr_addrfield(place)));
        *mine = (struct domain){domain_mark, cell, operations};
    }
    return place;
}

/* For events (upcr/inst_calls.h), which report wrong domains before the operation ends the job. */
size_t upcr_atomic_bytes(upcr_pts_t place) UPCR_HIDDEN;
size_t upcr_atomic_bytes(upcr_pts_t place)
{
    const struct domain *domain = upcr_addr(upcr_make((size_t)upcr_mythread, 0, upcr_addrfield(place)));
    return upcr_is_null(place) || domain->mark != domain_mark ? 0 : upcr_cell_bytes(domain->cell);
}

void upc_all_atomicdomain_free(upcr_pts_t place)
{
    upcr_collective_enter("upc_all_atomicdomain_free");
    if (!upcr_is_null(place))
        domain_at(place, "upc_all_atomicdomain_free")->mark = 0;
    upc_all_free(place);
}

/* Checks the specification's requirements for the arguments of one operation. */
static void check(const struct domain *domain, int op, upcr_pts_t target, const void *operand1, const void *operand2, const void *fetch, const char *function)
{
    int operands = op == UPC_CSWAP ? 2 : (op & (UPC_GET | UPC_INC | UPC_DEC)) != 0 ? 0 : 1;
    if ((domain->operations & op) == 0 || lowest(op) != op)
        upcr_die("%s: %s is not among the operations that the domain was allocated for", function, name_of(op));
    if (upcr_is_null(target))
        upcr_die("%s: the target is a null pointer-to-shared", function);
    if ((operand1 != NULL) != (operands > 0) || (operand2 != NULL) != (operands > 1))
        upcr_die("%s: %s takes %d operand%s; the others must be null pointers", function, name_of(op), operands, operands == 1 ? "" : "s");
    if (op == UPC_GET && fetch == NULL)
        upcr_die("%s: UPC_GET needs a place for the value: fetch_ptr is a null pointer", function);
}

void upcr_atomic(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch)
{
    if (upcr_is_checked())
        upcr_checks.transfer(target, upcr_cell_bytes(cell), "an atomic operation uses");
    if (upcr_mapped(upcr_threadof(target)))
        upcr_cell_apply(cell, op, upcr_addr(target), operand1, operand2, fetch);
    else
        upcr_remote_atomic(cell, op, target, operand1, operand2, fetch);
}

void upcr_atomic_ordered(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch)
{
    upcr_fence();
    upcr_atomic(cell, op, target, operand1, operand2, fetch);
    upcr_fence();
}

/* Makes an addition to an integer in mapped memory, the most frequent operation, without the calls of the general way. False: it is
   another operation, or one that is wrong or to be checked; nothing is done. */
static inline bool add_quickly(const struct domain *domain, void *fetch, int op, upcr_pts_t target, const void *operand1, const void *operand2)
{
    if (op != UPC_ADD || (domain->operations & UPC_ADD) == 0 || operand1 == NULL || operand2 != NULL)
        return false;
    if (upcr_is_null(target) || upcr_is_checked() || !upcr_mapped(upcr_threadof(target)))
        return false;
    if (domain->cell == UPCR_CELL_I64 || domain->cell == UPCR_CELL_U64) {
        uint64_t value, old;
        if (upcr_addrfield(target) % sizeof value != 0)
            return false;
        memcpy(&value, operand1, sizeof value);
        old = __atomic_fetch_add((uint64_t *)upcr_addr(target), value, __ATOMIC_RELAXED);
        if (fetch != NULL)
            memcpy(fetch, &old, sizeof old);
        return true;
    }
    if (domain->cell == UPCR_CELL_I32 || domain->cell == UPCR_CELL_U32) {
        uint32_t value, old;
        if (upcr_addrfield(target) % sizeof value != 0)
            return false;
        memcpy(&value, operand1, sizeof value);
        old = __atomic_fetch_add((uint32_t *)upcr_addr(target), value, __ATOMIC_RELAXED);
        if (fetch != NULL)
            memcpy(fetch, &old, sizeof old);
        return true;
    }
    return false;
}

void upc_atomic_strict(upcr_pts_t place, void *fetch, int op, upcr_pts_t target, const void *operand1, const void *operand2)
{
    const struct domain *domain = domain_at(place, "upc_atomic_strict");
    check(domain, op, target, operand1, operand2, fetch, "upc_atomic_strict");
    upcr_atomic_ordered(domain->cell, op, target, operand1, operand2, fetch);
}

void upc_atomic_relaxed(upcr_pts_t place, void *fetch, int op, upcr_pts_t target, const void *operand1, const void *operand2)
{
    const struct domain *domain = domain_at(place, "upc_atomic_relaxed");
    if (__builtin_expect(add_quickly(domain, fetch, op, target, operand1, operand2), 1))
        return;
    check(domain, op, target, operand1, operand2, fetch, "upc_atomic_relaxed");
    upcr_atomic(domain->cell, op, target, operand1, operand2, fetch);
}

int upc_atomic_isfast(int type, int operations, upcr_pts_t place)
{
    enum upcr_cell cell = upcr_cell_of(type);
    size_t bytes = upcr_cell_bytes(cell);
    return bytes != 0 && (operations & ~upcr_cell_operations(cell)) == 0 && upcr_mapped(upcr_threadof(place)) && upcr_cell_is_native(cell, operations) &&
           upcr_addrfield(place) % bytes == 0;
}
