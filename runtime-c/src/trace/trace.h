/* Maps a place in the running program to the user's function, file and line, for reports of every kind. Only stack.c may be used in a signal
   handler. The rest reads the program's own file (ELF symbols, DWARF line tables and inlined calls) without other programs, and without the C
   library's heap, which may be damaged. */
#ifndef UPCR_TRACE_H
#define UPCR_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The capacity of a stack in frames: the innermost ones, followed by the outermost ones. */
enum { UPCR_TRACE_INNER = 96, UPCR_TRACE_OUTER = 32, UPCR_TRACE_CAPACITY = UPCR_TRACE_INNER + UPCR_TRACE_OUTER };

/* Called once before a handler may need a stack: the unwinder initialises itself at its first use. */
void upcr_trace_prepare(void);

/* Walks the stack of the caller or, in a signal handler that got `ucontext`, of the interrupted code. pcs[0] is the innermost; each lies inside the
   instruction that was executing (of a caller: the call). Returns their number, at least 1 with a context. A stack with more than `room` frames
   loses some of its middle. */
int upcr_trace_stack(uintptr_t *pcs, int capacity, const void *ucontext);

/* A stack in memory that other processes read too. All zero: none. */
struct upcr_stack {
    _Atomic uint32_t taken; /* incremented when the stack is complete */
    int count;
    int omitted; /* frames left out after pcs[UPCR_TRACE_INNER - 1] */
    uintptr_t pcs[UPCR_TRACE_CAPACITY];
};

/* Writes the stack, the innermost place first, so that it is there even if the walk fails with a fault in the handler. */
void upcr_trace_take(struct upcr_stack *stack, const void *ucontext);

/* The data about a place. Strings last as long as the process; NULL: unknown. An inlined call makes several levels of one pc. */
struct upcr_level {
    const char *function;
    const char *folder; /* folder of the file, as given to the compiler; NULL for the compilation's folder */
    const char *file;
    unsigned line; /* 0: unknown, and then folder and file are unknown too */
    bool system;   /* in a library of the system */
    bool user;     /* the line is the user's own: known, and not in a header of the runtime or of the system */
};

/* Number of levels at one address that callers ask for. */
enum { UPCR_TRACE_MOST_LEVELS = 16 };

/* Fills in the levels at pc, the innermost first. Returns their number, at least 1 if room is positive. */
int upcr_trace_levels(uintptr_t pc, struct upcr_level *levels, int capacity);

/* Returns the name of the function that contains pc, from the symbols; NULL if it has none. */
const char *upcr_trace_function(uintptr_t pc);

/* Writes "heat.upc:34 (main)" for the innermost level of the stack that is the user's own. False, and an empty text, if there is none. */
bool upcr_trace_user_place(const uintptr_t *pcs, int count, char *text, size_t capacity);

/* The same for one level. */
void upcr_trace_print_level(const struct upcr_level *level, char *text, size_t capacity);

/* Returns the name of the library function or the operation of UPC that the user's code called innermost: "upc_barrier", "usleep"; NULL if the
   innermost code is the user's own, or has no name. */
const char *upcr_trace_operation(const struct upcr_stack *stack);

/* Passes `line` one text for each frame, from the innermost to main: "#0 in upc_barrier", "#1 main at heat.upc:51". Adjacent frames of the runtime
   are shown as one, and those outside main are not shown. */
void upcr_trace_print(const struct upcr_stack *stack, void (*line)(const char *text));

#endif
