/* The second translation unit of data.c. */
#include "test.h"

#include "data_other.h"

UPCR_SHARED_DEFINE_COMMON(common_both, 800, 16);
UPCR_SHARED_DEFINE_COMMON(strong_here, 80, 8);
UPCR_SHARED_DEFINE_LOCAL(local_name, 64, 64);
UPCR_SHARED_EXTERN(local_name);

static int inits;

static void init(void)
{
    inits++;
    if (UPCR_MYTHREAD == 0)
        UPCR_PUT(int, UPCR_STATIC(local_name), 4321);
}
UPCR_INIT(init);

int other_inits(void)
{
    return inits;
}

upcr_pts_t other_local(void)
{
    return UPCR_STATIC(local_name);
}

upcr_pts_t other_common(void)
{
    return UPCR_STATIC(common_both);
}

upcr_pts_t other_strong(void)
{
    return UPCR_STATIC(strong_here);
}
