/* Builtin types under names of the runtime, and the constants of the running job. */
#ifndef UPCR_BASE_H
#define UPCR_BASE_H

/* Increased whenever objects compiled with an older copy of these headers can no longer be linked with the runtime. */
#define UPCR_ABI 3

typedef __UINT64_TYPE__ upcr_u64;
typedef __INT64_TYPE__ upcr_i64;
typedef __UINT32_TYPE__ upcr_u32;
typedef __UINTPTR_TYPE__ upcr_uptr;
typedef __SIZE_TYPE__ upcr_size;
typedef __PTRDIFF_TYPE__ upcr_diff;

/* The binary128 type: gcc does not accept _Complex __float128, and clang has no other name. */
#ifdef __clang__
#define UPCR_FLOAT128 __float128
#else
#define UPCR_FLOAT128 _Float128
#endif

/* Variables of pthreads. A program contains everything that refers to them, so their addresses are known at its start. */
#define UPCR_PTHREAD_LOCAL _Thread_local __attribute__((__tls_model__("initial-exec")))

/* Constant folding of block sizes must not depend on the size of the surrounding function, hence always_inline. */
#ifdef UPCR_RACES
/* The hooks at entries and exits are for the functions of the user. */
#define UPCR_INLINE static __inline__ __attribute__((__always_inline__, __artificial__, __unused__, __no_instrument_function__))
#else
#define UPCR_INLINE static __inline__ __attribute__((__always_inline__, __artificial__, __unused__))
#endif

/* In front of a loop of many iterations with a small body: gcc unrolls it once. clang does so by itself, and better if it is not told. */
#if defined(__GNUC__) && __GNUC__ >= 8 && !defined(__clang__)
#define UPCR_UNROLL _Pragma("GCC unroll 2")
#else
#define UPCR_UNROLL
#endif

/* Job constants are written once, before any user code of a thread runs. Emitted code sees them const, so that the C
   compiler may keep them in registers across stores and calls; the runtime, which writes them, defines UPCR_RUNTIME. */
#ifdef UPCR_RUNTIME
#define UPCR_JOB_CONST
#else
#define UPCR_JOB_CONST const
#endif
#define UPCR_HIDDEN __attribute__((__visibility__("hidden")))

extern UPCR_JOB_CONST int upcr_mythread UPCR_HIDDEN;
extern UPCR_JOB_CONST int upcr_threads UPCR_HIDDEN;
/* floor((2^64 - 1) / THREADS): see upcr_div_threads. */
extern UPCR_JOB_CONST upcr_u64 upcr_threads_reciprocal UPCR_HIDDEN;
/* The address of thread 0's segment; thread t's segment is t * UPCR_SEGMENT_STRIDE bytes after it. It is a pointer, so that addresses are
   formed by pointer arithmetic: clang does not vectorise through a conversion from an integer. */
extern char *UPCR_JOB_CONST upcr_segment_base UPCR_HIDDEN;
/* UPCR_SEGMENT_STRIDE, where it is no constant and for gdb. */
extern UPCR_JOB_CONST upcr_u64 upcr_segment_stride UPCR_HIDDEN;

#define UPCR_MYTHREAD upcr_mythread
#ifdef UPCR_STATIC_THREADS
#define UPCR_THREADS UPCR_STATIC_THREADS
#else
#define UPCR_THREADS upcr_threads
#endif

#ifndef UPCR_REMOTE
/* Under smp, static arrays of one block for each thread, of UPCR_LINEAR_PAGE bytes or a multiple, are mapped a second time, with
   all blocks one after another: the linear image, in which element n is n elements behind the first. The image of an array at place p of
   thread 0 begins p * THREADS + upcr_linear bytes behind upcr_segment_base. 0: there are no images. */
#define UPCR_LINEAR_PAGE 4096
extern UPCR_JOB_CONST upcr_u64 upcr_linear UPCR_HIDDEN;
#endif

/* UPCR_REMOTE: compiled for a transport with which loads and stores may be unable to access the memory of other threads. The threads whose memory
   is mapped into this process, including this one, have consecutive numbers. */
#ifdef UPCR_REMOTE
#define UPCR_REMOTE_TEXT "1"
extern UPCR_JOB_CONST upcr_size upcr_mapped_first UPCR_HIDDEN;
extern UPCR_JOB_CONST upcr_size upcr_mapped_count UPCR_HIDDEN;
#else
#define UPCR_REMOTE_TEXT "0"
#endif

/* Returns whether loads and stores can access this thread's memory. */
UPCR_INLINE int upcr_mapped(upcr_size thread)
{
#ifdef UPCR_REMOTE
    return thread - upcr_mapped_first < upcr_mapped_count;
#else
    (void)thread;
    return 1;
#endif
}

/* The same for all threads at once. */
UPCR_INLINE int upcr_all_mapped(void)
{
#ifdef UPCR_REMOTE
    return upcr_mapped_count == (upcr_size)UPCR_THREADS;
#else
    return 1;
#endif
}

#endif
