/* Scopes: the user functions and upc_forall loops of each pthread that have begun and not ended. */
#include "gasp/gasp_runtime.h"

#include <sys/mman.h>

/* The sites of the open scopes, outermost first, with the lowest bit set in those of upc_forall. The memory is mapped and not from malloc,
   because a signal handler may enter functions. */
static UPCR_PTHREAD_LOCAL uintptr_t *open_scopes;
static UPCR_PTHREAD_LOCAL upcr_u32 depth, capacity;

static const uintptr_t is_forall = 1;

/* Doubles the capacity. False: out of memory. */
static bool grow(void)
{
    enum { FIRST = 4096 };
    const size_t element = sizeof *open_scopes;
    upcr_u32 more = capacity != 0 ? 2 * capacity : FIRST;
    void *memory = capacity != 0 ? mremap(open_scopes, capacity * element, more * element, MREMAP_MAYMOVE)
                                 : mmap(NULL, more * element, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    upcr_inst_pthread_note();
    open_scopes = memory;
    capacity = more;
    return true;
}

upcr_u32 upcr_inst_enter(upcr_site *site, int event)
{
    /* A scope for which there is no memory raises no event. */
    if (depth == capacity && !grow())
        return 0;
    /* Done before the report, because the tool itself may enter functions. */
    upcr_u32 mine = ++depth;
    open_scopes[mine - 1] = (uintptr_t)site | (event == UPCR_EVENT_UPC_FORALL ? is_forall : 0);
    if (event == UPCR_EVENT_UPC_FORALL)
        upcr_inst_start(site, event);
    else
        upcr_inst_start(site, event, site->type);
    /* Operations inside the scope have places of their own. */
    upcr_inst_site = NULL;
    return mine;
}

static void end_innermost(void)
{
    uintptr_t scope = open_scopes[--depth];
    upcr_site *site = (upcr_site *)(scope & ~is_forall);
    if (scope & is_forall)
        upcr_inst_end(site, UPCR_EVENT_UPC_FORALL);
    else
        upcr_inst_end(site, UPCR_EVENT_C_FUNC, site->type);
}

void upcr_inst_leave(upcr_u32 mine)
{
    while (upcr_inst_on && depth >= mine)
        end_innermost();
}

void upcr_inst_leave_all(void)
{
    upcr_inst_leave(1);
}

void upcr_inst_scopes_end(void)
{
    upcr_inst_leave_all();
    if (capacity != 0)
        munmap(open_scopes, capacity * sizeof *open_scopes);
    open_scopes = NULL;
    depth = capacity = 0;
}
