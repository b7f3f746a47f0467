/* Reports calls of the C library's heap (upcr/inst_calls.h). */
#include "gasp/gasp_runtime.h"

#include <stdlib.h>

void *upcr_inst_reported_malloc(upcr_site *site, upcr_size n)
{
    upcr_inst_start(site, UPCR_EVENT_C_MALLOC, n);
    void *p = malloc(n);
    upcr_inst_end_keeping_errno(site, UPCR_EVENT_C_MALLOC, n, p);
    return p;
}

void *upcr_inst_reported_calloc(upcr_site *site, upcr_size count, upcr_size size)
{
    upcr_inst_start(site, UPCR_EVENT_C_MALLOC, count * size);
    void *p = calloc(count, size);
    upcr_inst_end_keeping_errno(site, UPCR_EVENT_C_MALLOC, count * size, p);
    return p;
}
