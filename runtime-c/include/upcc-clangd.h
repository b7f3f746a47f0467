/* For tools that know C but not UPC, such as clangd: makes the words of UPC macros, so that such a tool can read UPC
   sources. editors/clangd/dot-clangd has the flags. upcc itself never includes this file.

   Macros cannot express a layout qualifier. Clang reads `shared [4] int a[N];` at file scope and in parameters with
   -fms-extensions, where `[4]` is an attribute; elsewhere it reports the `[4]`. */
#ifndef UPCC_CLANGD_H
#define UPCC_CLANGD_H

#ifndef __UPC__
#define __UPC__            1
#define __UPC_VERSION__    201311L
#define UPC_MAX_BLOCK_SIZE 1048575
#define __UPC_ATOMIC__     1
#define __UPC_CASTABLE__   1
#define __UPC_COLLECTIVE__ 1
#define __UPC_IO__         1
#define __UPC_NB__         1
#define __UPC_PUPC__       1
#define __UPC_TICK__       1

#define shared
#define strict
#define relaxed

/* Constants, so that `shared int a[10*THREADS]` has a size. */
#define THREADS  4
#define MYTHREAD 0

#define upc_blocksizeof(...) ((unsigned long)sizeof(__VA_ARGS__))
#define upc_elemsizeof(...)  ((unsigned long)sizeof(__VA_ARGS__))
#define upc_localsizeof(...) ((unsigned long)sizeof(__VA_ARGS__))

/* `upc_barrier;` and `upc_barrier 3;` are statements. */
#define upc_barrier \
    if (0)          \
        ;           \
    else
#define upc_notify \
    if (0)         \
        ;          \
    else
#define upc_wait \
    if (0)       \
        ;        \
    else
#define upc_fence

/* The four clauses as statements, and a loop around the body. */
#define upc_forall(...) \
    __VA_ARGS__;        \
    for (;;)

#pragma clang diagnostic ignored "-Wunused-value"
#pragma clang diagnostic ignored "-Wunused-comparison"
#pragma clang diagnostic ignored "-Wempty-body"
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#pragma clang diagnostic ignored "-Wmicrosoft"
#pragma clang diagnostic ignored "-Wreturn-type"
#endif

#endif
