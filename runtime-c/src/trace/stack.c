/* Walks the stack of this process with the unwinder of the C compiler. */
#include "runtime.h"

#include <link.h>
#include <stdatomic.h>
#include <ucontext.h>
#include <unwind.h>

#include "trace/trace.h"

enum { PASSED_OVER = 1 << 20 }; /* number of frames after which the walk ends, for an endless recursion */

struct walk {
    uintptr_t *pcs;
    int capacity;
    int inner;       /* part of the capacity for the innermost frames; the others use the rest as a ring */
    int count;       /* frames seen that count */
    uintptr_t start; /* pc of the interrupted code: frames before it are the handler's; 0: all frames count */
};

static _Unwind_Reason_Code on_frame(struct _Unwind_Context *context, void *data)
{
    struct walk *walk = data;
    int exact = 0;
    uintptr_t pc = _Unwind_GetIPInfo(context, &exact);
    if (walk->start != 0 && walk->start != pc)
        return _URC_NO_REASON;
    walk->start = 0;
    if (pc == 0)
        return _URC_END_OF_STACK;
    /* Addresses on the stack are return addresses, which may belong to the next line. */
    pc -= exact ? 0 : 1;
    int index = walk->count;
    if (index >= walk->inner)
        index = walk->inner + (index - walk->inner) % (walk->capacity - walk->inner);
    walk->pcs[index] = pc;
    return ++walk->count < PASSED_OVER ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* Sorts the outermost frames, which are in a ring after the innermost ones. Returns the number of frames. */
static int settle(const struct walk *walk, int *omitted)
{
    int ring = walk->capacity - walk->inner;
    int over = walk->count - walk->capacity;
    *omitted = over > 0 ? over : 0;
    for (int turns = over > 0 ? over % ring : 0; turns > 0; turns--) {
        uintptr_t first = walk->pcs[walk->inner];
        for (int i = walk->inner; i + 1 < walk->capacity; i++)
            walk->pcs[i] = walk->pcs[i + 1];
        walk->pcs[walk->capacity - 1] = first;
    }
    return over > 0 ? walk->capacity : walk->count;
}

/* The registers with the position of the interrupted code, and the address to which a function called there would return. */
#if defined(__x86_64__)
static uintptr_t counter(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

static void step_out(ucontext_t *context)
{
    greg_t *registers = context->uc_mcontext.gregs;
    registers[REG_RIP] = *(const greg_t *)(uintptr_t)registers[REG_RSP] - 1;
    registers[REG_RSP] += (greg_t)sizeof(greg_t);
}
#elif defined(__aarch64__)
static uintptr_t counter(const ucontext_t *context)
{
    return context->uc_mcontext.pc;
}

static void step_out(ucontext_t *context)
{
    context->uc_mcontext.pc = context->uc_mcontext.regs[30] - 1;
}
#else
static uintptr_t counter(const ucontext_t *context)
{
    (void)context;
    return 0;
}

static void step_out(ucontext_t *context)
{
    (void)context;
}
#endif

struct code_search {
    uintptr_t pc;
    bool found;
};

static int holds_code(struct dl_phdr_info *info, size_t size, void *data)
{
    struct code_search *search = data;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) != 0 && search->pc - (info->dlpi_addr + segment->p_vaddr) < segment->p_memsz)
            search->found = true;
    }
    return search->found;
}

static bool is_code(uintptr_t pc)
{
    struct code_search search = {pc, false};
    dl_iterate_phdr(holds_code, &search);
    return search.found;
}

static int walk_stack(uintptr_t *pcs, int capacity, uintptr_t start, int *omitted)
{
    struct walk walk = {.pcs = pcs, .capacity = capacity, .inner = capacity * UPCR_TRACE_INNER / UPCR_TRACE_CAPACITY, .start = start};
    _Unwind_Backtrace(on_frame, &walk);
    return settle(&walk, omitted);
}

static int walk_interrupted(uintptr_t *pcs, int capacity, ucontext_t *context, int *omitted)
{
    /* The unwinder reads the registers that the signal saved, so these must look as if a call of something that is not a function had returned. */
    mcontext_t saved = context->uc_mcontext;
    pcs[0] = counter(context);
    if (!is_code(pcs[0])) {
        step_out(context);
        pcs[0] = counter(context);
    }
    int count = walk_stack(pcs, capacity, pcs[0], omitted);
    context->uc_mcontext = saved;
    return count > 0 ? count : 1;
}

int upcr_trace_stack(uintptr_t *pcs, int capacity, const void *ucontext)
{
    int omitted;
    if (capacity <= 0)
        return 0;
    if (ucontext == NULL)
        return walk_stack(pcs, capacity, 0, &omitted);
    return walk_interrupted(pcs, capacity, (ucontext_t *)(uintptr_t)ucontext, &omitted);
}

void upcr_trace_take(struct upcr_stack *stack, const void *ucontext)
{
    stack->omitted = 0;
    stack->count = 0;
    if (ucontext == NULL) {
        stack->count = walk_stack(stack->pcs, UPCR_TRACE_CAPACITY, 0, &stack->omitted);
    } else {
        stack->pcs[0] = counter(ucontext);
        stack->count = 1;
        stack->count = walk_interrupted(stack->pcs, UPCR_TRACE_CAPACITY, (ucontext_t *)(uintptr_t)ucontext, &stack->omitted);
    }
    /* Publishes the stack, and the answer of the thread beside it, to ask() in transport/host/where.c. */
    atomic_fetch_add_explicit(&stack->taken, 1, memory_order_release);
}

void upcr_trace_prepare(void)
{
    uintptr_t pcs[4];
    upcr_trace_stack(pcs, 4, NULL);
}
