/* Descriptions of pointers-to-shared and shared objects for debuggers, as types in the debug information. Used only in translated text
   that is compiled with -g.

   The carriers are arrays without elements: they are marked as used, so they and their types stay in the debug information, and they
   take no memory. Numbers are extents of arrays, because that is how debug information has numbers in types.
   runtime-c/gdb/upcgdb/types.py reads them. */
#ifndef UPCR_DWARF_H
#define UPCR_DWARF_H

#include "upcr/data.h"

/* upcc_target: pointer to the target, as a C type. upcc_block: its block size, 0 for indefinite. upcc_threads: the number, from 1, of
   the target's dimension that is multiplied by THREADS; 0 for none. */
#define UPCR_DEBUG_CARRIER_(kind, name, block, dimension, ...) \
    static struct upcc_##kind##_##name {                       \
        __VA_ARGS__;                                           \
        char (*upcc_block)[block];                             \
        char (*upcc_threads)[dimension];                       \
    } * upcc_debug_##kind##_##name[0] __attribute__((__used__, __unused__))

/* upcc_pts_NAME: the type of pointers-to-shared to a target. */
#define UPCR_DEBUG_POINTER(name, block, dimension, ...) \
    typedef upcr_pts_t upcc_pts_##name;                 \
    UPCR_DEBUG_CARRIER_(target, name, block, dimension, __VA_ARGS__)

/* A shared object. In C it is an array of one-byte elements of a type of its own, so that the debugger recognises the address of an
   element. No such element exists. unit: as for UPCR_DEBUG_PLACE. */
#define UPCR_DEBUG_OBJECT(sym, extents, block, dimension, unit, ...)                         \
    UPCR_DEBUG_CARRIER_(shared, sym, block, dimension, __VA_ARGS__; char(*upcc_unit)[unit]); \
    struct upcc_object_##sym {                                                               \
        char upcc_shared;                                                                    \
    };                                                                                       \
    UPCR_DEBUG_EXTERN(sym, extents)

/* The same object once more. */
#define UPCR_DEBUG_EXTERN(sym, extents) UPCR_SYMBOL_EXTERN(struct upcc_object_##sym, sym, extents)

/* After the definition of a shared object: a second symbol. Debuggers could confuse the first with a name of the C library, or with a
   static of another unit. unit: 0 for an object of external linkage, otherwise a number that only this unit has. */
#define UPCR_DEBUG_PLACE(sym, unit) __asm__(".set upcc_at_" #unit "_" #sym ", " #sym)

#endif
