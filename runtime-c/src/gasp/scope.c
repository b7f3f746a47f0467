/* Scopes: user functions and upc_forall loops that have begun and not ended. */
#include "gasp/gasp_runtime.h"

#include <sys/mman.h>

/* Deeper scopes raise nothing. Each takes a word of memory, once it is reached. */
enum { MOST_SCOPES = 1 << 24 };

/* Open scopes from the outermost on: the sites, with the lowest bit set in those of upc_forall. */
static uintptr_t *open_scopes;
static upcr_u32 depth;

static const uintptr_t is_forall = 1;

void upcr_inst_scopes_start(void)
{
    open_scopes = mmap(NULL, MOST_SCOPES * sizeof *open_scopes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (open_scopes == MAP_FAILED)
        upcr_die("out of memory");
}

upcr_u32 upcr_inst_enter(upcr_site *site, int event)
{
    if (depth == MOST_SCOPES)
        return 0;
    /* Before the tool is told, as it may enter functions itself. */
    upcr_u32 mine = ++depth;
    open_scopes[mine - 1] = (uintptr_t)site | (event == UPCR_EVENT_UPC_FORALL ? is_forall : 0);
    if (event == UPCR_EVENT_UPC_FORALL)
        upcr_inst_start(site, event);
    else
        upcr_inst_start(site, event, site->type);
    /* What is done in the scope has places of its own. */
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
