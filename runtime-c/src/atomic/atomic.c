/* <upc_atomic.h> (library section, "UPC atomic memory operations"). */
#include "runtime.h"

#include <stdio.h>
#include <string.h>

#include "atomic/atomic.h"
#include "atomic/cell.h"
#include "checks/checks.h"
#include "races/races.h"
#include "remote/remote.h"
#include "upc_types.h"
#include "upcr/atomic_ops.h"

/* A thread reads only its own copy of a domain. */
_Static_assert(UPCR_OP_ADD == UPC_ADD && UPCR_OP_AND == UPC_AND && UPCR_OP_OR == UPC_OR && UPCR_OP_XOR == UPC_XOR, "numbers of operations");
_Static_assert(UPCR_OP_GET == UPC_GET && UPCR_OP_SET == UPC_SET && UPCR_OP_CSWAP == UPC_CSWAP && UPCR_OP_SUB == UPC_SUB, "numbers of operations");
_Static_assert(UPCR_OP_INC == UPC_INC && UPCR_OP_DEC == UPC_DEC, "numbers of operations");

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

static struct upcr_domain *domain_at(upcr_pts_t place, const char *function)
{
    struct upcr_domain *domain = upcr_addr(upcr_make((size_t)upcr_mythread, 0, upcr_addrfield(place)));
    if (upcr_is_null(place))
        upcr_die("%s: the atomicity domain is a null pointer", function);
    if (domain->mark != UPCR_DOMAIN_MARK)
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
    upcr_pts_t place = upc_all_alloc((size_t)upcr_threads, sizeof(struct upcr_domain));
    if (!upcr_is_null(place)) {
        struct upcr_domain *mine = upcr_addr(upcr_make((size_t)upcr_mythread, 0, upcr_addrfield(place)));
        *mine = (struct upcr_domain){UPCR_DOMAIN_MARK, cell, operations};
    }
    return place;
}

/* For events (upcr/inst_calls.h), which report wrong domains before the operation ends the job. */
size_t upcr_atomic_bytes(upcr_pts_t place) UPCR_HIDDEN;
size_t upcr_atomic_bytes(upcr_pts_t place)
{
    const struct upcr_domain *domain = upcr_addr(upcr_make((size_t)upcr_mythread, 0, upcr_addrfield(place)));
    return upcr_is_null(place) || domain->mark != UPCR_DOMAIN_MARK ? 0 : upcr_cell_bytes(domain->cell);
}

void upc_all_atomicdomain_free(upcr_pts_t place)
{
    upcr_collective_enter("upc_all_atomicdomain_free");
    if (!upcr_is_null(place))
        domain_at(place, "upc_all_atomicdomain_free")->mark = 0;
    upc_all_free(place);
}

/* Checks the specification's requirements for the arguments of one operation. */
static void check(const struct upcr_domain *domain, int op, upcr_pts_t target, const void *operand1, const void *operand2, const void *fetch,
                  const char *function)
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
    if (upcr_is_racing())
        upcr_races.touch(target, upcr_cell_bytes(cell), (op == UPC_GET ? UPCR_TOUCH_READ : UPCR_TOUCH_WRITE) | UPCR_TOUCH_ORDERED, "an atomic operation", NULL);
    if (upcr_mapped(upcr_threadof(target)))
        upcr_cell_apply(cell, op, upcr_addr(target), operand1, operand2, fetch);
    else
        upcr_remote_atomic(cell, op, target, operand1, operand2, fetch);
}

void upcr_atomic_ordered(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch)
{
    if (upcr_is_racing() && op != UPC_GET)
        upcr_races.release(target);
    upcr_fence();
    upcr_atomic(cell, op, target, operand1, operand2, fetch);
    upcr_fence();
    if (upcr_is_racing() && op != UPC_SET)
        upcr_races.acquire(target);
}

void upc_atomic_strict(upcr_pts_t place, void *fetch, int op, upcr_pts_t target, const void *operand1, const void *operand2)
{
    const struct upcr_domain *domain = domain_at(place, "upc_atomic_strict");
    check(domain, op, target, operand1, operand2, fetch, "upc_atomic_strict");
    upcr_atomic_ordered(domain->cell, op, target, operand1, operand2, fetch);
}

void upc_atomic_relaxed(upcr_pts_t place, void *fetch, int op, upcr_pts_t target, const void *operand1, const void *operand2)
{
    const struct upcr_domain *domain = domain_at(place, "upc_atomic_relaxed");
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
