/* Late reports: accesses that were counted without a report (upcr_inst_skip_counts) and then took long enough to be reported. */
#include "gasp/gasp_runtime.h"

upcr_u64 upcr_inst_slow, upcr_inst_answered;

static upcr_site *site_of(upcr_size counted)
{
    return (upcr_site *)(counted & ~(upcr_size)1);
}

static bool is_write(upcr_size counted)
{
    return (counted & 1) != 0;
}

bool upcr_inst_is_late(upcr_size counted, upcr_pts_t place)
{
    if (!upcr_inst_on || upcr_bundled == NULL || upcr_bundled->report_late == NULL)
        return false;
    return upcr_bundled->report_late(site_of(counted), is_write(counted), upcr_threadof(place));
}

void upcr_inst_begin_late(upcr_size counted, upcr_pts_t place, const void *value, size_t n)
{
    upcr_site *site = site_of(counted);
    if (is_write(counted))
        upcr_inst_start(site, UPCR_EVENT_UPC_PUT, 1, &place, value, n);
    else
        upcr_inst_start(site, UPCR_EVENT_UPC_GET, 1, value, &place, n);
}

void upcr_inst_end_late(upcr_size counted, upcr_pts_t place, const void *value, size_t n)
{
    upcr_site *site = site_of(counted);
    if (is_write(counted))
        upcr_inst_end(site, UPCR_EVENT_UPC_PUT, 1, &place, value, n);
    else
        upcr_inst_end(site, UPCR_EVENT_UPC_GET, 1, value, &place, n);
}
