/* The memory file whose pieces are threads' segments. */
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "transport/host/host.h"

size_t host_round_to_pages(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) & ~(page - 1);
}

void host_refuse_memory(const char *what, uint64_t bytes)
{
    char size[32];
    int error = errno;
    host_leave_refusal_to_first();
    errno = error;
    upcr_refuse("cannot %s of %s: %s (a smaller shared heap may help: -shared-heap SIZE or UPC_SHARED_HEAP_SIZE)", what,
                upcr_print_size(size, sizeof size, bytes), strerror(errno));
}

int host_choose_shift(size_t segment_bytes)
{
#ifdef UPCR_PTS_STRUCT
    upcr_segment_shift = 64 - __builtin_clzll(segment_bytes - 1);
#else
    char have[32], want[32];
    if (segment_bytes > (size_t)1 << UPCR_SEGMENT_SHIFT) {
        host_leave_refusal_to_first();
        upcr_refuse("%s of shared memory per thread do not fit packed pointers-to-shared, which reach %s: ask for a smaller shared heap, "
                    "or compile with -fupc-pts=struct",
                    upcr_print_size(want, sizeof want, segment_bytes),
                    upcr_print_size(have, sizeof have, (uint64_t)1 << UPCR_SEGMENT_SHIFT));
    }
#endif
    return UPCR_SEGMENT_SHIFT;
}

size_t upcr_tp_segment_bytes(void)
{
    return host_job->segment_bytes;
}

int host_create_memory(size_t bytes)
{
    int file = memfd_create("upc shared memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0 || ftruncate(file, (off_t)bytes) != 0)
        host_refuse_memory("create a memory file", bytes);
    fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    return file;
}
