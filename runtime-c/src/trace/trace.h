/* From a place in the running program to the user's function, file and line: for reports of every kind. Only stack.c may be used in a
   signal handler; the rest reads the program's own file (ELF symbols, DWARF line tables and inlined calls) with no help from
   outside and without the C library's heap, which may be the very thing that broke. */
#ifndef UPCR_TRACE_H
#define UPCR_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The capacity of a stack in frames: the innermost ones, and the outermost behind them. */
enum { UPCR_TRACE_INNER = 96, UPCR_TRACE_OUTER = 32, UPCR_TRACE_CAPACITY = UPCR_TRACE_INNER + UPCR_TRACE_OUTER };

/* To be called once before a handler may need a stack: what the unwinder sets up when it is first used happens here. */
void upcr_trace_prepare(void);

/* The stack of the caller, or, in a signal handler that was given `ucontext`, of what the signal interrupted. pcs[0] is the innermost;
   each lies inside the instruction that was executing (of a caller: the call). Returns how many there are, at least 1 with
   a context. A stack with more than `room` frames loses some of its middle. */
int upcr_trace_stack(uintptr_t *pcs, int capacity, const void *ucontext);

/* A stack in memory that others read too. All zero: none. */
struct upcr_stack {
    _Atomic uint32_t taken; /* counts up when the stack is complete */
    int count;
    int omitted; /* frames left out behind pcs[UPCR_TRACE_INNER - 1] */
    uintptr_t pcs[UPCR_TRACE_CAPACITY];
};

/* Writes the stack; should the walk fail, which means a fault in the handler, the innermost place is there already. */
void upcr_trace_take(struct upcr_stack *stack, const void *ucontext);

/* What is known about a place. Strings last as long as the process; NULL where nothing is known. A call that was inlined makes
   several levels of one pc. */
struct upcr_level {
    const char *function;
    const char *folder; /* of the file, as the compiler was given it; NULL for the folder of compilation */
    const char *file;
    unsigned line; /* 0: not known, and then folder and file are not either */
    bool system;   /* in a library of the system */
    bool user;     /* the line is the user's own: known, and not in a header of ours or of the system */
};

/* Fills in the levels at pc, the innermost first. Returns how many, at least 1 if room is positive. */
int upcr_trace_levels(uintptr_t pc, struct upcr_level *levels, int capacity);

/* The function that holds pc, from the symbols; NULL if there is no name for it. */
const char *upcr_trace_function(uintptr_t pc);

/* "heat.upc:34 (main)" for the innermost level of the stack that is the user's own. False, and an empty text, if there is none. */
bool upcr_trace_user_place(const uintptr_t *pcs, int count, char *text, size_t capacity);

/* The same for one level. */
void upcr_trace_print_level(const struct upcr_level *level, char *text, size_t capacity);

/* What a user calls the library function or the operation of UPC at whose call in the user's code the stack ends: "upc_barrier",
   "usleep"; NULL if the innermost code is the user's own, or there is no name for it. */
const char *upcr_trace_operation(const struct upcr_stack *stack);

/* Gives `line` one text for each frame, from the innermost to main: "#0 in upc_barrier", "#1 main at heat.upc:51". Frames inside the
   runtime are one, those around main none. */
void upcr_trace_print(const struct upcr_stack *stack, void (*line)(const char *text));

#endif
