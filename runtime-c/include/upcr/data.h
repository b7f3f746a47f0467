/* Static shared data, and the other declarations of an object file to the runtime.

   Shared objects are in the section upcr_shared, which takes address space but no file space, and whose pages are never
   touched: only the distance of a symbol from the section's start matters. That distance plus UPCR_STATIC_START is the
   object's offset in every thread's segment. Definitions are assembly, because C has no portable spelling of a named
   section without contents; so link-time optimisation of emitted code is not supported. The section must stay below
   2 GB, the limit of the default code model. */
#ifndef UPCR_DATA_H
#define UPCR_DATA_H

#include "upcr/base.h"

/* Bytes at the start of every segment that are never mapped, so that an access through a null pointer-to-shared faults. A
   multiple of every page size in use, and so of every alignment. */
#define UPCR_STATIC_START 65536

extern char upcr_shared_begin[] __asm__("__start_upcr_shared") UPCR_HIDDEN;

/* The C name of a shared object's symbol, and a declaration with that name. A user may call an array `index` or `gamma`: clang treats
   such names as functions of the C library, whatever their declaration is. gcc only warns, and its debug information needs the user's
   names (clang describes only definitions). */
#ifdef __clang__
#define UPCR_SYMBOL(sym) upcr_symbol_##sym
#define UPCR_SYMBOL_EXTERN(type, sym, extents) \
    extern type UPCR_SYMBOL(sym)               \
    extents __asm__(#sym) UPCR_HIDDEN
#else
#define UPCR_SYMBOL(sym) sym
#define UPCR_SYMBOL_EXTERN(type, sym, extents)                                                                                               \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wbuiltin-declaration-mismatch\"") extern type sym extents UPCR_HIDDEN; \
    _Pragma("GCC diagnostic pop") struct upcr_nothing_
#endif

#define UPCR_SHARED_EXTERN(sym) UPCR_SYMBOL_EXTERN(char, sym, [])

#define UPCR_STRING_(x) #x
#define UPCR_STRING(x)  UPCR_STRING_(x)

/* Unused space after each object of a checked unit, so that a pointer beyond the end does not point into the next object. */
#ifdef UPCR_CHECKS
#define UPCR_SHARED_GAP_ "\n\t.zero 64"
#else
#define UPCR_SHARED_GAP_ ""
#endif

/* An object of at least a cache line begins at one, as C compilers align large arrays, so that loops load whole vectors. One of whole pages
   begins at a page, so that it can have a linear image (base.h). */
#define UPCR_SHARED_ALIGN_(bytes, align)                                                                              \
    ".balign " UPCR_STRING(align) "\n\t.if " UPCR_STRING(bytes) " >= 64\n\t.balign 64\n\t.endif\n\t"                  \
                                                                ".if " UPCR_STRING(bytes) " >= 4096 && " UPCR_STRING( \
                                                                    bytes) " % 4096 == 0\n\t.balign 4096\n\t.endif\n\t"

/* section: the operands of .pushsection; binding: directives that give the symbol its linkage. */
#define UPCR_SHARED_PLACE_(sym, bytes, align, section, binding)                                                                                            \
    __asm__(".pushsection upcr_shared," section "\n\t" binding UPCR_SHARED_ALIGN_(bytes, align) ".type " #sym ", %object\n\t.size " #sym ", " UPCR_STRING( \
        bytes) "\n" #sym ":\n\t.zero " UPCR_STRING(bytes) UPCR_SHARED_GAP_ "\n\t.popsection")

#define UPCR_SHARED_DEFINE(sym, bytes, align) UPCR_SHARED_PLACE_(sym, bytes, align, "\"aw\",%nobits", ".globl " #sym "\n\t.hidden " #sym "\n\t")
/* One group per symbol: the linker keeps one of several tentative definitions, and a real one overrides them. */
#define UPCR_SHARED_DEFINE_COMMON(sym, bytes, align) \
    UPCR_SHARED_PLACE_(sym, bytes, align, "\"awG\",%nobits," #sym ",comdat", ".weak " #sym "\n\t.hidden " #sym "\n\t")
#define UPCR_SHARED_DEFINE_LOCAL(sym, bytes, align) UPCR_SHARED_PLACE_(sym, bytes, align, "\"aw\",%nobits", "")

/* Pointer-to-shared to the first byte of a static shared object: thread 0, phase 0. */
#define UPCR_STATIC(sym) upcr_static_place((const char *)&UPCR_SYMBOL(sym))
UPCR_INLINE upcr_pts_t upcr_static_place(const char *symbol)
{
    return upcr_make(0, 0, (upcr_size)((upcr_uptr)symbol - (upcr_uptr)upcr_shared_begin) + UPCR_STATIC_START);
}

/* The description of a static shared object for messages, checks and tools: a record in section upcr_objects for each definition (a
   tentative definition in several units has several). */
typedef struct {
    const char *name;   /* as the user wrote it */
    const char *type;   /* "shared [4] int [10*THREADS]" */
    const char *symbol; /* its address, as for UPCR_STATIC */
    upcr_u64 elem;      /* bytes of an ultimate element */
    upcr_u64 count;     /* ultimate elements, times THREADS if per_thread */
    upcr_u32 block;     /* block size in elements, 0: indefinite */
    upcr_u32 per_thread;
    const char *file;
    upcr_u64 line;
} upcr_object;
#define UPCR_SHARED_DESCRIBE(sym, name, type, elem, count, block, per_thread)                                             \
    static const upcr_object upcr_object_##sym __attribute__((__section__("upcr_objects"), __used__, __aligned__(8))) = { \
        name, type, (const char *)&UPCR_SYMBOL(sym), elem, count, block, per_thread, __FILE__, __LINE__}

/* Registers void fn(void), to be called on every thread before main. */
#define UPCR_INIT(fn) static void (*upcr_init_##fn)(void) __attribute__((__section__("upcr_init"), __used__)) = fn

/* One for each translation unit: how it was compiled. n: its static THREADS, or 0. The runtime rejects units that disagree. */
typedef struct {
    upcr_u32 abi;
    upcr_u32 threads;
    upcr_u32 pts_layout;
    upcr_u32 flags;
} upcr_unit;
#define UPCR_UNIT_REMOTE 1 /* compiled with UPCR_REMOTE */
#ifdef UPCR_REMOTE
#define UPCR_UNIT_FLAGS UPCR_UNIT_REMOTE
#else
#define UPCR_UNIT_FLAGS 0
#endif
#define UPCR_PROGRAM_THREADS(n) \
    static const upcr_unit upcr_this_unit __attribute__((__section__("upcr_units"), __used__)) = {UPCR_ABI, n, UPCR_PTS_LAYOUT, UPCR_UNIT_FLAGS}

/* In the unit of a `void main`, which returns no status: the program's status is 0. */
#define UPCR_VOID_MAIN const char upcr_void_main = 1

/* The note that the driver and upcrun read from an object or a program: one line in a section that takes no memory. version:
   "upcc=1.2.3"; source: "source=heat.upc", escaped for the assembler. */
#ifndef UPCR_NETWORK
#define UPCR_NETWORK "smp"
#endif
#ifdef UPCR_CHECKS
#define UPCR_CHECKS_TEXT "1"
#else
#define UPCR_CHECKS_TEXT "0"
#endif
#define UPCR_UNIT(version, n, source)                                                                                            \
    UPCR_PROGRAM_THREADS(n);                                                                                                     \
    __asm__(".pushsection .upcc.unit,\"\",%progbits\n\t.ascii \"" version " abi=" UPCR_STRING(UPCR_ABI) " threads=" UPCR_STRING( \
        n) " pts=" UPCR_PTS_TEXT " network=" UPCR_NETWORK " remote=" UPCR_REMOTE_TEXT " checks=" UPCR_CHECKS_TEXT " " source "\\n\"\n\t.popsection")

/* The name of an inline function, for the driver's message about a call without a definition. */
#define UPCR_INLINE_FUNCTION(name) __asm__(".pushsection .upcc.inline,\"\",%progbits\n\t.ascii \"" #name "\\n\"\n\t.popsection")

#endif
