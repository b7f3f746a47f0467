/* Room for the counts of accesses that the bundled measurement does not want to be told of. */
#include "gasp/gasp_runtime.h"

#include <sys/mman.h>

/* Elements in all; each takes memory once it is used. */
enum { MOST_QUIET = 1 << 22 };

struct upcr_quiet *upcr_inst_quiet;
static upcr_u32 used;

void upcr_inst_quiet_start(void)
{
    upcr_inst_quiet = mmap(NULL, MOST_QUIET * sizeof *upcr_inst_quiet, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (upcr_inst_quiet == MAP_FAILED)
        upcr_die("out of memory");
    used = (upcr_u32)upcr_threads;
}

upcr_u32 upcr_inst_quiet_room(void)
{
    upcr_u32 first = used;
    if (MOST_QUIET - used < (upcr_u32)upcr_threads)
        return 0;
    used += (upcr_u32)upcr_threads;
    return first;
}
