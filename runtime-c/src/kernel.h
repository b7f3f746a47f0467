/* The kernel's interfaces that the runtime uses. A C library may come without the kernel's headers (Debian's musl-gcc);
   the numbers never change. */
#ifndef UPCR_KERNEL_H
#define UPCR_KERNEL_H

#include <stdint.h>

#if __has_include(<linux/futex.h>)
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <linux/perf_event.h>
#else

enum { FUTEX_WAIT, FUTEX_WAKE };

enum {
    MEMBARRIER_CMD_GLOBAL = 1 << 0,
    MEMBARRIER_CMD_PRIVATE_EXPEDITED = 1 << 3,
    MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED = 1 << 4,
};

enum { PERF_TYPE_HARDWARE, PERF_TYPE_SOFTWARE, PERF_TYPE_HW_CACHE = 3, PERF_TYPE_MAX = 6 };
enum {
    PERF_COUNT_HW_CPU_CYCLES,
    PERF_COUNT_HW_INSTRUCTIONS,
    PERF_COUNT_HW_CACHE_REFERENCES,
    PERF_COUNT_HW_CACHE_MISSES,
    PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
    PERF_COUNT_HW_BRANCH_MISSES,
    PERF_COUNT_HW_BUS_CYCLES,
    PERF_COUNT_HW_STALLED_CYCLES_FRONTEND,
    PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
    PERF_COUNT_HW_REF_CPU_CYCLES,
};
enum { PERF_COUNT_SW_CPU_MIGRATIONS = 4 };
enum { PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_LL = 2, PERF_COUNT_HW_CACHE_DTLB, PERF_COUNT_HW_CACHE_ITLB };
enum { PERF_COUNT_HW_CACHE_OP_READ };
enum { PERF_COUNT_HW_CACHE_RESULT_ACCESS, PERF_COUNT_HW_CACHE_RESULT_MISS };
enum { PERF_FORMAT_GROUP = 1 << 3 };
#define PERF_FLAG_FD_CLOEXEC (1ul << 3)

/* The first version of the structure, of 64 bytes, which every kernel accepts. */
struct perf_event_attr {
    uint32_t type, size;
    uint64_t config, sample_period, sample_type, read_format;
    uint64_t disabled : 1, inherit : 1, pinned : 1, exclusive : 1, exclude_user : 1, exclude_kernel : 1, exclude_hv : 1, other_flags : 57;
    uint32_t wakeup_events, bp_type;
    uint64_t config1;
};

#endif
#endif
